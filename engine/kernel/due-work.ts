import type { Command } from './registry.ts'

/** Due work on the environment clock: an ordinary command. */
export type Timer = { readonly dueAtMs: number; readonly command: Command }

/** The timer due first; at the same moment the first in the list. Null when there is none. */
export const earliestOf = (timers: Iterable<Timer | null>): Timer | null => {
  let next: Timer | null = null
  for (const timer of timers) {
    if (timer !== null && (next === null || timer.dueAtMs < next.dueAtMs)) next = timer
  }
  return next
}
