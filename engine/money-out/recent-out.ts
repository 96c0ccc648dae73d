import { type Cents, toCents } from '../shared/money.ts'

/** What has left at a time of the environment. */
export type RecentOut = { readonly atMs: number; readonly cents: Cents }

const recentMs = 24 * 3_600_000

/** So many small payments are told apart; of more, the oldest count as one with the next, which is never too little. */
const entriesMax = 200

/** What has left in the 24 hours before a time. A Sandbox clock that was set back leaves payments far ahead of it, which count no more. */
export const recentAt = (recent: readonly RecentOut[], atMs: number): readonly RecentOut[] =>
  recent.filter((out) => Math.abs(atMs - out.atMs) < recentMs)

/** When the oldest of them counts no more; in 24 hours if there is none. */
export const recentEndsAtMs = (recent: readonly RecentOut[], atMs: number): number =>
  (recentAt(recent, atMs)[0]?.atMs ?? atMs) + recentMs

/** With a payment, or without it where the amount is negative. The oldest is first, and what is over is forgotten. */
export const addRecent = (recent: readonly RecentOut[], { atMs, cents }: RecentOut): readonly RecentOut[] => {
  if (cents < 0) return withoutRecent(recent, atMs, cents)
  const kept = recentAt(recent, atMs).map((out) => ({ ...out }))
  const next = kept.findIndex((out) => out.atMs >= atMs)
  if (kept[next]?.atMs === atMs) kept[next] = { atMs, cents: toCents(kept[next].cents + cents) }
  else kept.splice(next === -1 ? kept.length : next, 0, { atMs, cents })
  if (kept.length <= entriesMax) return kept
  const [oldest, second, ...rest] = kept
  return [{ atMs: second!.atMs, cents: toCents(oldest!.cents + second!.cents) }, ...rest]
}

/** A payment of then is part of the first entry that is not older. */
const withoutRecent = (recent: readonly RecentOut[], atMs: number, cents: Cents): readonly RecentOut[] => {
  const place = recent.findIndex((out) => out.atMs >= atMs)
  if (place === -1) return recent
  const left = recent[place]!.cents + cents
  return recent.flatMap((out, n) => {
    if (n !== place) return [out]
    return left > 0 ? [{ atMs: out.atMs, cents: toCents(left) }] : []
  })
}
