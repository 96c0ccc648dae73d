import { bounds } from '../base/bounds.ts'
import { sealBatch } from '../codec/sealed-batch.ts'
import { Damaged } from '../disk/damage.ts'
import { DamagedPage } from '../disk/data-file/pages.ts'
import type { ReaderEntry, ReaderShelf } from '../disk/data-file/reader.ts'
import { openSource, type Source, slicesOf } from '../home/source.ts'
import type { BatchDatabase, ReadBatches } from '../journal/batches.ts'

export type CopyOptions = {
  /** Throws when so many bytes must not be written. */
  readonly requireRoom: (bytes: number) => void
  readonly onProgress: (done: number, of: number) => Promise<void>
}

/** Opens an environment of which every page must be what was written; whatever reads it throws `Damaged` otherwise. */
export const openStrictSource = (path: string): Source => {
  const strictly = <Value>(work: () => Value): Value => {
    try {
      return work()
    } catch (error) {
      throw damageOf(path, error)
    }
  }
  const source = strictly(() => openSource(path, 'THROW'))
  return {
    ...source,
    glance: (read) => strictly(() => source.glance(read)),
    view: (read) => strictly(() => source.view(read)),
    viewWhile: (read) =>
      source.viewWhile(read).catch((error: unknown) => {
        throw damageOf(path, error)
      }),
  }
}

const damageOf = (path: string, error: unknown): unknown =>
  error instanceof DamagedPage ? new Damaged(`${path} is damaged: ${error.message}`, { cause: error }) : error

/** A part of a database, whose values are checked one after the other as they are read. */
export type CopiedStretch<End> = {
  readonly after: number
  /** The last key, where it is known. */
  readonly end: number | null
  /** The value to copy for a stored one; null where the copy ends before it. */
  readonly valueFor: (key: number, stored: Buffer) => Buffer | null
  /** The end of the values read. Throws `Damaged` when something is missing. */
  readonly finish: () => End
}

/** Copies a part of a database slice by slice; resolves to its end. */
export const copyStretch = async <End>(
  source: Source,
  from: ReaderShelf,
  to: BatchDatabase,
  stretch: CopiedStretch<End>,
  { requireRoom, onProgress }: CopyOptions,
): Promise<End> => {
  const { after, end } = stretch
  for (const rows of rowsOf(source, from, stretch)) {
    requireRoom(bytesOf(rows))
    await Promise.all(rows.map(({ key, value }) => to.put(key, value)))
    const last = rows.at(-1)!.key
    await onProgress(last - after, (end ?? last) - after)
  }
  return stretch.finish()
}

/** Reads a part of a database, and returns its end. */
export const checkStretch = <End>(source: Source, from: ReaderShelf, stretch: CopiedStretch<End>): End => {
  for (const _ of rowsOf(source, from, stretch));
  return stretch.finish()
}

type Row = { readonly key: number; readonly value: Buffer }

const bytesOf = (rows: readonly Row[]): number => rows.reduce((sum, { value }) => sum + value.length, 0)

/** The values of a part of a database, in slices. */
const rowsOf = function* <End>(
  source: Source,
  from: ReaderShelf,
  { after, end, valueFor }: CopiedStretch<End>,
): Generator<readonly Row[]> {
  for (const slice of slicesOf(source, from, after + 1, end ?? Number.MAX_SAFE_INTEGER)) {
    const { rows, isOver } = checked(slice, valueFor)
    if (rows.length > 0) yield rows
    if (isOver) return
  }
}

const checked = (
  slice: readonly ReaderEntry[],
  valueFor: (key: number, stored: Buffer) => Buffer | null,
): { readonly rows: readonly Row[]; readonly isOver: boolean } => {
  const rows: Row[] = []
  for (const { key, value: stored } of slice) {
    const value = valueFor(key as number, stored)
    if (value === null) return { rows, isOver: true }
    rows.push({ key: key as number, value })
  }
  return { rows, isOver: false }
}

/** Reads the batches of a log as they are at this moment. */
export type ViewBatches = <Value>(read: (batches: ReadBatches) => Value) => Value

/** A batch as a journal stores it. */
type SlicedBatch = { readonly first: number; readonly last: number; readonly value: Buffer }

/** The batches behind an entry, in the archive and in the journal, as many as are read at once; none where it is the last. */
export const sliceAfter = (batches: ReadBatches, entries: number, end: number): readonly SlicedBatch[] => {
  const slice: SlicedBatch[] = []
  let size = 0
  if (entries >= batches.last()) return slice
  for (const { first, last, bytes, previous } of batches.from(entries + 1, entries + 1)) {
    if (first > end || size >= bounds.backupSliceBytes) break
    slice.push({ first, last, value: sealBatch(first, bytes, previous) })
    size += bytes.length
  }
  return slice
}

/**
 * Copies batches of both parts of a log as a journal stores them. Each slice reads them as they are then: what is packed meanwhile is
 * in the archive at the next.
 */
export const copyBatches = async <End>(
  view: ViewBatches,
  to: BatchDatabase,
  stretch: CopiedStretch<End>,
  { requireRoom, onProgress }: CopyOptions,
): Promise<End> => {
  const { after, end } = stretch
  for (const { rows, last } of batchRowsOf(view, stretch)) {
    requireRoom(bytesOf(rows))
    await Promise.all(rows.map(({ key, value }) => to.put(key, value)))
    await onProgress(last - after, (end ?? last) - after)
  }
  return stretch.finish()
}

/** Reads batches of both parts of a log, and returns their end. */
export const checkBatches = <End>(view: ViewBatches, stretch: CopiedStretch<End>): End => {
  for (const _ of batchRowsOf(view, stretch));
  return stretch.finish()
}

const batchRowsOf = function* <End>(
  view: ViewBatches,
  { after, end, valueFor }: CopiedStretch<End>,
): Generator<{ readonly rows: readonly Row[]; readonly last: number }> {
  for (let last = after; ; ) {
    const slice = view((batches) => sliceAfter(batches, last, end ?? Number.POSITIVE_INFINITY))
    const { rows, isOver } = checked(
      slice.map(({ first, value }) => ({ key: first, value })),
      valueFor,
    )
    if (rows.length > 0) {
      last = slice[rows.length - 1]!.last
      yield { rows, last }
    }
    if (isOver || rows.length === 0) return
  }
}
