import { newBreaker } from './breaker.ts'
import type { AskedOperation, ProviderLimits } from './port.ts'
import { newTokenBuckets } from './token-buckets.ts'

/** The way to one connection (rails, section 1.4): how many asks are on it, how fast they follow, and whether the provider is at its end. */
export type Gate = {
  /** Lets an ask through once its turn has come, if that is before its time is over; null when the connection takes no more now. */
  readonly enter: (operation: AskedOperation, untilMs: number, through: Through) => Pass | null
  /** After how many milliseconds something new may be begun; null when that is now. */
  readonly closedForMs: () => number | null
}

/** What becomes of an ask at the gate. */
export type Through = {
  readonly send: () => void
  /** Its turn does not come: the provider has gone silent. It was not sent. */
  readonly turnAway: () => void
}

/** An ask at the gate, or through it. */
export type Pass = {
  readonly isSent: () => boolean
  /** It has its outcome, or is waited for no longer. What was not sent by then is never sent. Counts once. */
  readonly end: (isSilent: boolean) => void
}

export type GateOptions = {
  readonly limits: ProviderLimits
  /** A monotonic clock in milliseconds. */
  readonly stopwatch: () => number
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly timeout: (ms: number, callback: () => void) => () => void
  /** Whether the provider answers a harmless question. */
  readonly probe: () => Promise<boolean>
  readonly onBreaker: (isOpen: boolean) => void
}

/** While the breaker is open, the provider is probed this often. */
export const probeEveryMs = 15_000

/** How soon a full connection may be tried again. */
const fullForMs = 1_000

type Entrant = Through & {
  readonly operation: AskedOperation
  readonly untilMs: number
  isSent: boolean
  isEnded: boolean
}

/** Opens the gate of one connection. */
export const openGate = ({ limits, stopwatch, timeout, probe, onBreaker }: GateOptions): Gate => {
  const breaker = newBreaker(stopwatch)
  const buckets = newTokenBuckets(limits.rates, stopwatch)
  let waiting: Entrant[] = []
  let inFlight = 0
  let probeAtMs = 0
  let awaitsToken = false

  /** Sends those whose turn has come, in their order. One without a token holds up only those that need one of the same. */
  const pump = (): void => {
    let tokenInMs = Number.POSITIVE_INFINITY
    for (let n = 0; n < waiting.length && inFlight < limits.inFlightMax && !breaker.isOpen(); ) {
      const entrant = waiting[n]!
      if (stopwatch() >= entrant.untilMs) {
        n += 1
        continue
      }
      const waitMs = buckets.take(entrant.operation)
      if (waitMs > 0) {
        tokenInMs = Math.min(tokenInMs, waitMs)
        n += 1
        continue
      }
      waiting.splice(n, 1)
      inFlight += 1
      entrant.isSent = true
      entrant.send()
    }
    if (tokenInMs === Number.POSITIVE_INFINITY || awaitsToken) return
    awaitsToken = true
    timeout(tokenInMs, () => {
      awaitsToken = false
      pump()
    })
  }

  const end = (entrant: Entrant, isSilent: boolean): void => {
    if (entrant.isEnded) return
    entrant.isEnded = true
    if (!entrant.isSent) {
      waiting.splice(waiting.indexOf(entrant), 1)
      return
    }
    inFlight -= 1
    if (breaker.count(isSilent)) shut()
    else pump()
  }

  const shut = (): void => {
    onBreaker(true)
    awaitProbe()
    const left = waiting
    waiting = []
    for (const entrant of left) {
      entrant.isEnded = true
      entrant.turnAway()
    }
  }

  const awaitProbe = (): void => {
    probeAtMs = stopwatch() + probeEveryMs
    timeout(probeEveryMs, () => {
      void probe().then((answers) => {
        if (!answers) return awaitProbe()
        breaker.close()
        onBreaker(false)
      })
    })
  }

  return {
    enter: (operation, untilMs, through) => {
      if (breaker.isOpen()) return null
      const entrant: Entrant = { ...through, operation, untilMs, isSent: false, isEnded: false }
      waiting.push(entrant)
      pump()
      if (waiting.length > limits.waitingMax && !entrant.isSent) {
        waiting.pop()
        return null
      }
      return { isSent: () => entrant.isSent, end: (isSilent) => end(entrant, isSilent) }
    },
    closedForMs: () => {
      if (breaker.isOpen()) return Math.max(fullForMs, probeAtMs - stopwatch())
      const isFull = inFlight >= limits.inFlightMax && waiting.length >= limits.waitingMax
      return isFull ? fullForMs : null
    },
  }
}
