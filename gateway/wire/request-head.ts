import type { HttpRequest, TransportLimits } from './transport.ts'

/** How the body of a request is delimited. BROKEN means that two readers could disagree about where it ends. */
export type Framing = 'NONE' | 'LENGTH' | 'CHUNKED' | 'BROKEN'

/**
 * RFC 9112, section 6, without its leniencies: one length in digits or exactly `chunked`, never both, and neither twice. A
 * connection with a BROKEN head is closed without an answer, because whatever follows could be a smuggled request.
 */
export const framingOf = ({ headers, repeatedHeaders }: Head): Framing => {
  if (repeatedHeaders.length > 0 && repeatedHeaders.some(isSingle)) return 'BROKEN'
  const length = headers['content-length']
  const coding = headers['transfer-encoding']
  if (coding !== undefined) return coding === 'chunked' && length === undefined ? 'CHUNKED' : 'BROKEN'
  if (length === undefined) return 'NONE'
  return isDigits(length) ? 'LENGTH' : 'BROKEN'
}

/** The body size that a head announces; infinite if only the body itself will tell. */
export const announcedBytes = (framing: Framing, { headers }: Head): number => {
  if (framing === 'LENGTH') return Number(headers['content-length'])
  return framing === 'CHUNKED' ? Number.POSITIVE_INFINITY : 0
}

/** The status that refuses a request by its head alone; 0 if it may be read on. */
export const refusalByHead = (
  head: Head & Pick<HttpRequest, 'verb' | 'path' | 'query'>,
  headerBytes: number,
  framing: Framing,
  limits: TransportLimits,
): number => {
  const { verb, headers } = head
  if (!knownVerbs.has(verb)) return 405
  const urlBytes = head.path.length + (head.query === '' ? 0 : 1 + head.query.length)
  if (urlBytes > limits.urlBytesMax) return 414
  if (headerBytes > limits.headerBytesMax) return 431
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') return 417
  if (framing === 'NONE') return 0
  const bytes = announcedBytes(framing, head)
  if (bytes > 0 && !takesBody(verb)) return 400
  return framing === 'LENGTH' && bytes > limits.bodyBytesMax ? 413 : 0
}

const knownVerbs = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Whether requests with this verb may have a body. */
export const takesBody = (verb: string): boolean => verb === 'POST' || verb === 'PUT' || verb === 'PATCH'

/**
 * A refused body is still read up to this size before the refusal is written: a client that is answered in the middle of its
 * upload would see a connection reset instead of the reason.
 */
export const drainBytesMax = (limits: TransportLimits): number => 4 * limits.bodyBytesMax

type Head = Pick<HttpRequest, 'headers' | 'repeatedHeaders'>

const isSingle = (name: string): boolean =>
  name === 'content-length' || name === 'transfer-encoding' || name === 'host'

const isDigits = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x30 || code > 0x39) return false
  }
  return text.length > 0
}
