/** What a request got: whether it may go on, and what the headers say. */
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

/** So many requests in a window of seconds, and so many at once after a rest. A count of 0 limits nothing. */
export type RatePolicy = {
  readonly name: string
  readonly count: number
  readonly windowSeconds: number
  readonly burst: number
}

/** Keys with their own allowance; the ones created after that share the last place. */
const slots = 1 << 20

/** Memory that all workers of a node share: one key has one allowance, whichever worker its requests reach. */
export const newRateLimitMemory = (): SharedArrayBuffer => new SharedArrayBuffer(slots * 8)

/**
 * A token bucket for each key in its "virtual scheduling" form (GCRA): one number a key, the time at which its bucket
 * will be full again. Two workers that write at once may let one request too many through; none is ever refused wrongly.
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
