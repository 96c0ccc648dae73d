import { bounds } from '../base/bounds.ts'
import { type OpenBatch, sealBatch } from '../codec/sealed-batch.ts'
import { type CopyOptions, copyShelf, type Shelf } from '../disk/shelf.ts'
import type { Batches } from '../journal/batches.ts'

export type LogCopyOptions = Pick<CopyOptions<number>, 'requireRoom'> & {
  readonly onProgress: (done: number, of: number) => Promise<void>
}

/** The batches behind an entry, in the archive and in the journal; none where it is the last. */
export const storedAfter = (batches: Batches, entries: number): Iterable<OpenBatch> =>
  entries >= batches.last() ? [] : batches.from(entries + 1, entries + 1)

/** A part of a shelf, whose values are checked one after the other as they are read. */
export type CopiedStretch<End> = {
  readonly after: number
  /** The last key, where it is known. */
  readonly end: number | null
  /** The value to copy for a stored one; null where the copy ends before it. */
  readonly valueFor: (key: number, stored: Buffer) => Buffer | null
  /** The end of the values read. Throws `Damaged` when something is missing. */
  readonly finish: () => End
}

/** Copies a part of a shelf slice by slice; resolves to its end. */
export const copyStretch = async <End>(
  from: Shelf<number>,
  to: Shelf<number>,
  { after, end, valueFor, finish }: CopiedStretch<End>,
  { requireRoom, onProgress }: LogCopyOptions,
): Promise<End> => {
  await copyShelf(from, to, {
    after,
    ...(end !== null && { end }),
    valueFor,
    requireRoom,
    onSlice: ({ last }) => onProgress(last - after, (end ?? last) - after),
  })
  return finish()
}

/** Reads a part of a shelf, and returns its end. */
export const checkStretch = <End>(
  from: Shelf<number>,
  { after, end, valueFor, finish }: CopiedStretch<End>,
): End => {
  const range = { start: after, exclusiveStart: true, ...(end !== null && { end, inclusiveEnd: true }) }
  for (const { key, value } of from.getRange(range)) if (valueFor(key, value) === null) break
  return finish()
}

/**
 * Copies batches of both parts of a log as a journal stores them. Each slice reads them as they are then: what is packed meanwhile is
 * in the archive at the next.
 */
export const copyBatches = async <End>(
  opened: () => Batches,
  to: Shelf<number>,
  { after, end, valueFor, finish }: CopiedStretch<End>,
  { requireRoom, onProgress }: LogCopyOptions,
): Promise<End> => {
  for (let last = after, isOver = false; !isOver; ) {
    const batches = opened()
    const rows: { readonly key: number; readonly value: Buffer }[] = []
    let bytes = 0
    for (const batch of storedAfter(batches, last)) {
      isOver = end !== null && batch.first > end
      if (isOver) break
      const value = valueFor(batch.first, sealBatch(batch.first, batch.bytes, batch.previous))
      isOver = value === null
      if (value === null) break
      rows.push({ key: batch.first, value })
      bytes += value.length
      last = batch.last
      if (bytes >= bounds.backupSliceBytes) break
    }
    batches.archive.close()
    if (rows.length === 0) break
    requireRoom(bytes)
    await Promise.all(rows.map(({ key, value }) => to.put(key, value)))
    await onProgress(last - after, (end ?? last) - after)
  }
  return finish()
}

/** Reads batches of both parts of a log, and returns their end. */
export const checkBatches = <End>(
  batches: Batches,
  { after, end, valueFor, finish }: CopiedStretch<End>,
): End => {
  for (const { first, bytes, previous } of storedAfter(batches, after)) {
    if (end !== null && first > end) break
    if (valueFor(first, sealBatch(first, bytes, previous)) === null) break
  }
  batches.archive.close()
  return finish()
}
