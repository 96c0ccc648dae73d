import { bounds } from '../base/bounds.ts'
import { type ColumnArray, encodeColumn, sealBytes, storedBytesMax } from '../base/column-code.ts'
import {
  blockKey,
  columnKey,
  extraKey,
  type FrozenSegment,
  frozenBytes,
  frozenViews,
  type Segment,
  storedKeysOf,
  thaw,
} from '../base/columns.ts'
import { nextTurn } from '../base/delay.ts'
import type { KeyRun } from '../base/keys/key-run.ts'
import type { RunWork } from '../base/keys/keys.ts'
import { blockBytesMax, encodeBlock } from '../base/row-blocks.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import { pack } from '../codec/codec.ts'
import type { FrozenTable, TableSnapshotHead } from './snapshot.ts'

export type TableSnapshotRecord = {
  readonly head: TableSnapshotHead
  readonly columns: Readonly<Record<string, StoredColumnsRecord>>
}
export type StoredColumnsRecord = {
  readonly count: number
  /** The value of each segment, as doubles. */
  readonly values: Uint8Array
  /** The columns of a last segment that is stored here. */
  readonly last: readonly Uint8Array[] | null
}

/** Larger segments are stored as values of their own: most accounts are small, and written in one piece. */
const recordedBytesMax = 8192

/** Hands out the numbers of values. */
export type ValueNumbers = { next: number }

/** Turns frozen columns into stored values and records: in slices, through one staging buffer. */
export const newSnapshotWriter = (
  numbers: ValueNumbers,
  /** One buffer for all copies: allocating each would cause garbage collections in between. */
  staging: Buffer,
  put: (key: number, bytes: Buffer) => Promise<unknown>,
  requireSpace: (bytes: number) => void,
  stopwatch: () => number = () => performance.now(),
) => {
  /** Keys that nothing will refer to any more. */
  const replaced: number[] = []
  const slice = newTimeSlice(stopwatch, bounds.sliceMs)
  let staged = 0
  let putting: Promise<unknown>[] = []

  /** Returns the record. Large segments are on their way to the disk. */
  const write = async ({ head, columns }: FrozenTable): Promise<Buffer> => {
    const record: Record<string, StoredColumnsRecord> = {}
    for (const [name, { columns: own, count, changed }] of columns) {
      let last: Uint8Array[] | null = null
      for (const piece of changed) {
        if (frozenBytes(piece) <= recordedBytesMax) last = recordSegment(piece)
        else await writeSegment(piece)
      }
      const values = own.segments
        .slice(0, Math.ceil(count / own.schema.rowsPerSegment))
        .flatMap((segment) => segment.stored?.value ?? [])
      record[name] = { count, values: new Uint8Array(Float64Array.from(values).buffer), last }
    }
    return pack({ head, columns: record } satisfies TableSnapshotRecord)
  }

  const replace = (segment: Segment<unknown>, value: number | null): void => {
    replaced.push(...storedKeysOf(segment))
    segment.stored = { value }
  }

  /** The columns of a small segment, for the record. */
  const recordSegment = (piece: FrozenSegment): Uint8Array[] => {
    const { types } = piece.segment.columns.schema
    const views = frozenViews(piece) as Record<string, ColumnArray>
    replace(piece.segment, null)
    const columns = types.map((type, column) => {
      const into = new Uint8Array(storedBytesMax(type, piece.rows))
      return into.subarray(0, encodeColumn(views[type.name]!, type, piece.rows, column, into))
    })
    thaw(piece)
    return columns
  }

  /** Writes a segment's columns as values of their own. */
  const writeSegment = async (piece: FrozenSegment): Promise<void> => {
    const { segment, rows } = piece
    const { schema, paging } = segment.columns
    const blockRows = schema.rowsPerBlock
    const blockTypes = schema.blocked.map((column) => schema.types[column]!)
    const blocks = blockTypes.length === 0 ? 0 : Math.ceil(rows / blockRows)
    const size =
      schema.types.reduce((sum, type) => sum + storedBytesMax(type, rows), 0) +
      blocks * blockBytesMax(blockTypes, blockRows)
    if (staged > 0 && staged + size > staging.length) await endTurn()
    requireSpace(size)
    const value = numbers.next
    numbers.next += blocks === 0 ? 1 : 2
    // Taken for each column anew: a segment that changes meanwhile leaves its frozen state in a copy.
    const views = (): Record<string, ColumnArray> => frozenViews(piece) as Record<string, ColumnArray>
    for (const [column, type] of schema.types.entries()) {
      const key = columnKey(value, column)
      const into = staging.subarray(staged)
      const length = encodeColumn(views()[type.name]!, type, rows, key, into)
      putting.push(put(key, staging.subarray(staged, staged + length)))
      staged += length
      await yieldIfDue()
    }
    for (let block = 0; block < blocks; block++) {
      const key = blockKey(value, block)
      const first = block * blockRows
      const into = staging.subarray(staged)
      const columns = blockTypes.map(({ name }) => views()[name]!)
      const length = encodeBlock(columns, blockTypes, first, Math.min(blockRows, rows - first), key, into)
      putting.push(put(key, staging.subarray(staged, staged + length)))
      staged += length
      await yieldIfDue()
    }
    for (const [n, extraOf] of (paging.extras ?? []).entries()) {
      const key = extraKey(value, n)
      putting.push(put(key, sealBytes(extraOf(views() as never, rows), key)))
      await yieldIfDue()
    }
    replace(segment, value)
    thaw(piece)
  }

  /** Writes a run of keys, from the number of values that it takes at most; null when it was stopped. */
  const writeRun = async (
    write: RunWork,
    valuesMax: number,
    isStopped: () => boolean = () => false,
  ): Promise<KeyRun | null> => {
    const value = numbers.next
    numbers.next += valuesMax
    const work = write(value, (key, bytes) => void putting.push(put(key, bytes)))
    for (;;) {
      if (isStopped()) return null
      const { done, value: run } = work.next()
      if (done) {
        await endTurn()
        return run
      }
      if (putting.length > runPutsMax) await endTurn()
      await yieldIfDue()
    }
  }

  /** Yields once all copies are on disk: until then the buffer is in use. */
  const endTurn = async (): Promise<void> => {
    await Promise.all(putting)
    await nextTurn()
    putting = []
    staged = 0
  }

  /** Yields if this has run for long. */
  const yieldIfDue = async (): Promise<void> => {
    if (!slice.isOver()) return
    await nextTurn()
    slice.restart()
  }

  return {
    write,
    writeRun,
    /** Resolves when all segments are on disk. */
    end: endTurn,
    yieldIfDue,
    replaced,
  }
}

/** Blocks of a run on their way to the disk at once. */
const runPutsMax = 512
