import type { AttemptError, AttemptOutcome } from '../../engine/webhooks/delivery.ts'
import { newTimeLimit } from './time-limit.ts'

/** A request to a receiver and its response; its time starts before there is a connection. */
export type WebhookExchange = {
  readonly url: string
  /** Called once: soon after the header of the answer. The rest is read in the background, until the deadline. */
  readonly onEnd: (outcome: AttemptOutcome) => void
  readonly startedAtMs: number
  readonly startedMs: number
  connection: ExchangeConnection | null
  statusCode: number | null
  /** When the header of the answer decided the outcome. */
  decidedMs: number
  bodyBytes: number
  snippet: Buffer
  /** The signature header, once the request is made. */
  signature: string | null
  /** Whether `onEnd` has been called. */
  isOver: boolean
}

/** The actions of an exchange on its connection. */
export type ExchangeConnection = {
  /** Gives up the exchange's place while the rest of a response is still being read. */
  readonly linger: () => void
  readonly destroy: () => void
}

/** The transitions of exchanges. */
export type WebhookExchanges = {
  /** Starts an exchange and its time. */
  readonly start: (url: string, onEnd: WebhookExchange['onEnd']) => WebhookExchange
  readonly fail: (exchange: WebhookExchange, error: AttemptError) => void
  readonly onHeader: (exchange: WebhookExchange, statusCode: number) => void
  readonly onBody: (exchange: WebhookExchange, bytes: Buffer) => void
  /** Called when all received bytes are read, and the response is not complete. */
  readonly onPause: (exchange: WebhookExchange) => void
  readonly onEnd: (exchange: WebhookExchange) => void
}

export type ExchangesOptions = {
  readonly realNow: () => number
  readonly monotonicMs: () => number
  readonly later: (ms: number, callback: () => void) => void
  /** Covers name, connection, TLS, request, and the header of the answer. */
  readonly deadlineMs: number
  /** The header decides success. The record waits this long for a body that people can read. */
  readonly bodyWaitMs: number
  readonly bodyBytesMax: number
  readonly snippetBytesMax: number
}

/** Opens the exchanges of one worker. */
export const openWebhookExchanges = (options: ExchangesOptions): WebhookExchanges => {
  const { realNow, monotonicMs, bodyBytesMax, snippetBytesMax } = options
  const deadlines = newTimeLimit<WebhookExchange>({
    ...options,
    ms: options.deadlineMs,
    onLate: (exchange) => fail(exchange, 'TIMEOUT'),
  })
  const bodyWaits = newTimeLimit<WebhookExchange>({
    ...options,
    ms: options.bodyWaitMs,
    onLate: (exchange) => {
      exchange.connection!.linger()
      answer(exchange, null)
    },
  })

  const answer = (exchange: WebhookExchange, failure: AttemptError | null): void => {
    if (exchange.isOver) return
    exchange.isOver = true
    const { url, startedAtMs, startedMs, statusCode, snippet, signature } = exchange
    if (statusCode === null) exchange.decidedMs = monotonicMs()
    exchange.onEnd({
      url,
      startedAtMs,
      latencyMs: Math.round(exchange.decidedMs - startedMs),
      statusCode,
      error: statusCode !== null && statusCode >= 300 && statusCode < 400 ? 'REDIRECT' : failure,
      responseSnippet: textOf(snippet, snippetBytesMax),
      ...(signature !== null && { signature }),
    })
  }

  const end = (exchange: WebhookExchange): void => {
    deadlines.delete(exchange)
    bodyWaits.delete(exchange)
  }

  /** A failure after the header does not change what the receiver said. */
  const fail = (exchange: WebhookExchange, error: AttemptError): void => {
    end(exchange)
    answer(exchange, exchange.statusCode === null ? error : null)
    exchange.connection?.destroy()
  }

  return {
    start: (url, onEnd) => {
      const exchange = {
        url,
        onEnd,
        startedAtMs: realNow(),
        startedMs: monotonicMs(),
        connection: null,
        statusCode: null,
        decidedMs: 0,
        bodyBytes: 0,
        snippet: none,
        signature: null,
        isOver: false,
      }
      deadlines.add(exchange)
      return exchange
    },
    fail,
    onHeader: (exchange, statusCode) => {
      exchange.statusCode = statusCode
      exchange.decidedMs = monotonicMs()
    },
    onBody: (exchange, bytes) => {
      exchange.bodyBytes += bytes.length
      const { snippet } = exchange
      const wanted = snippetBytesMax - snippet.length
      if (wanted > 0) exchange.snippet = Buffer.concat([snippet, bytes.subarray(0, wanted)])
      if (exchange.bodyBytes > bodyBytesMax) fail(exchange, 'CONNECTION')
    },
    onPause: (exchange) => {
      if (exchange.statusCode !== null && !exchange.isOver && !bodyWaits.has(exchange))
        bodyWaits.add(exchange)
    },
    onEnd: (exchange) => {
      end(exchange)
      answer(exchange, null)
    },
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
