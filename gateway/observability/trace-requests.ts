import type { Waiter } from '../../engine/kernel/handler.ts'
import { traceparentOf, withTraceparent } from '../wire/traceparent.ts'
import type { Handle, HttpResponse } from '../wire/transport.ts'
import type { OpenSpan, Tracing } from './tracing.ts'

/**
 * Wraps a handler so that every API request becomes a span, by OpenTelemetry's semantic conventions for HTTP servers. Whatever
 * the request causes, on any thread or node, belongs to that span. The span of an export ends with its first piece.
 */
export const traceRequests =
  (
    handle: Handle,
    begin: Tracing['begin'],
    /** The pattern of the route that a path matches. */
    routeOf: (verb: string, path: string) => string | null,
  ): Handle =>
  (request, to) => {
    const { verb, path } = request
    if (!path.startsWith('/v1/')) {
      handle(request, to)
      return
    }
    const route = routeOf(verb, path)
    const span = begin({
      name: route === null ? 'unknown route' : `${verb} ${route}`,
      kind: 'SERVER',
      parent: traceparentOf(request),
      attributes: {
        'http.request.method': verb,
        'url.path': path,
        ...(route !== null && { 'http.route': route }),
      },
    })
    const { traceparent } = span
    const traced: Waiter<HttpResponse> = {
      resolve: (response) => {
        tellAnswered(span, response)
        to.resolve(response)
      },
      reject: (error) => {
        span.end({ 'http.response.status_code': 500 }, error instanceof Error ? error.name : '500')
        to.reject(error)
      },
    }
    try {
      handle(traceparent === undefined ? request : withTraceparent(request, traceparent), traced)
    } catch (error) {
      traced.reject(error)
    }
  }

const tellAnswered = (span: OpenSpan, { status, headers }: HttpResponse): void => {
  const attributes = {
    'http.response.status_code': status,
    ...(headers['Request-Id'] && { 'payments.request.id': headers['Request-Id'] }),
  }
  span.end(attributes, status >= 500 ? String(status) : undefined)
}
