import type { Command } from './registry.ts'

/** Due work on the environment clock: a command like any other. */
export type Timer = { readonly dueAtMs: number; readonly command: Command }

/** The one that is due first; of two at the same moment the one that stands first. Null where there is none. */
export const earliestOf = (timers: Iterable<Timer | null>): Timer | null => {
  let next: Timer | null = null
  for (const timer of timers) {
    if (timer !== null && (next === null || timer.dueAtMs < next.dueAtMs)) next = timer
  }
  return next
}
