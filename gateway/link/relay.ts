import type { Environment, SessionId } from '../../engine/shared/ids.ts'
import type { Caller } from '../identity/caller.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'

/**
 * A request that one thread admitted and another answers, on this node or another, because the other owns the
 * company's shard. What is flat is written and read fastest (`batch-bytes.ts`).
 */
export type RelayedRequest = readonly (string | number | Uint8Array)[]
export type RelayedResponse = readonly (string | number | Uint8Array)[]

/**
 * Where a relayed request came from. A request from another node is answered here or not at all: relayed again, it
 * could circle for ever.
 */
export type RelaySource = 'thread' | 'node'

/** A request of a known caller, within its rate limit. */
export type Admitted = {
  readonly request: Pick<
    HttpRequest,
    'verb' | 'path' | 'query' | 'headers' | 'repeatedHeaders' | 'body' | 'remoteAddress'
  >
  readonly caller: Caller
  readonly requestId: string
  readonly startedAtMs: number
  /** The headers of the response known so far. */
  readonly headers: Record<string, string>
  /** Where a streamed answer continues; null for its first piece. */
  readonly cursor: string | null
}

/** The only request headers that are still needed where the request is answered. */
const carried = [
  'content-type',
  'content-encoding',
  'idempotency-key',
  'accept-language',
  'accept',
  'prefer',
  'traceparent',
  'user-agent',
  'last-event-id',
  'service-second-factor',
] as const

/** The carried headers of the request come first, then the headers of the answer, each as name and value. */
type PackedRequest = [
  caller: number | string,
  requestId: string,
  startedAtMs: number,
  verb: string,
  path: string,
  query: string,
  repeated: string,
  /** Latin-1 from a node of an earlier build. */
  body: Uint8Array | string,
  cursor: string,
  remoteAddress: string,
  ...headers: string[],
]

/** Packs an admitted request for another thread or node. */
export const packRequest = ({
  request,
  caller,
  requestId,
  startedAtMs,
  headers,
  cursor,
}: Admitted): RelayedRequest => {
  const { verb, path, query, repeatedHeaders, body } = request
  const repeated = repeatedHeaders.length === 0 ? '' : repeatedHeaders.join()
  const packed: PackedRequest = [
    nameOf(caller),
    requestId,
    startedAtMs,
    verb,
    path,
    query,
    repeated,
    body,
    cursor ?? '',
    recordsNoAddress(verb, path) && caller.kind === 'KEY' ? '' : request.remoteAddress,
    ...carried.map((name) => request.headers[name] ?? ''),
  ]
  pushHeaders(packed, headers)
  return packed
}

/** Reads need no address unless they are exports, and looking it up costs as much as all the headers. */
const recordsNoAddress = (verb: string, path: string): boolean => isRead(verb) && !path.endsWith('/export')

const isRead = (verb: string): boolean => verb === 'GET' || verb === 'HEAD'

/** Whether answering the request twice is harmless. */
export const isReadOnly = ([, , , verb]: RelayedRequest): boolean => isRead(verb as string)

/** A caller as another thread finds it: a key by its ordinal, a person by session, company and environment. */
const nameOf = (caller: Caller): number | string => {
  switch (caller.kind) {
    case 'KEY':
      return caller.ordinal
    case 'PERSON':
      return `${caller.session.id} ${caller.companyId} ${caller.environment}`
    case 'STRANGER':
      throw new Error('what a stranger asks is answered where it arrives')
  }
}

/** Finds callers by the names that `nameOf` gives them. */
export type CallerFinder = {
  readonly key: (ordinal: number) => Caller | undefined
  readonly person: (sessionId: SessionId, companyId: string, environment: Environment) => Caller | undefined
}

const callerOf = (name: number | string, find: CallerFinder): Caller | undefined => {
  if (typeof name === 'number') return find.key(name)
  const [sessionId, companyId, environment] = name.split(' ')
  return find.person(sessionId as SessionId, companyId!, environment as Environment)
}

/** The reverse of `packRequest`; null if the caller is not known here. */
export const unpackRequest = (relayed: RelayedRequest, find: CallerFinder): Admitted | null => {
  const [name, requestId, startedAtMs, verb, path, query, repeated, body, cursor, remoteAddress, ...rest] =
    relayed as PackedRequest
  const caller = callerOf(name, find)
  if (caller === undefined) return null
  const headers: Record<string, string> = {}
  carried.forEach((name, n) => {
    const value = rest[n]!
    if (value !== '') headers[name] = value
  })
  const request = {
    verb,
    path,
    query,
    headers,
    repeatedHeaders: repeated === '' ? [] : repeated.split(','),
    body: typeof body === 'string' ? Buffer.from(body, 'latin1') : bufferOver(body),
    remoteAddress,
  }
  return {
    request,
    caller,
    requestId,
    startedAtMs,
    headers: headersFrom(rest, carried.length),
    cursor: cursor === '' ? null : cursor,
  }
}

/** Packs an answer for the thread that relayed its request. */
export const packResponse = ({ status, headers, body }: HttpResponse): RelayedResponse => {
  const packed: (string | number | Uint8Array)[] = [status, (body as string | Buffer | null) ?? noBytes]
  pushHeaders(packed, headers)
  return packed
}

/** The reverse of `packResponse`. */
export const unpackResponse = (relayed: RelayedResponse): HttpResponse => ({
  status: relayed[0] as number,
  headers: headersFrom(relayed, 2),
  body: typeof relayed[1] === 'string' ? relayed[1] : bufferOver(relayed[1] as Uint8Array),
})

const noBytes = Buffer.alloc(0)

/** Bytes as a buffer, without a copy. */
export const bufferOver = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const pushHeaders = (
  packed: { readonly push: (...parts: string[]) => unknown },
  headers: Readonly<Record<string, string>>,
): void => {
  for (const name in headers) packed.push(name, headers[name]!)
}

const headersFrom = (relayed: RelayedResponse, from: number): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (let n = from; n < relayed.length; n += 2) headers[relayed[n] as string] = relayed[n + 1] as string
  return headers
}
