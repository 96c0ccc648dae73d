import type { Entry } from '../../engine/kernel/entry.ts'
import type { Journal, Memory } from '../../engine/kernel/ports.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
import { newTimeSlice, yieldIfDue } from '../base/time-slice.ts'

/**
 * Reads an account's entries from the journal in slices. The journal is as long as the shard is old, so the start of
 * the window is looked for from its end.
 */
export const newHistory = (
  journal: Pick<Journal, 'at' | 'appended'>,
  rebuildEntry: (sequence: number, entry: Entry) => FlushedEntry | null,
  stopwatch: () => number,
): Memory['history'] =>
  function* (accountId, { fromMs, toMs, after }, { looked, found }) {
    const slice = newTimeSlice(stopwatch, bounds.sliceMs)
    const entries: FlushedEntry[] = []
    const first = (after ?? lastBefore(journal, fromMs)) + 1
    let sequence = first
    for (; sequence <= journal.appended(); sequence++) {
      const entry = journal.at(sequence)
      if (entry.atMs >= toMs) break
      if (entry.accountId === accountId && entry.atMs >= fromMs && !entry.events.every(isOfDelivery)) {
        const rebuilt = rebuildEntry(sequence, entry)
        if (rebuilt !== null) entries.push(rebuilt)
      }
      if (entries.length >= found || sequence - first + 1 >= looked)
        return { entries, next: { after: sequence, atMs: entry.atMs }, end: sequence }
      yield* yieldIfDue(slice)
    }
    return { entries, next: null, end: sequence - 1 }
  }

const isOfDelivery = ({ actor }: Entry['events'][number]): boolean => actor === 'delivery'

/**
 * The last entry before an instant. After clocks were set back it may find an earlier one, never one much later. It looks from the end
 * in growing steps: for a window of late nothing is read that may be in an archive, which may be away.
 */
export const lastBefore = (journal: Pick<Journal, 'at' | 'appended'>, atMs: number): number => {
  const isLater = (sequence: number): boolean => journal.at(sequence + 1).atMs >= atMs
  let high = journal.appended()
  let step = 1
  for (; step < high && isLater(high - step); step *= 2) high -= step
  return firstWhere(Math.max(0, high - step), high, isLater)
}
