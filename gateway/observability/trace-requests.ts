import { traceparentOf, withTraceparent } from '../http/traceparent.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import type { OpenSpan, Tracing } from './tracing.ts'

type Handle = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

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
  (request) => {
    const { verb, path } = request
    if (!path.startsWith('/v1/')) return handle(request)
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
    try {
      const response = handle(traceparent === undefined ? request : withTraceparent(request, traceparent))
      return response instanceof Promise
        ? response.then(
            (response) => answered(span, response),
            (error) => failed(span, error),
          )
        : answered(span, response)
    } catch (error) {
      return failed(span, error)
    }
  }

const answered = (span: OpenSpan, response: HttpResponse): HttpResponse => {
  const { status, headers } = response
  const attributes = {
    'http.response.status_code': status,
    ...(headers['Request-Id'] && { 'payments.request.id': headers['Request-Id'] }),
  }
  span.end(attributes, status >= 500 ? String(status) : undefined)
  return response
}

const failed = (span: OpenSpan, error: unknown): never => {
  span.end({ 'http.response.status_code': 500 }, error instanceof Error ? error.name : '500')
  throw error
}
