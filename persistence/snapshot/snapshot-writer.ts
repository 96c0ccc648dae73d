import { bounds } from '../base/bounds.ts'
import {
  copyFrozen,
  type FrozenSegment,
  frozenCapacity,
  type Schema,
  type Segment,
  type StoredSegment,
} from '../base/columns.ts'
import { nextTurn } from '../base/delay.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import { pack } from '../codec/codec.ts'
import type { FrozenTable, TableSnapshotHead } from './snapshot.ts'

export type TableSnapshotRecord = {
  readonly head: TableSnapshotHead
  readonly columns: Readonly<Record<string, { readonly count: number; readonly segments: SegmentRecord[] }>>
}
/** Bytes only if the segment is stored in the record. */
type SegmentRecord = StoredSegment & { readonly bytes: Uint8Array | null }

/** Larger segments are stored as values of their own: most accounts are small, and written in one piece. */
const recordedBytesMax = 8192

/** Turns frozen columns into stored values, from `firstValue` on, and records: in slices, through one staging buffer. */
export const newSnapshotWriter = (
  firstValue: number,
  /** One buffer for all copies: allocating each would cause garbage collections in between. */
  staging: Buffer,
  put: (value: number, bytes: Buffer) => Promise<unknown>,
) => {
  /** Values that nothing will refer to any more. */
  const replaced: number[] = []
  const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
  let nextValue = firstValue
  let staged = 0
  let putting: Promise<unknown>[] = []

  /** Returns the record. Large segments are on their way to the disk. */
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

  /** Copies a segment into a value, or returns its bytes for the record if it is small. */
  const writeSegment = async (piece: FrozenSegment, schema: Schema<unknown>): Promise<Uint8Array | null> => {
    const length = (): number => frozenCapacity(piece, schema) * schema.bytesPerRow
    const isSmall = (): boolean => length() <= recordedBytesMax
    // While this waits, the segment may change and be copied at another length.
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

  /** Yields once all copies are on disk: until then the buffer is in use. */
  const endTurn = async (): Promise<void> => {
    await Promise.all(putting)
    await nextTurn()
    putting = []
    staged = 0
  }

  return {
    write,
    /** Resolves when all segments are on disk. */
    end: endTurn,
    /** Yields if this has run for long. */
    yieldIfDue: async (): Promise<void> => {
      if (!slice.isOver()) return
      await nextTurn()
      slice.restart()
    },
    /** The number of the next value. */
    nextValue: () => nextValue,
    replaced,
  }
}
