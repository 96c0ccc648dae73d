import { readTraceparent, type Traceparent } from '../../engine/shared/traceparent.ts'
import type { HttpRequest } from './transport.ts'

/** The trace that a request belongs to. A header that is repeated or malformed counts as absent (W3C Trace Context, 4.3). */
export const traceparentOf = ({
  headers,
  repeatedHeaders,
}: Pick<HttpRequest, 'headers' | 'repeatedHeaders'>): Traceparent | null =>
  headers.traceparent === undefined || repeatedHeaders.includes('traceparent')
    ? null
    : readTraceparent(headers.traceparent)

/** The same request as part of another trace. */
export const withTraceparent = (request: HttpRequest, traceparent: Traceparent): HttpRequest =>
  // Inheriting keeps lazily read members of the request lazy.
  Object.create(request, {
    headers: { value: Object.assign(Object.create(null), request.headers, { traceparent }) },
    repeatedHeaders: { value: request.repeatedHeaders.filter((name) => name !== 'traceparent') },
  })
