import { assert } from '../../engine/shared/assert.ts'
import { checksumBytes } from './checksum.ts'

/**
 * Rows as typed arrays, one per column, in segments of a fixed number of rows. A row keeps its number for ever. Each
 * segment is one buffer, so that a snapshot can store it as it is in memory (see `freeze`).
 */
export type Columns<Views> = {
  readonly schema: Schema<Views>
  readonly segments: Segment<Views>[]
  /** Rows so far, including rows skipped to keep others together. */
  count: number
}

/** A segment grows by doubling, so that small tables stay small. Growing replaces its arrays. */
export type Segment<Views> = {
  views: Views
  bytes: Uint8Array
  capacity: number
  /** Whether it changed since the last snapshot. */
  isDirty: boolean
  /** The state that a running snapshot still has to write. */
  frozen: Frozen | null
  /** Where the snapshot stores it. */
  stored: StoredSegment | null
}

/** A segment as a snapshot found it. Bytes are null while the segment itself still has them. */
export type Frozen = { bytes: Uint8Array | null }

/** The number of a stored value and its capacity in rows. A small segment is stored in its table's record instead. */
export type StoredSegment = { readonly value: number | null; readonly capacity: number }

/** Names, types and arrays of columns. The number of rows of a full segment is a power of two. */
export type Schema<Views> = {
  readonly rowsPerSegment: number
  /** Shifting a row's number by this many bits gives its segment; the mask leaves its place there. */
  readonly bits: number
  readonly mask: number
  readonly bytesPerRow: number
  /** Describes the meaning of a segment's bytes. */
  readonly description: string
  /** The arrays of a segment that begins at `start`, a multiple of eight, as every capacity is. */
  readonly view: (buffer: ArrayBufferLike, capacity: number, start?: number) => Views
}

/** Takes the next column of a segment. Wide columns go first, so that every array is aligned. */
export type Take = {
  readonly float64: (name: string) => Float64Array
  /** `width` numbers per row. */
  readonly uint32: (name: string, width?: number) => Uint32Array
  readonly uint16: (name: string) => Uint16Array
  readonly uint8: (name: string) => Uint8Array
}

/** Describes columns by a function that takes them in order. Rows per segment must be a power of two. */
export const schema = <Views extends object>(
  rowsPerSegment: number,
  columns: (take: Take) => Views,
): Schema<Views> => {
  const names: string[] = []
  const plain = takeFrom(new ArrayBuffer(0), 0, 0)
  const naming: Take = {
    float64: (name) => plain.float64(noted(name, 'float64')),
    uint32: (name, width = 1) => plain.uint32(noted(name, `uint32*${width}`)),
    uint16: (name) => plain.uint16(noted(name, 'uint16')),
    uint8: (name) => plain.uint8(noted(name, 'uint8')),
  }
  const noted = (name: string, type: string): string => {
    names.push(`${name}:${type}`)
    return name
  }
  columns(naming)
  return {
    rowsPerSegment,
    bits: Math.log2(rowsPerSegment),
    mask: rowsPerSegment - 1,
    bytesPerRow: names.reduce((sum, name) => sum + bytesOf(name), 0),
    description: `${rowsPerSegment} ${names.join(' ')}`,
    view: (buffer, capacity, start = 0) => columns(takeFrom(buffer, capacity, start)),
  }
}

const bytesOf = (named: string): number => {
  const [, bits, width = 1] = /:[a-z]+(\d+)(?:\*(\d+))?$/.exec(named)!
  return (Number(bits) / 8) * Number(width)
}

const takeFrom = (buffer: ArrayBufferLike, capacity: number, start: number): Take => {
  let at = start
  const next = (bytes: number): number => {
    at += bytes * capacity
    return at - bytes * capacity
  }
  return {
    float64: () => new Float64Array(buffer, next(8), capacity),
    uint32: (_, width = 1) => new Uint32Array(buffer, next(4 * width), width * capacity),
    uint16: () => new Uint16Array(buffer, next(2), capacity),
    uint8: () => new Uint8Array(buffer, next(1), capacity),
  }
}

/** Columns without rows. */
export const newColumns = <Views>(schema: Schema<Views>): Columns<Views> => ({
  schema,
  segments: [],
  count: 0,
})

/** The arrays that hold a row, at index `row & schema.mask`. */
export const viewsAt = <Views>(columns: Columns<Views>, row: number): Views =>
  columns.segments[row >>> columns.schema.bits]!.views

const firstCapacity = 16

/**
 * Makes room for new rows, all in one segment, the last one. Returns the number of the first. New rows do not count as
 * changes to a snapshot under way, which knows how many rows there were.
 */
export const append = <Views>(columns: Columns<Views>, rows = 1): number => {
  const { schema, segments } = columns
  const size = schema.rowsPerSegment
  let within = columns.count & schema.mask
  if (within + rows > size || (within === 0 && columns.count === size * segments.length)) {
    assert(rows <= size, 'rows that belong together fit into a segment')
    // The first segment is as small as its rows; later ones may soon be full.
    const capacity = segments.length === 0 ? firstCapacity : size / 4
    segments.push(segmentOn(schema, new Uint8Array(capacity * schema.bytesPerRow), capacity, null))
    columns.count = size * (segments.length - 1)
    within = 0
  }
  const segment = segments[segments.length - 1]!
  if (within + rows > segment.capacity) grow(schema, segment, within, within + rows)
  segment.isDirty = true
  columns.count += rows
  return columns.count - rows
}

const segmentOn = <Views>(
  schema: Schema<Views>,
  bytes: Uint8Array,
  capacity: number,
  stored: StoredSegment | null,
): Segment<Views> => {
  const views = schema.view(bytes.buffer, capacity, bytes.byteOffset)
  return { views, bytes, capacity, isDirty: stored === null, frozen: null, stored }
}

const grow = <Views>(schema: Schema<Views>, segment: Segment<Views>, rows: number, wanted: number): void => {
  const capacity = Math.min(schema.rowsPerSegment, Math.max(2 * segment.capacity, roundUp(wanted)))
  const bytes = new Uint8Array(capacity * schema.bytesPerRow)
  const views = schema.view(bytes.buffer, capacity)
  copyRows(segment, rows, views)
  segment.views = views
  segment.bytes = bytes
  segment.capacity = capacity
}

/** The capacity for this many rows. */
const roundUp = (rows: number): number => Math.ceil(rows / firstCapacity) * firstCapacity

const copyRows = <Views>(segment: Segment<Views>, rows: number, to: Views): void => {
  const targets = Object.values(to as object) as Uint8Array[]
  Object.values(segment.views as object).forEach((column: Uint8Array, n) => {
    targets[n]!.set(column.subarray(0, (column.length / segment.capacity) * rows))
  })
}

/** Call before changing an existing row in place: a snapshot that still has to write the segment gets a copy first. */
export const touch = <Views>(segment: Segment<Views>): void => {
  segment.isDirty = true
  if (segment.frozen === null) return
  segment.frozen.bytes = new Uint8Array(segment.bytes)
  segment.frozen = null
}

/**
 * Columns as they are now. Segments changed since the last snapshot are copied later, or just before they change again.
 */
export type FrozenColumns = {
  readonly columns: Columns<unknown>
  readonly count: number
  readonly changed: readonly FrozenSegment[]
}

export type FrozenSegment = {
  readonly segment: Segment<unknown>
  readonly frozen: Frozen
  /** The number of rows at the freeze. */
  readonly rows: number
}

/** Freezes columns for a snapshot: remembers which segments it has to write. */
export const freeze = (columns: Columns<unknown>): FrozenColumns => {
  const { schema, segments, count } = columns
  const changed: FrozenSegment[] = []
  segments.forEach((segment, n) => {
    // Segments stored in the record are written with it.
    if (!segment.isDirty && segment.stored?.value !== null) return
    const frozen: Frozen = { bytes: null }
    segment.frozen = frozen
    segment.isDirty = false
    changed.push({
      segment,
      frozen,
      rows: Math.min(schema.rowsPerSegment, count - n * schema.rowsPerSegment),
    })
  })
  return { columns, count, changed }
}

/** The capacity in rows of a frozen segment as stored; the segment itself may have room for more. */
export const frozenCapacity = ({ frozen, rows }: FrozenSegment, { bytesPerRow }: Schema<unknown>): number =>
  frozen.bytes === null ? roundUp(rows) : frozen.bytes.length / bytesPerRow

/** Copies a frozen segment into a buffer of that capacity. Afterwards the segment may change. */
export const copyFrozen = (
  { segment, frozen, rows }: FrozenSegment,
  schema: Schema<unknown>,
  into: Uint8Array,
): void => {
  if (frozen.bytes !== null) into.set(frozen.bytes)
  else {
    if (rows < roundUp(rows)) into.fill(0)
    copyRows(segment, rows, schema.view(into.buffer, roundUp(rows), into.byteOffset))
  }
  if (segment.frozen === frozen) segment.frozen = null
  frozen.bytes = null
}

/** Columns as a snapshot stores them. */
export type StoredColumns = {
  readonly count: number
  readonly segments: readonly (StoredSegment & { readonly bytes: Uint8Array })[]
}

/** Columns on top of stored bytes. */
export const columnsFrom = <Views>(
  schema: Schema<Views>,
  { count, segments }: StoredColumns,
): Columns<Views> => ({
  schema,
  count,
  segments: segments.map(({ value, capacity, bytes }) => {
    assert(bytes.length === capacity * schema.bytesPerRow, 'a stored segment has the size of its columns')
    return segmentOn(schema, ownBytes(bytes), capacity, { value, capacity })
  }),
})

/**
 * Bytes that no other value shares. Large values are read into a buffer of their own, behind their checksum; copying them would take half of
 * a start's time, and leave as much memory behind.
 */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteOffset % 8 === 0 && bytes.buffer.byteLength - bytes.length <= checksumBytes
    ? bytes
    : new Uint8Array(bytes)
