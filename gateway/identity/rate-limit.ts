import type { Settings } from '../base/settings.ts'

/** Whether a request may go on, and what the headers say about it. */
export type Allowance = {
  readonly allowed: boolean
  readonly remaining: number
  readonly resetSeconds: number
}

export type RateLimit = {
  readonly name: string
  /** As the header shows it. */
  readonly policy: string
  readonly take: (slot: number, nowMs: number) => Allowance
}

/** A number of requests per window of seconds, and how many may come at once after a rest. A count of 0 means no limit. */
export type RatePolicy = {
  readonly name: string
  readonly count: number
  readonly windowSeconds: number
  readonly burst: number
}

/**
 * The rate policies of a node by its settings. The rate of people is fixed, because no one clicks faster
 * (dashboard, section 2.1), and so are those of strangers at pages (checkout, section 5); they are off where the operator sets no limit for keys.
 */
export const ratePoliciesOf = ({
  rateLimit,
  rateLimitBurst,
  exportRateLimit,
}: Pick<Settings, 'rateLimit' | 'rateLimitBurst' | 'exportRateLimit'>) =>
  ({
    keys: { name: 'default', count: rateLimit, windowSeconds: 1, burst: rateLimitBurst },
    sessions: { name: 'default', count: rateLimit === 0 ? 0 : 50, windowSeconds: 1, burst: 200 },
    badTokens: { name: 'pages', count: rateLimit === 0 ? 0 : 30, windowSeconds: 60, burst: 30 },
    payments: { name: 'pages', count: rateLimit === 0 ? 0 : 30, windowSeconds: 3600, burst: 30 },
    portalMails: { name: 'pages', count: rateLimit === 0 ? 0 : 10, windowSeconds: 3600, burst: 10 },
    exports: { name: 'export', count: exportRateLimit, windowSeconds: 60, burst: exportRateLimit },
  }) satisfies Readonly<Record<string, RatePolicy>>

/** The number of keys with an allowance of their own; keys created after that share the last one. */
const slots = 1 << 20

/** Memory that all workers of a node share, so that a key has one allowance whichever worker its requests reach. */
export const newRateLimitMemory = (): SharedArrayBuffer => new SharedArrayBuffer(slots * 8)

/**
 * A token bucket per key in its "virtual scheduling" form (GCRA): one number per key, the time at which its bucket is full again.
 * Two workers writing at once may let one request too many through, but never refuse one wrongly.
 */
export const newRateLimit = (
  { name, count, windowSeconds, burst }: RatePolicy,
  memory: SharedArrayBuffer,
): RateLimit | null => {
  if (count === 0) return null
  const fullAtMs = new Float64Array(memory)
  const costMs = (windowSeconds * 1000) / count
  const depthMs = burst * costMs
  return {
    name,
    policy: `"${name}";q=${count};w=${windowSeconds}`,
    take: (slot, nowMs) => {
      const place = Math.min(slot, slots - 1)
      const next = Math.max(fullAtMs[place]!, nowMs) + costMs
      const allowed = next - nowMs <= depthMs + 1e-6
      if (allowed) fullAtMs[place] = next
      const usedMs = (allowed ? next : fullAtMs[place]!) - nowMs
      const remaining = Math.max(0, Math.floor((depthMs - usedMs) / costMs + 1e-6))
      const waitMs = allowed ? 1000 : next - nowMs - depthMs
      return { allowed, remaining, resetSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
    },
  }
}
