import { type KeyRun, type newRunWriter, type ReadValue, readBlock } from './key-run.ts'
import { goneFrom, type KeyRecords } from './recent-keys.ts'

/** Sorted records that are read block by block. */
export type KeySource = { readonly blocks: number; readonly read: (block: number) => KeyRecords }

/** The records of a run. */
export const keySourceOf = (run: KeyRun, read: ReadValue): KeySource => ({
  blocks: run.stored.blocks,
  read: (block) => readBlock(run, block, read),
})

/**
 * Makes one run of several sources, the newest of them first. Of the records of one hash and row the newest stays; one that says that the row is gone
 * leaves, too, when no older run can have what it takes back. Ends a step after each block that it reads.
 */
export const mergeRuns = function* (
  sources: readonly KeySource[],
  areOldest: boolean,
  writer: ReturnType<typeof newRunWriter>,
): Generator<void, void, undefined> {
  const readers = sources.map(newReader)
  /** Rows of the present hash that a newer record has spoken for. */
  const spoken = new Map<number, Set<number>>()
  let present = -1
  for (;;) {
    let best: Reader | null = null
    // The first of equal ones is the newest.
    for (const reader of readers)
      if (!reader.isOver && (best === null || reader.hash < best.hash)) best = reader
    if (best === null) return
    const { hash } = best
    if (hash !== present) {
      spoken.clear()
      present = hash
    }
    const { row, more } = best
    const isGone = row >= goneFrom
    const plain = isGone ? row - goneFrom : row
    const rows = spoken.get(more)
    if (rows === undefined) spoken.set(more, new Set([plain]))
    if (rows === undefined || !rows.has(plain)) {
      rows?.add(plain)
      if (!isGone || !areOldest) writer.add(hash, more, row)
    }
    if (best.next()) yield
  }
}

type Reader = ReturnType<typeof newReader>

const newReader = (source: KeySource) => {
  let block = 0
  let at = -1
  let records: KeyRecords | null = null
  const reader = {
    hash: 0,
    more: 0,
    row: 0,
    isOver: false,
    /** Goes on to the next record. Returns whether it read a block. */
    next: (): boolean => {
      let hasRead = false
      at += 1
      if (records === null || at === records.hash.length) {
        if (block === source.blocks) {
          reader.isOver = true
          return false
        }
        records = source.read(block++)
        at = 0
        hasRead = true
      }
      reader.hash = records.hash[at]!
      reader.more = records.more[at]!
      reader.row = records.row[at]!
      return hasRead
    },
  }
  reader.next()
  return reader
}
