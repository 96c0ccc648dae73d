import { newId } from '../../engine/shared/ids.ts'
import { type FindRoute, routeFinder } from '../api/find-route.ts'
import { bounds } from '../base/bounds.ts'
import type { Metrics } from '../observability/metrics.ts'
import { traceRequests } from '../observability/trace-requests.ts'
import { problemResponse, refusalOf } from '../problems/problem.ts'
import { routes } from '../routes/index.ts'
import { behindProxies } from '../wire/client-address.ts'
import { listenWithNode } from '../wire/node.ts'
import { standingHeaders } from '../wire/standing-headers.ts'
import type { Handle, Listener, ListenOptions } from '../wire/transport.ts'
import { listenWithUws } from '../wire/uws.ts'
import type { WorkerBase } from './worker-base.ts'

/** Listens on a port, which workers may share, and has `handle` answer the requests. */
export const openWorkerListener = (
  base: WorkerBase,
  metrics: Pick<Metrics, 'onRefused' | 'onCut'>,
  handle: Handle,
  port: number,
): Promise<Listener> => {
  const { start, log, tracing } = base
  const { settings, build, workers } = start
  const { tls, publicUrl } = settings
  const transport = build === null ? listenWithNode : listenWithUws(build)
  const traced =
    tracing === null ? handle : traceRequests(handle, tracing.begin, patternsOf(routeFinder(routes)))
  return transport({
    host: settings.host,
    port,
    sharedPort: workers > 1,
    keepsConnections: settings.keepAlive === 'always',
    standing: standingHeaders({ secure: tls !== null || /^https:/i.test(publicUrl) }),
    ...(tls && { tls }),
    handle: behindProxies(settings.trustedProxies, traced),
    refuse: refusalsOf(base, metrics),
    takesHttp10: isHealthCheck,
    onCut: (reason, request) => {
      metrics.onCut(reason)
      log.debug({ reason, verb: request?.verb, path: request?.path }, 'a connection was cut')
    },
    onFault: (error, { verb, path }) => log.error({ err: error, verb, path }, 'a request failed'),
    limits: bounds,
  })
}

/** Whether a request is a health check, which proxies send over HTTP/1.0 unless they are told otherwise. */
const isHealthCheck = (verb: string, path: string): boolean =>
  (verb === 'GET' || verb === 'HEAD') && (path === '/healthz' || path === '/readyz')

/** The pattern of the route that a path matches. */
const patternsOf =
  (findRoute: FindRoute) =>
  (verb: string, path: string): string | null =>
    findRoute(path, verb)?.byVerb.get(verb)?.path ?? null

/** The answers that the transport gives by itself. */
const refusalsOf =
  ({ start, entropy }: WorkerBase, { onRefused }: Pick<Metrics, 'onRefused'>): ListenOptions['refuse'] =>
  (status, request) => {
    onRefused(status)
    const requestId = newId('req', Date.now(), entropy)
    const headers = {
      'Request-Id': requestId,
      'Cache-Control': 'no-store',
      ...(status === 405 && { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }),
    }
    const { publicUrl } = start.settings
    return problemResponse(refusalOf(status), { request, requestId, publicUrl, headers })
  }
