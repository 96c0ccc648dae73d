import { HistoryUnavailable } from '../../engine/kernel/unavailable.ts'
import { openArchive } from '../archive/archive.ts'
import { rangesIn } from '../archive/files.ts'
import { archiveOf } from '../archive/format.ts'
import { bounds } from '../base/bounds.ts'
import { firstSealOf, type OpenBatch, sealBatch } from '../codec/sealed-batch.ts'
import type { ReaderEntry } from '../disk/data-file/reader.ts'
import { DamagedJournal, readArchiveEnd } from '../journal/batches.ts'
import { identityAt } from '../journal/identity.ts'

/** The archive of a journal that is read and never written. `record` reads the journal's record of where it ends now. */
export const openReadArchive = (journalPath: string, record: () => Buffer | undefined) => {
  const none = { sequence: 0, seal: firstSealOf(identityAt(journalPath)) }
  const read = () => readArchiveEnd(journalPath, record()) ?? none
  let end = read()
  const path = archiveOf(journalPath)
  const archive = openArchive(path, identityAt(journalPath), () => end)
  const unreadable = new Set<string>()

  const failed = (error: unknown): void => {
    if (!(error instanceof HistoryUnavailable)) throw error
    unreadable.add(error.message)
  }

  /** The entry behind a file that cannot be read. */
  const behind = (sequence: number): number => {
    try {
      const file = rangesIn(path).find(({ first, last }) => first <= sequence && sequence <= last)
      return (file?.last ?? end.sequence) + 1
    } catch {
      return end.sequence + 1
    }
  }

  return {
    end: () => end.sequence,
    has: (sequence: number): boolean => sequence <= end.sequence,
    /** Whether an entry is in the archive, as the journal says now. */
    look: (sequence: number): boolean => {
      end = read()
      return sequence <= end.sequence
    },
    /** The batch with an entry. Throws `DamagedJournal` where it cannot be read. */
    at: (sequence: number): OpenBatch => {
      try {
        return archive.at(sequence)
      } catch (error) {
        failed(error)
        throw new DamagedJournal(path, sequence, error)
      }
    },
    /** The batches from one with an entry to the end, as a journal stores them; without those of files that cannot be read. */
    slices: function* (sequence: number): Generator<readonly ReaderEntry[]> {
      for (let next = sequence; next <= end.sequence; ) {
        let slice: ReaderEntry[] = []
        let bytes = 0
        try {
          for (const batch of archive.from(next)) {
            slice.push({ key: batch.first, value: sealBatch(batch.first, batch.bytes, batch.previous) })
            bytes += batch.bytes.length
            next = batch.last + 1
            if (bytes < bounds.backupSliceBytes) continue
            yield slice
            slice = []
            bytes = 0
          }
        } catch (error) {
          failed(error)
          next = behind(next)
        }
        if (slice.length > 0) yield slice
      }
    },
    unreadable: (): readonly string[] => [...unreadable],
  }
}
