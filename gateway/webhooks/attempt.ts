import type { Environment } from '../../engine/shared/ids.ts'
import type { AttemptOutcome } from '../../engine/webhooks/delivery.ts'
import { limits } from '../limits.ts'
import { type Resolve, readEndpointUrl, vetHost, withoutBrackets } from './address.ts'
import { openConnector } from './connect.ts'
import { type Origin, openConnections } from './connections.ts'
import { newExchange, type ReceiverAnswer, type WebhookExchange } from './exchange.ts'
import { type Sent, webhookHeaders } from './headers.ts'
import { openResolver } from './resolve.ts'

export type Attempts = {
  /**
   * Sends one event to one endpoint, once: a signed POST, with 10 seconds for everything up to the header of the answer. Every
   * outcome is a value. The address is vetted for each attempt; redirects are not followed.
   */
  readonly attempt: (target: Target) => Promise<AttemptOutcome>
  /** Closes the kept connections. An attempt under way would fail, so let those end first. */
  readonly close: () => Promise<void>
}

export type Target = Sent & { readonly endpointId: string; readonly url: string }

export type AttemptsOptions = {
  /** Epoch milliseconds, for the record and for the time in the signature. */
  readonly realNow: () => number
  /** For latencies; never jumps. */
  readonly monotonicMs?: () => number
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
  connectionsPerEndpointMax: limits.attemptsPerEndpointMax as number,
  /** The worker's connections; the pool uses at most half of them at a time. */
  connectionsMax: 2 * limits.attemptsInFlightMax,
  /** An idle connection is closed after this, whatever the receiver offers. */
  idleMs: 60_000,
}

/** Makes attempts over keep-alive connections. */
export const openAttempts = (options: AttemptsOptions): Attempts => {
  const { realNow, monotonicMs = () => performance.now(), resolve = openResolver() } = options
  const placeOf = newPlaces()
  const bounds = { ...attemptLimits, ...options.limits }
  const connections = openConnections({
    connect: openConnector(options),
    perEndpointMax: bounds.connectionsPerEndpointMax,
    totalMax: bounds.connectionsMax,
    idleMs: bounds.idleMs,
    headerBytesMax: bounds.headerBytesMax,
  })

  const attempt = (target: Target): Promise<AttemptOutcome> =>
    new Promise((resolve) => {
      const startedAtMs = realNow()
      const startedMs = monotonicMs()
      const onAnswer = (answer: ReceiverAnswer): void => {
        const latencyMs = Math.round(answer.atMs - startedMs)
        resolve({ url: target.url, startedAtMs, latencyMs, ...outcomeOf(answer) })
      }
      void send(target, newExchange({ monotonicMs, bounds, onAnswer }))
    })

  const send = async (target: Target, exchange: WebhookExchange): Promise<void> => {
    const place = placeOf(target.url, target.environment)
    if (place === null) return exchange.fail('BLOCKED_ADDRESS')
    const vetted = await vetHost(place.hostname, target.environment, resolve)
    if (!vetted.ok) return exchange.fail(vetted.error)
    if (exchange.isOver()) return
    const connection = await connections.take(target.endpointId, place, vetted.addresses)
    if (exchange.isOver()) connection.release()
    else exchange.begin(connection, requestOf(target, place, Math.floor(realNow() / 1000)))
  }

  return {
    attempt,
    close: async () => connections.close(),
  }
}

const outcomeOf = ({ statusCode, error, snippet }: ReceiverAnswer) => ({
  statusCode,
  error: statusCode !== null && statusCode >= 300 && statusCode < 400 ? ('REDIRECT' as const) : error,
  responseSnippet: snippet,
})

/** Caches parsed URLs: an endpoint's changes rarely and is needed for every attempt. */
const newPlaces = () => {
  const places = new Map<string, Place | null>()
  return (text: string, environment: Environment): Place | null => {
    const key = `${environment} ${text}`
    let place = places.get(key)
    if (place === undefined) {
      // Judged again despite its registration: it may have been stored under laxer rules.
      const read = readEndpointUrl(text, environment)
      place = read.ok ? placeAt(new URL(read.url)) : null
      if (places.size >= limits.webhookPlacesMax) places.clear()
      places.set(key, place)
    }
    return place
  }
}

type Place = Origin & { readonly host: string; readonly path: string }

const placeAt = (url: URL): Place => {
  const secure = url.protocol === 'https:'
  return {
    origin: url.origin,
    hostname: withoutBrackets(url.hostname),
    port: Number(url.port) || (secure ? 443 : 80),
    secure,
    host: url.host,
    path: url.pathname + url.search,
  }
}

/** As one piece, so that it is one write and one packet, or one record of TLS. */
const requestOf = (target: Target, { host, path }: Place, unixSeconds: number): Buffer => {
  const { body } = target
  let head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\nContent-Length: ${body.length}\r\n`
  const headers = webhookHeaders(target, unixSeconds)
  for (let n = 0; n < headers.length; n += 2) head += `${headers[n]}: ${headers[n + 1]}\r\n`
  head += '\r\n'
  const request = Buffer.allocUnsafe(head.length + body.length)
  request.write(head, 'latin1')
  request.set(body, head.length)
  return request
}
