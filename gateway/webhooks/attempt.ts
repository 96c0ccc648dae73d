import type { Dispatcher } from 'undici'
import type { Environment } from '../../engine/shared/ids.ts'
import type { AttemptError, AttemptOutcome } from '../../engine/webhooks/delivery.ts'
import { limits } from '../limits.ts'
import { type Resolve, readEndpointUrl, vetHost, withoutBrackets } from './address.ts'
import { attemptErrorOf, openConnector } from './connect.ts'
import { type Connection, type Origin, openConnections } from './connections.ts'
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
  /** Covers name, connection, TLS, request, and the header of the answer. */
  deadlineMs: 10_000,
  /** The header decides success. The record waits this long for a body that people can read. */
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

  const attempt = async (target: Target): Promise<AttemptOutcome> => {
    const startedAtMs = realNow()
    const startedMs = monotonicMs()
    const deadline = newDeadline(bounds.deadlineMs)
    const answer = await answerOf(target, deadline)
    const latencyMs = Math.round(answer.atMs - startedMs)
    return { url: target.url, startedAtMs, latencyMs, ...outcomeOf(answer) }
  }

  const answerOf = async (target: Target, deadline: Deadline): Promise<Answer> => {
    const fail = (error: AttemptError): Answer => {
      deadline.clear()
      return { statusCode: null, error, snippet: '', atMs: monotonicMs() }
    }
    const place = placeOf(target.url, target.environment)
    if (place === null) return fail('BLOCKED_ADDRESS')
    const vetted = await deadline.cut(vetHost(place.hostname, target.environment, resolve))
    if (vetted === null) return fail('TIMEOUT')
    if (!vetted.ok) return fail(vetted.error)
    const taking = connections.take(target.endpointId, place, vetted.addresses)
    const connection = await deadline.cut(taking)
    if (connection === null) {
      void taking.then((late) => late.release())
      return fail('TIMEOUT')
    }
    return exchange(connection, requestOf(target, place.path, Math.floor(realNow() / 1000)), deadline)
  }

  /** Ends shortly after the header of the answer; the rest is read in the background, within the deadline. */
  const exchange = (
    connection: Connection,
    request: Dispatcher.DispatchOptions,
    deadline: Deadline,
  ): Promise<Answer> =>
    new Promise((resolve) => {
      let header: { readonly statusCode: number; readonly atMs: number } | null = null
      let bodyBytes = 0
      let snippet = Buffer.alloc(0)
      let bodyTimer: NodeJS.Timeout | undefined
      let isDecided = false
      const decide = (error: AttemptError | null): void => {
        if (isDecided) return
        isDecided = true
        clearTimeout(bodyTimer)
        const { statusCode, atMs } = header ?? { statusCode: null, atMs: monotonicMs() }
        resolve({ statusCode, error, snippet: textOf(snippet, bounds.snippetBytesMax), atMs })
      }
      const giveUp = (error: AttemptError): void => {
        deadline.clear()
        decide(header === null ? error : null)
        connection.destroy()
      }
      deadline.whenPassed(() => giveUp('TIMEOUT'))

      connection.send(request, {
        onRequestStart: () => undefined,
        onResponseStart: (_, statusCode) => {
          if (statusCode < 200) return
          header = { statusCode, atMs: monotonicMs() }
          bodyTimer = setTimeout(() => {
            connection.linger()
            decide(null)
          }, bounds.bodyWaitMs)
        },
        onResponseData: (_, chunk) => {
          bodyBytes += chunk.length
          const wanted = bounds.snippetBytesMax - snippet.length
          if (wanted > 0) snippet = Buffer.concat([snippet, chunk.subarray(0, wanted)])
          if (bodyBytes > bounds.bodyBytesMax) giveUp('CONNECTION')
        },
        onResponseEnd: () => {
          deadline.clear()
          connection.release()
          decide(null)
        },
        onResponseError: (_, error) => giveUp(attemptErrorOf(error)),
      })
    })

  return {
    attempt,
    close: async () => connections.close(),
  }
}

/** The receiver's answer; `atMs` is when its header decided the outcome. */
type Answer = {
  readonly statusCode: number | null
  readonly error: AttemptError | null
  readonly snippet: string
  readonly atMs: number
}

const outcomeOf = ({ statusCode, error, snippet }: Answer) => ({
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

type Place = Origin & { readonly path: string }

const placeAt = (url: URL): Place => {
  const secure = url.protocol === 'https:'
  return {
    origin: url.origin,
    hostname: withoutBrackets(url.hostname),
    port: Number(url.port) || (secure ? 443 : 80),
    secure,
    path: url.pathname + url.search,
  }
}

const requestOf = (target: Target, path: string, unixSeconds: number): Dispatcher.DispatchOptions => ({
  method: 'POST',
  path,
  headers: webhookHeaders(target, unixSeconds),
  body: target.body,
})

type Deadline = {
  /** Resolves to the value, or to null if time is up first. */
  readonly cut: <Value>(promise: Promise<Value>) => Promise<Value | null>
  readonly whenPassed: (then: () => void) => void
  readonly clear: () => void
}

const newDeadline = (ms: number): Deadline => {
  let pass: (none: null) => void
  const passed = new Promise<null>((resolve) => {
    pass = resolve
  })
  const timer = setTimeout(() => pass(null), ms)
  return {
    cut: (promise) => Promise.race([promise, passed]),
    whenPassed: (then) => void passed.then(then),
    clear: () => clearTimeout(timer),
  }
}

/** Decodes bytes that need not be text. What cannot be decoded becomes U+FFFD, and the result is cut back to `bytesMax`. */
const textOf = (bytes: Buffer, bytesMax: number): string => {
  const text = bytes.toString('utf8')
  if (Buffer.byteLength(text) <= bytesMax) return text
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytesMax)).read)
}
