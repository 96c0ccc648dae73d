import type { KnownKey } from './authenticate.ts'
import type { HttpRequest, HttpResponse } from './transport.ts'

/**
 * A request that one thread let in and another one answers, because that one owns the company's shard. Threads copy
 * what they send each other, and flat texts are copied fastest: an object of state each way cost twenty times as much.
 */
export type RelayedRequest = readonly (string | number)[]
export type RelayedResponse = readonly (string | number)[]

/** A request whose key is known and within its rate limit. */
export type Admitted = {
  readonly request: Pick<HttpRequest, 'verb' | 'path' | 'query' | 'headers' | 'repeatedHeaders' | 'body'>
  readonly known: KnownKey
  readonly requestId: string
  readonly startedAtMs: number
  /** Of the answer, as far as they are known. */
  readonly headers: Record<string, string>
}

/** The only headers that an admitted request is still asked for. */
const headersRead = ['content-type', 'idempotency-key'] as const

export const packRequest = ({
  request,
  known,
  requestId,
  startedAtMs,
  headers,
}: Admitted): RelayedRequest => [
  known.ordinal,
  requestId,
  startedAtMs,
  request.verb,
  request.path,
  request.query,
  request.headers[headersRead[0]] ?? '',
  request.headers[headersRead[1]] ?? '',
  request.repeatedHeaders.join(),
  request.body.toString('latin1'),
  ...Object.entries(headers).flat(),
]

/** Null where the key is not known here. */
export const unpackRequest = (
  relayed: RelayedRequest,
  keyAt: (ordinal: number) => KnownKey | undefined,
): Admitted | null => {
  const [ordinal, requestId, startedAtMs, verb, path, query, contentType, idempotencyKey, repeated, body] =
    relayed as [number, string, number, string, string, string, string, string, string, string]
  const known = keyAt(ordinal)
  if (known === undefined) return null
  const request = {
    verb,
    path,
    query,
    headers: {
      ...(contentType !== '' && { [headersRead[0]]: contentType }),
      ...(idempotencyKey !== '' && { [headersRead[1]]: idempotencyKey }),
    },
    repeatedHeaders: repeated === '' ? [] : repeated.split(','),
    body: Buffer.from(body, 'latin1'),
  }
  return { request, known, requestId, startedAtMs, headers: headersFrom(relayed, 10) }
}

export const packResponse = ({ status, headers, body }: HttpResponse): RelayedResponse => {
  const packed: (string | number)[] = [status, body as string]
  for (const name in headers) packed.push(name, headers[name]!)
  return packed
}

export const unpackResponse = (relayed: RelayedResponse): HttpResponse => ({
  status: relayed[0] as number,
  headers: headersFrom(relayed, 2),
  body: relayed[1] as string,
})

const headersFrom = (relayed: readonly (string | number)[], from: number): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (let n = from; n < relayed.length; n += 2) headers[relayed[n] as string] = relayed[n + 1] as string
  return headers
}
