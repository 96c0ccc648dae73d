import { type CalendarDate, isoInstant } from '../../engine/shared/calendar.ts'
import type { Id, IdPrefix } from '../../engine/shared/ids.ts'

/** What the states behind one sample event have in common. */
export type Sample = {
  /** An id with this prefix that looks real and names nothing. All ids of a sample end in `suffix`. */
  readonly id: <Prefix extends IdPrefix>(prefix: Prefix) => Id<Prefix>
  /** The 26 characters at the end of its ids. */
  readonly suffix: string
  readonly atMs: number
  readonly afterMs: (hours: number) => number
  /** The sample's day, or some days later. */
  readonly day: (days: number) => CalendarDate
}

/** A sample at an instant, with the 26 characters that its ids end with. */
export const newSample = (suffix: string, atMs: number): Sample => ({
  id: <Prefix extends IdPrefix>(prefix: Prefix) => `${prefix}_${suffix}` as Id<Prefix>,
  suffix,
  atMs,
  afterMs: (hours) => atMs + hours * hourMs,
  day: (days) => isoInstant(atMs + days * 24 * hourMs).slice(0, 10) as CalendarDate,
})

const hourMs = 3_600_000
