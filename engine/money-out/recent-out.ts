import { type Cents, toCents } from '../shared/money.ts'

/** An amount that left, and the environment time. */
export type RecentOut = { readonly atMs: number; readonly cents: Cents }

const recentMs = 24 * 3_600_000

/** Most entries that are kept. Beyond it the oldest joins the next, and so counts for longer, never too little. */
const entriesMax = 200

/** The amounts of the last 24 hours. After a Sandbox clock was set back, payments far ahead of it do not count. */
export const recentAt = (recent: readonly RecentOut[], atMs: number): readonly RecentOut[] =>
  recent.filter((out) => Math.abs(atMs - out.atMs) < recentMs)

/** When the oldest entry stops counting; in 24 hours if there is none. */
export const recentEndsAtMs = (recent: readonly RecentOut[], atMs: number): number =>
  (recentAt(recent, atMs)[0]?.atMs ?? atMs) + recentMs

/** Adds an amount, or takes a negative one back. Entries are in order of time; adding drops expired ones. */
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

/** Takes an amount back from the first entry that is not older, which may hold several payments. */
const withoutRecent = (recent: readonly RecentOut[], atMs: number, cents: Cents): readonly RecentOut[] => {
  const place = recent.findIndex((out) => out.atMs >= atMs)
  if (place === -1) return recent
  const left = recent[place]!.cents + cents
  return recent.flatMap((out, n) => {
    if (n !== place) return [out]
    return left > 0 ? [{ atMs: out.atMs, cents: toCents(left) }] : []
  })
}
