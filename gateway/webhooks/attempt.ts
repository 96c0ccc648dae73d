import type { Environment } from '../../engine/shared/ids.ts'
import type { AttemptOutcome } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'
import { timeout } from '../base/delay.ts'
import { type Resolve, readEndpointUrl, type VettedHost, vetHost, withoutBrackets } from './address.ts'
import { openConnector } from './connect.ts'
import { type Lane, newLane, openConnections } from './connections.ts'
import { openWebhookExchanges, type WebhookExchange } from './exchange.ts'
import { type Sent, signedHeaders, steadyHeaders } from './headers.ts'
import { withoutValues } from './own-headers.ts'
import { openResolver } from './resolve.ts'

export type Target = Sent & { readonly endpointId: string; readonly url: string }

export type Attempts = {
  /**
   * Sends one event to one endpoint, once: a signed POST, with 10 seconds for everything up to the header of the answer. Every
   * outcome is a value. The address is vetted for each attempt; redirects are not followed.
   */
  readonly attempt: (target: Target) => Promise<AttemptOutcome>
  /** Closes the kept connections. An attempt under way would fail, so let those end first. */
  readonly close: () => void
}

export type AttemptsOptions = {
  /** Epoch milliseconds, for the record and for the time in the signature. */
  readonly realNow: () => number
  /** For latencies and limits; never jumps. */
  readonly monotonicMs?: () => number
  /** Calls back after so many milliseconds. */
  readonly later?: (ms: number, callback: () => void) => void
  readonly resolve?: Resolve
  /** PEM certificates that are trusted in addition to the usual ones. */
  readonly certificateAuthorities?: readonly string[]
  /** For tests, which cannot wait ten seconds. */
  readonly limits?: Partial<typeof attemptLimits>
}

const attemptLimits = {
  deadlineMs: 10_000,
  bodyWaitMs: 250,
  bodyBytesMax: 16 * 1024,
  snippetBytesMax: 1024,
  headerBytesMax: 16 * 1024,
  perEndpointMax: bounds.attemptsPerEndpointMax as number,
  /** The worker's connections that are not in use. */
  idleMax: 2 * bounds.attemptsInFlightMax,
  /** An idle connection is closed after this, whatever the receiver offers. */
  idleMs: 60_000,
}

/** Makes attempts over keep-alive connections. */
export const openAttempts = (options: AttemptsOptions): Attempts => {
  const {
    realNow,
    monotonicMs = () => performance.now(),
    later = timeout,
    resolve: lookUp = openResolver(),
  } = options
  const attemptBounds = { ...attemptLimits, ...options.limits, realNow, monotonicMs, later }
  const receiverOf = newReceivers()
  const exchanges = openWebhookExchanges(attemptBounds)
  const connections = openConnections({ ...attemptBounds, exchanges, connect: openConnector(options) })

  const send = (target: Target, receiver: Receiver, exchange: WebhookExchange): void => {
    const begin = (vetted: VettedHost): void => {
      if (!vetted.ok) exchanges.fail(exchange, vetted.error)
      else if (!exchange.isOver) {
        const signed = signedHeaders(target, Math.floor(realNow() / 1000))
        exchange.signature = signed[1]!
        const request = requestOf(target, receiver, signed)
        connections.begin(receiver.lane, { exchange, request, addresses: vetted.addresses })
      }
    }
    const vetted = vetHost(receiver.lane.origin.hostname, target.environment, lookUp)
    if (vetted instanceof Promise) void vetted.then(begin)
    else begin(vetted)
  }

  return {
    attempt: (target) =>
      new Promise((resolve) => {
        const exchange = exchanges.start(target.url, (outcome) => resolve(withoutSecrets(outcome, target)))
        const receiver = receiverOf(target)
        if (receiver === null) exchanges.fail(exchange, 'BLOCKED_ADDRESS')
        else send(target, receiver, exchange)
      }),
    close: connections.close,
  }
}

/** The constant part of all attempts at an endpoint, until its URL changes. */
type Receiver = {
  readonly url: string
  readonly environment: Environment
  readonly lane: Lane
  /** The constant lines of each request, around the event type and the delivery's id. */
  readonly lines: readonly [untilEventType: string, untilDeliveryId: string, then: string]
}

const newReceivers = () => {
  const receivers = new Map<string, Receiver>()
  /** Null if the URL may no longer be called: it may have been stored under laxer rules. */
  return ({ endpointId, url, environment }: Target): Receiver | null => {
    const known = receivers.get(endpointId)
    if (known !== undefined && known.url === url && known.environment === environment) return known
    const read = readEndpointUrl(url, environment)
    if (!read.ok) return null
    if (receivers.size >= bounds.webhookReceiversMax) forgetUnused(receivers)
    const receiver = receiverAt(new URL(read.url), url, environment, known?.lane)
    receivers.set(endpointId, receiver)
    return receiver
  }
}

/** Receivers with connections stay, because connections are limited by endpoint. */
const forgetUnused = (receivers: Map<string, Receiver>): void => {
  for (const [id, { lane }] of receivers)
    if (lane.open.size === 0 && lane.waiting.length === 0) receivers.delete(id)
}

const receiverAt = (read: URL, url: string, environment: Environment, former: Lane | undefined): Receiver => {
  const secure = read.protocol === 'https:'
  const origin = {
    origin: read.origin,
    hostname: withoutBrackets(read.hostname),
    port: Number(read.port) || (secure ? 443 : 80),
    secure,
  }
  const first = `POST ${read.pathname + read.search} HTTP/1.1\r\nHost: ${read.host}\r\nConnection: keep-alive\r\n`
  return {
    url,
    environment,
    lane: former?.origin.origin === origin.origin ? former : newLane(origin),
    lines: (first + steadyLines(environment)).split(leftOut) as unknown as Receiver['lines'],
  }
}

/** Receivers that show what they were sent would put the values of their own headers on the record, where they are not sealed. */
const withoutSecrets = (outcome: AttemptOutcome, { headers = [] }: Target): AttemptOutcome =>
  headers.length === 0
    ? outcome
    : { ...outcome, responseSnippet: withoutValues(outcome.responseSnippet, headers) }

const steadyLines = (environment: Environment): string =>
  linesOf(steadyHeaders({ eventType: leftOut, deliveryId: leftOut, environment }))

const linesOf = (headers: readonly string[]): string =>
  headers.map((text, n) => (n % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')

/** Occurs in no URL, because it is not printable. */
const leftOut = '\u0000'

/** The request in one buffer: one write and one packet, or one TLS record. */
const requestOf = (target: Target, { lines }: Receiver, signed: readonly string[]): Buffer => {
  const { eventType, deliveryId, traceparent, body, headers } = target
  const trace = traceparent === undefined ? '' : `traceparent: ${traceparent}\r\n`
  const own = headers === undefined ? '' : headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('')
  const last = `Content-Length: ${body.length}\r\n${linesOf(signed)}${own}\r\n`
  const head = lines[0] + eventType + lines[1] + deliveryId + lines[2] + trace + last
  const request = Buffer.allocUnsafe(head.length + body.length)
  request.write(head, 'latin1')
  request.set(body, head.length)
  return request
}
