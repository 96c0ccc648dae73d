/** Reads the answers of an HTTP/1.1 server, one for each request, in whatever pieces they arrive (RFC 9112, sections 2 to 9). */
export type ResponseReader = {
  /** Called when a request goes out, whose response is then reported. */
  readonly expect: () => void
  readonly take: (bytes: Buffer) => void
  /** Called when the server has closed the connection: this ends a body without a length (RFC 9112, 6.3). */
  readonly close: () => void
}

/** After an end or an error nothing follows. */
export type ResponseHandler = {
  /** The status of the final answer; those from 100 to 199 are skipped. */
  readonly onHeader: (statusCode: number) => void
  /** The bytes are overwritten afterwards. */
  readonly onBody: (bytes: Buffer) => void
  /** The response is complete. The server takes another request for `keepAliveMs`: `Infinity` without a limit. */
  readonly onEnd: (keepAliveMs: number) => void
  readonly onError: (error: Error) => void
}

type ReaderState = {
  readonly headerBytesMax: number
  readonly handler: ResponseHandler
  isExpecting: boolean
  step: Step
  /** The beginning of a header or line whose end has not come. */
  held: Buffer
  /** Bytes of the body, or of a chunk, still to come. */
  left: number
  keepAliveMs: number
  /** A server's headers are often the same for a second: only its clock changes them. */
  lastText: string
  lastHeader: Header | null
}

/** Answers with a header of more than `headerBytesMax` are errors. */
export const newResponseReader = (headerBytesMax: number, handler: ResponseHandler): ResponseReader => {
  const reader: ReaderState = {
    headerBytesMax,
    handler,
    isExpecting: false,
    step: 'HEADER',
    held: none,
    left: 0,
    keepAliveMs: 0,
    lastText: '',
    lastHeader: null,
  }
  return {
    expect: () => {
      reader.isExpecting = true
      reader.step = 'HEADER'
      reader.held = none
    },
    take: (bytes) => take(reader, bytes),
    close: () => {
      if (reader.step === 'BODY' && reader.left === Number.POSITIVE_INFINITY) end(reader, 0)
      else fail(reader, 'it ends too early')
    },
  }
}

const fail = (reader: ReaderState, what: string): void => {
  if (!reader.isExpecting) return
  reader.isExpecting = false
  reader.handler.onError(new Error(`no answer of HTTP/1.1: ${what}`))
}

const end = (reader: ReaderState, forMs: number): void => {
  if (!reader.isExpecting) return
  reader.isExpecting = false
  reader.handler.onEnd(forMs)
}

const take = (reader: ReaderState, bytes: Buffer): void => {
  let rest = reader.held.length === 0 ? bytes : Buffer.concat([reader.held, bytes])
  reader.held = none
  while (rest.length > 0 && reader.isExpecting && reader.step !== 'END') {
    const taken =
      reader.step === 'BODY' || reader.step === 'CHUNK' ? takeBody(reader, rest) : takeText(reader, rest)
    if (taken === 0) {
      reader.held = Buffer.from(rest)
      return
    }
    rest = rest.subarray(taken)
  }
  // Surplus bytes would be taken for the next response.
  if (reader.step === 'END') end(reader, rest.length === 0 ? reader.keepAliveMs : 0)
}

const takeBody = (reader: ReaderState, bytes: Buffer): number => {
  const part = bytes.length > reader.left ? bytes.subarray(0, reader.left) : bytes
  reader.left -= part.length
  reader.handler.onBody(part)
  if (reader.left === 0) reader.step = reader.step === 'CHUNK' ? 'CHUNK_END' : 'END'
  return part.length
}

/** Takes a header, or a line between chunks, once its end has come; 0 before. */
const takeText = (reader: ReaderState, bytes: Buffer): number => {
  const terminator = reader.step === 'HEADER' ? '\r\n\r\n' : '\r\n'
  const at = bytes.indexOf(terminator)
  if (at === -1 ? bytes.length > reader.headerBytesMax : at > reader.headerBytesMax) {
    fail(reader, 'too long a header')
    return 0
  }
  if (at === -1) return 0
  const text = bytes.toString('latin1', 0, at)
  if (reader.step === 'HEADER') takeHeader(reader, text)
  else takeLine(reader, text)
  return at + terminator.length
}

const takeHeader = (reader: ReaderState, text: string): void => {
  const header = text === reader.lastText ? reader.lastHeader : readHeader(text)
  reader.lastText = text
  reader.lastHeader = header
  if (header === null) {
    fail(reader, 'not a header')
    return
  }
  const { statusCode } = header
  if (statusCode < 200) {
    if (statusCode === 101) fail(reader, 'another protocol')
    return
  }
  reader.keepAliveMs = header.keepAliveMs
  reader.handler.onHeader(statusCode)
  if (!reader.isExpecting) return
  if (header.isChunked) reader.step = 'CHUNK_SIZE'
  else if (header.length === 0) reader.step = 'END'
  else {
    reader.step = 'BODY'
    reader.left = header.length
  }
}

/**
 * Takes a line around the chunks of a body (RFC 9112, section 7.1): `5;name=value`, bytes, an empty line … `0`,
 * trailers, an empty line.
 */
const takeLine = (reader: ReaderState, line: string): void => {
  if (reader.step === 'TRAILER') {
    if (line === '') reader.step = 'END'
  } else if (reader.step === 'CHUNK_END') {
    if (line !== '') fail(reader, 'a chunk that is too long')
    reader.step = 'CHUNK_SIZE'
  } else {
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line)
    if (size === null) {
      fail(reader, 'not the size of a chunk')
      return
    }
    reader.left = Number.parseInt(size[1]!, 16)
    reader.step = reader.left === 0 ? 'TRAILER' : 'CHUNK'
  }
}

type Step = 'HEADER' | 'BODY' | 'CHUNK_SIZE' | 'CHUNK' | 'CHUNK_END' | 'TRAILER' | 'END'

type Header = {
  readonly statusCode: number
  /** The body's bytes; `Infinity` if the server ends the body by closing the connection. */
  readonly length: number
  readonly isChunked: boolean
  readonly keepAliveMs: number
}

const none = Buffer.alloc(0)

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/
const fieldLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/

/** Reads status line and fields; null if they violate RFC 9112, sections 4 and 5. */
const readHeader = (text: string): Header | null => {
  const [first, ...fields] = text.split('\r\n')
  const status = statusLine.exec(first!)
  if (status === null) return null
  const statusCode = Number(status[2])
  let isKept = status[1] === '1'
  let limitMs = Number.POSITIVE_INFINITY
  let length: number | null = null
  let codings: string | null = null
  for (const line of fields) {
    const field = fieldLine.exec(line)
    if (field === null) return null
    const value = field[2]!.trimEnd().toLowerCase()
    switch (field[1]!.toLowerCase()) {
      case 'connection':
        if (namesOf(value).includes('close')) isKept = false
        else if (namesOf(value).includes('keep-alive')) isKept = true
        break
      case 'keep-alive':
        limitMs = Math.max(
          0,
          1000 * Number(/timeout=(\d{1,9})/.exec(value)?.[1] ?? Number.POSITIVE_INFINITY) - closingMs,
        )
        break
      case 'content-length':
        if (!/^\d{1,15}$/.test(value) || (length !== null && length !== Number(value))) return null
        length = Number(value)
        break
      case 'transfer-encoding':
        codings = codings === null ? value : `${codings},${value}`
        break
    }
  }
  const hasNoBody = statusCode < 200 || statusCode === 204 || statusCode === 304
  const isChunked = !hasNoBody && codings !== null && namesOf(codings).at(-1) === 'chunked'
  if (hasNoBody) length = 0
  else if (codings !== null) {
    // A length beside chunks is an error or an attack (RFC 9112, section 6.3): chunks count, and the connection is
    // not used again.
    if (length !== null) isKept = false
    length = null
  }
  const endsByClosing = length === null && !isChunked
  return {
    statusCode,
    length: length ?? Number.POSITIVE_INFINITY,
    isChunked,
    keepAliveMs: isKept && !endsByClosing ? limitMs : 0,
  }
}

const namesOf = (list: string): string[] => list.split(',').map((name) => name.trim())

/** A request must not meet the server's closing of the connection. */
const closingMs = 1_000
