import { type CalendarDate, isoInstant } from '../../engine/shared/calendar.ts'
import type { Id, IdPrefix } from '../../engine/shared/ids.ts'

/** What the states have in common that one sample event is rendered from. */
export type Sample = {
  /** An id of the kind, which looks real and names nothing: the ids of one sample end alike. */
  readonly id: <Prefix extends IdPrefix>(prefix: Prefix) => Id<Prefix>
  /** What they end with. */
  readonly suffix: string
  readonly atMs: number
  readonly afterMs: (hours: number) => number
  /** The day, or days after it. */
  readonly day: (days: number) => CalendarDate
}

/** A sample of an instant, with the 26 characters that its ids end with. */
export const newSample = (suffix: string, atMs: number): Sample => ({
  id: <Prefix extends IdPrefix>(prefix: Prefix) => `${prefix}_${suffix}` as Id<Prefix>,
  suffix,
  atMs,
  afterMs: (hours) => atMs + hours * hourMs,
  day: (days) => isoInstant(atMs + days * 24 * hourMs).slice(0, 10) as CalendarDate,
})

const hourMs = 3_600_000
