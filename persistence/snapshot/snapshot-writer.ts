import { pack } from '../codec/codec.ts'
import {
  copyFrozen,
  type FrozenSegment,
  frozenCapacity,
  type Schema,
  type Segment,
  type StoredSegment,
} from '../index/columns.ts'
import { newTimeSlice } from '../index/time-slice.ts'
import { limits } from '../limits.ts'
import type { FrozenTable, TableSnapshotHead } from './snapshot.ts'

/** Turns what is frozen into values and records, a little at a time. */
export type SnapshotWriter = {
  /** The tableSnapshot's record. Its large segments are on their way to the disk. */
  readonly write: (tableSnapshot: FrozenTable) => Promise<Buffer>
  /** Resolves when all of them are there. */
  readonly end: () => Promise<void>
  /** Gives way to others where this has been going on for long. */
  readonly yieldIfDue: () => Promise<void>
  /** The number of the next value. */
  readonly nextValue: () => number
  /** The values that nothing will refer to. */
  readonly replaced: readonly number[]
}

export type TableSnapshotRecord = {
  readonly head: TableSnapshotHead
  readonly columns: Readonly<Record<string, { readonly count: number; readonly segments: SegmentRecord[] }>>
}
/** Bytes where they are no value of their own. */
type SegmentRecord = StoredSegment & { readonly bytes: Uint8Array | null }

/** Larger segments are values of their own: most accounts are small, and written in one piece. */
const recordedBytesMax = 8192

export const newSnapshotWriter = (
  firstValue: number,
  /** One buffer for all copies: with memory of its own for each, garbage would be collected between them. */
  staging: Buffer,
  put: (value: number, bytes: Buffer) => Promise<unknown>,
): SnapshotWriter => {
  const replaced: number[] = []
  const slice = newTimeSlice(() => performance.now(), limits.sliceMs)
  let nextValue = firstValue
  let staged = 0
  let putting: Promise<unknown>[] = []

  const write = async ({ head, columns }: FrozenTable): Promise<Buffer> => {
    const record: Record<string, { count: number; segments: SegmentRecord[] }> = {}
    for (const [name, { columns: own, count, changed }] of columns) {
      const bytes = new Map<Segment<unknown>, Uint8Array | null>()
      for (const piece of changed) bytes.set(piece.segment, await writeSegment(piece, own.schema))
      const segments = own.segments
        .slice(0, Math.ceil(count / own.schema.rowsPerSegment))
        .map((segment) => ({ ...segment.stored!, bytes: bytes.get(segment) ?? null }))
      record[name] = { count, segments }
    }
    return pack({ head, columns: record } satisfies TableSnapshotRecord)
  }

  /** Copies a segment: into a value, or, where it is small, for the record. */
  const writeSegment = async (piece: FrozenSegment, schema: Schema<unknown>): Promise<Uint8Array | null> => {
    const length = (): number => frozenCapacity(piece, schema) * schema.bytesPerRow
    const isSmall = (): boolean => length() <= recordedBytesMax
    // While this waits the segment may change, and be copied at another length.
    while (staged > 0 && !isSmall() && staged + length() > staging.length) await endTurn()
    const { segment } = piece
    const size = length()
    const value = isSmall() ? null : nextValue++
    if (segment.stored !== null && segment.stored.value !== null) replaced.push(segment.stored.value)
    segment.stored = { value, capacity: frozenCapacity(piece, schema) }
    const isStaged = value !== null && size <= staging.length
    const copy = isStaged ? staging.subarray(staged, staged + size) : Buffer.from(new ArrayBuffer(size))
    copyFrozen(piece, schema, copy)
    if (value === null) return copy
    staged += size
    putting.push(put(value, copy))
    return null
  }

  /** Lets others run, once what was copied is on disk: until then the buffer is not free. */
  const endTurn = async (): Promise<void> => {
    await Promise.all(putting)
    await pause()
    putting = []
    staged = 0
  }

  return {
    write,
    end: endTurn,
    yieldIfDue: async () => {
      if (!slice.isOver()) return
      await pause()
      slice.restart()
    },
    nextValue: () => nextValue,
    replaced,
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
