import type { AttemptError } from '../../engine/webhooks/delivery.ts'
import { attemptErrorOf } from './connect.ts'
import type { Connection } from './connections.ts'
import type { ResponseHandler } from './response-reader.ts'

/** A request to a receiver and its answer. Its time runs from the start, before there is a connection. */
export type WebhookExchange = {
  /** Sends the request. Called at most once, and not when it is over. */
  readonly begin: (connection: Connection, request: Buffer) => void
  readonly fail: (error: AttemptError) => void
  /** Whether it has been answered. */
  readonly isOver: () => boolean
}

/** The receiver's answer; `atMs` is when its header decided the outcome. */
export type ReceiverAnswer = {
  readonly statusCode: number | null
  readonly error: AttemptError | null
  readonly snippet: string
  readonly atMs: number
}

export type ExchangeOptions = {
  readonly monotonicMs: () => number
  readonly bounds: ExchangeBounds
  /** Called once: soon after the header of the answer. The rest is read in the background, until the deadline. */
  readonly onAnswer: (answer: ReceiverAnswer) => void
}

export type ExchangeBounds = {
  /** Covers name, connection, TLS, request, and the header of the answer. */
  readonly deadlineMs: number
  /** The header decides success. The record waits this long for a body that people can read. */
  readonly bodyWaitMs: number
  readonly bodyBytesMax: number
  readonly snippetBytesMax: number
}

/** Starts the time of an exchange. */
export const newExchange = ({ monotonicMs, bounds, onAnswer }: ExchangeOptions): WebhookExchange => {
  let connection: Connection | null = null
  let statusCode: number | null = null
  let atMs = 0
  let bodyBytes = 0
  let snippet = none
  let bodyTimer: NodeJS.Timeout | undefined
  let isOver = false

  const answer = (error: AttemptError | null): void => {
    if (isOver) return
    isOver = true
    clearTimeout(bodyTimer)
    if (statusCode === null) atMs = monotonicMs()
    onAnswer({ statusCode, error, snippet: textOf(snippet, bounds.snippetBytesMax), atMs })
  }

  /** A failure after the header does not change what the receiver said. */
  const fail = (error: AttemptError): void => {
    clearTimeout(deadline)
    answer(statusCode === null ? error : null)
    connection?.destroy()
  }

  const deadline = setTimeout(fail, bounds.deadlineMs, 'TIMEOUT')

  const handler: ResponseHandler = {
    onHeader: (status) => {
      statusCode = status
      atMs = monotonicMs()
      bodyTimer = setTimeout(() => {
        connection!.linger()
        answer(null)
      }, bounds.bodyWaitMs)
    },
    onBody: (bytes) => {
      bodyBytes += bytes.length
      const wanted = bounds.snippetBytesMax - snippet.length
      if (wanted > 0) snippet = Buffer.concat([snippet, bytes.subarray(0, wanted)])
      if (bodyBytes > bounds.bodyBytesMax) fail('CONNECTION')
    },
    onEnd: () => {
      clearTimeout(deadline)
      answer(null)
    },
    onError: (error) => fail(attemptErrorOf(error)),
  }

  return {
    begin: (taken, request) => {
      connection = taken
      taken.send(request, handler)
    },
    fail,
    isOver: () => isOver,
  }
}

const none = Buffer.alloc(0)

/** Decodes bytes that need not be text. What cannot be decoded becomes U+FFFD, and the result is cut back to `bytesMax`. */
const textOf = (bytes: Buffer, bytesMax: number): string => {
  if (bytes.length === 0) return ''
  const text = bytes.toString('utf8')
  if (Buffer.byteLength(text) <= bytesMax) return text
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytesMax)).read)
}
