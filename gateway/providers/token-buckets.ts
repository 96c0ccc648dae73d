import type { AskedOperation, ProviderLimits } from './port.ts'

/** How fast asks of one connection may follow each other: its buckets, full at first. */
export type TokenBuckets = {
  /** Takes a token for the operation; otherwise returns after how many milliseconds there is one. */
  readonly take: (operation: AskedOperation) => number
}

/** Fills the buckets of a connection; the stopwatch counts milliseconds. */
export const newTokenBuckets = (rates: ProviderLimits['rates'], stopwatch: () => number): TokenBuckets => {
  const buckets = rates.map((rate) => ({ ...rate, tokens: rate.capacity, atMs: stopwatch() }))
  return {
    take: (operation) => {
      const bucket = buckets.find(({ operations }) => operations.includes(operation))
      if (bucket === undefined) return 0
      const nowMs = stopwatch()
      const { capacity, perMinute } = bucket
      bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.atMs) * perMinute) / minuteMs)
      bucket.atMs = nowMs
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * minuteMs) / perMinute)
      bucket.tokens -= 1
      return 0
    },
  }
}

const minuteMs = 60_000
