import { bounds } from '../base/bounds.ts'
import { unpackFromBatch } from '../codec/codec.ts'
import type { Layout } from '../codec/layout.ts'
import { firstSealOf, type OpenBatch, openBatch } from '../codec/sealed-batch.ts'
import type { ReaderEntry, ReaderShelf } from '../disk/data-file/reader.ts'
import { type Source, sequenceIn, slicesOf } from '../home/source.ts'
import { newBatchCache } from '../journal/batch-cache.ts'
import { archiveKey, DamagedJournal } from '../journal/batches.ts'
import { openReadArchive } from './archive.ts'

/** A journal as it was when it was opened, however much is appended meanwhile. */
export type ReadJournal<Record> = {
  readonly path: string
  readonly appended: () => number
  readonly at: (sequence: number) => Record
  readonly replay: (after: number) => Iterable<{ readonly sequence: number; readonly record: Record }>
  readonly batchAt: (sequence: number) => OpenBatch
  /** The ranges of damaged entries. `onProgress` receives the number of entries checked, of all. */
  readonly damagedRanges: (
    identity: string,
    onProgress: (done: number, of: number) => Promise<void> | undefined,
    since?: SealedPoint | null,
  ) => Promise<readonly DamagedRange[]>
  /** Whether it ended so at some time, and has perhaps grown since. */
  readonly continues: (since: SealedPoint) => boolean
  /** The last entry of its archive. */
  readonly archived: () => number
  /** Why files of the archive could not be read so far, in words. */
  readonly unreadable: () => readonly string[]
  /** Whether the first entry continues this identity; null when there is none that can be read. */
  readonly isOf: (identity: string) => boolean | null
}

/** Where a log ended once, and the seal of its last batch then, which stands for everything before it. */
export type SealedPoint = { readonly entries: number; readonly seal: string }

/** `last` is null where nothing readable follows. */
export type DamagedRange = readonly [first: number, last: number | null]

/** Opens the batches of an environment up to the entry `until`, or its end. */
export const openReadJournal = <Record>(
  source: Source,
  shelf: ReaderShelf,
  layout: Layout<Record>,
  until?: number,
): ReadJournal<Record> => {
  const { path, glance } = source
  const cache = newBatchCache(bounds.batchCacheBytes)
  const archive = openReadArchive(path, () => glance(() => shelf.get(archiveKey)))
  /** The key of the last value, whatever that is. */
  const lastKey = until ?? sequenceIn(glance(() => shelf.before(Number.MAX_SAFE_INTEGER))) ?? 0

  const batchAt = (sequence: number): OpenBatch => {
    if (archive.has(sequence)) return archive.at(sequence)
    const entry = glance(() => shelf.before(sequence))
    const batch = entry && opened(entry)
    if (batch != null && sequence <= batch.last) return batch
    // A running service may have packed it since.
    if (archive.look(sequence)) return archive.at(sequence)
    throw new DamagedJournal(path, sequence)
  }

  /** The batches of both parts from an entry on; of what cannot be read there is nothing. */
  const slices = function* (start: number): Generator<readonly ReaderEntry[]> {
    for (let next = start; next <= lastKey; ) {
      if (archive.has(next)) {
        yield* archive.slices(next)
        next = archive.end() + 1
        continue
      }
      let isMoved = false
      for (const slice of slicesOf(source, shelf, next, lastKey)) {
        isMoved = archive.look(next)
        if (isMoved) break
        yield slice
        next = slice.reduce((greatest, entry) => Math.max(greatest, sequenceIn(entry) ?? 0), next) + 1
      }
      if (!isMoved) return
    }
  }

  const lastBatch = ((): OpenBatch | null => {
    if (lastKey === 0) return null
    const entry = glance(() => shelf.before(lastKey))
    return entry === undefined ? null : opened(entry)
  })()
  const end = until ?? lastBatch?.last ?? lastKey

  const damagedRanges: ReadJournal<Record>['damagedRanges'] = async (identity, onProgress, since = null) => {
    const ranges: DamagedRange[] = []
    const before = since?.entries ?? 0
    let next = before + 1
    let seal: Buffer | null = since === null ? firstSealOf(identity) : Buffer.from(since.seal, 'base64url')
    for (const slice of slices(next)) {
      for (const entry of slice) {
        const batch = opened(entry)
        // A damaged batch shows as a gap before the next whole one.
        if (batch === null || batch.first < next) continue
        if (batch.first > next) ranges.push([next, batch.first - 1])
        else if (seal !== null && !batch.previous.equals(seal)) ranges.push([batch.first, batch.last])
        next = batch.last + 1
        seal = Buffer.from(batch.seal)
      }
      await onProgress(Math.min(next - 1, end) - before, end - before)
    }
    if (next <= end) ranges.push([next, until ?? null])
    return joined(ranges)
  }

  return {
    path,
    appended: () => end,
    at: (sequence) => {
      const { bytes, first } = cache.find(sequence) ?? cache.keep(batchAt(sequence))
      return unpackFromBatch(layout, bytes, sequence - first)
    },
    replay: function* (after) {
      let next = after + 1
      if (next > end) return
      for (const slice of slices(batchAt(next).first)) {
        for (const entry of slice) {
          const batch = opened(entry)
          if (batch === null || batch.first > next) throw new DamagedJournal(path, next)
          for (; next <= Math.min(batch.last, end); next++)
            yield { sequence: next, record: unpackFromBatch(layout, batch.bytes, next - batch.first) }
        }
      }
      if (next <= end) throw new DamagedJournal(path, next)
    },
    batchAt,
    damagedRanges,
    continues: ({ entries, seal }) => {
      if (entries === 0) return true
      if (entries > end) return false
      const batch = batchAt(entries)
      return batch.last === entries && batch.seal.toString('base64url') === seal
    },
    archived: archive.end,
    unreadable: archive.unreadable,
    isOf: (identity) => {
      try {
        return batchAt(1).previous.equals(firstSealOf(identity))
      } catch (error) {
        if (error instanceof DamagedJournal) return null
        throw error
      }
    },
  }
}

const opened = (entry: ReaderEntry): OpenBatch | null => {
  const first = sequenceIn(entry)
  return first === null ? null : openBatch(entry.value, first)
}

/** Joins adjacent ranges. */
const joined = (ranges: readonly DamagedRange[]): readonly DamagedRange[] => {
  const all: [number, number | null][] = []
  for (const [first, last] of ranges) {
    const before = all.at(-1)
    if (before !== undefined && before[1] === first - 1) before[1] = last
    else all.push([first, last])
  }
  return all
}

/** Ranges in words. */
export const rangeText = ([first, last]: DamagedRange): string =>
  last === null
    ? `entry ${first} and behind it`
    : first === last
      ? `entry ${first}`
      : `entries ${first} to ${last}`
