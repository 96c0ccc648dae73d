import { assert } from '../../engine/shared/assert.ts'
import { type ColumnArray, type ColumnType, decodeColumn, isStored, takeRows } from './column-code.ts'
import { hold, type Pageable, type Pager } from './pager.ts'
import { blocksMax, takeFromBlock } from './row-blocks.ts'

/**
 * Rows as typed arrays, one per column, in segments of a fixed number of rows. A row keeps its number for ever. A segment
 * that a snapshot has stored may leave memory; its columns are then read one by one as they are needed (see `pager.ts`).
 */
export type Columns<Views> = {
  readonly schema: Schema<Views>
  readonly segments: Segment<Views>[]
  readonly paging: SegmentPaging
  /** Rows so far, including rows skipped to keep others together. */
  count: number
  /** The segment that `someRows` took rows of last, and how often in a row. */
  readonly taken: { segment: number; times: number }
}

/** How segments leave memory and come back. */
export type SegmentPaging = {
  readonly pager: Pager
  /** What a snapshot stores beside a segment's columns, each made from its first rows. */
  readonly extras?: readonly ((views: never, rows: number) => Uint8Array)[] | undefined
  /** Called before a whole segment leaves memory. */
  readonly onLeave?: ((segment: number) => void) | undefined
}

/** A segment grows by doubling, so that small tables stay small. Growing replaces its arrays. */
export type Segment<Views> = Pageable & {
  readonly columns: Columns<Views>
  readonly number: number
  /** Its arrays; of one on disk alone, arrays that are read when they are asked for. Null while none was. */
  views: Views | null
  /** The bytes below all arrays, in which rows can change; null while it is on disk alone. */
  bytes: Uint8Array | null
  /** In rows; 0 while it is on disk alone. */
  capacity: number
  /** Whether it changed since the last snapshot, is being stored by one, or is stored. */
  status: 'CHANGED' | 'BEING_STORED' | 'STORED'
  /** The state that a running snapshot still has to write. */
  frozen: Frozen | null
  /** Where the snapshot stores it; null before it does. */
  stored: StoredSegment | null
}

/** A segment as a snapshot found it. Bytes are null while the segment itself still has them. */
export type Frozen = { bytes: Uint8Array | null }

/** The number of a stored value. A small segment is stored in its table's record instead. */
export type StoredSegment = { readonly value: number | null }

/** Names, types and arrays of columns. The number of rows of a full segment is a power of two. */
export type Schema<Views> = {
  readonly rowsPerSegment: number
  /** Shifting a row's number by this many bits gives its segment; the mask leaves its place there. */
  readonly bits: number
  readonly mask: number
  readonly bytesPerRow: number
  readonly types: readonly ColumnType[]
  /** The columns that are stored in blocks of rows, too (see `row-blocks.ts`), and how many rows a block has. */
  readonly blocked: readonly number[]
  readonly rowsPerBlock: number
  /** Describes the meaning of a segment's bytes. */
  readonly description: string
  /** The arrays of a segment that begins at `start`, a multiple of eight, as every capacity is. */
  readonly view: (buffer: ArrayBufferLike, capacity: number, start?: number) => Views
  /** The arrays of a segment on disk, each read when it is asked for. */
  readonly viewStored: (read: (column: number) => ColumnArray) => Views
}

/** Takes the next column of a segment. Wide columns go first, so that every array is aligned. */
export type Take = {
  readonly float64: (name: string) => Float64Array
  /** `width` numbers per row. */
  readonly uint32: (name: string, width?: number) => Uint32Array
  readonly uint16: (name: string) => Uint16Array
  readonly uint8: (name: string) => Uint8Array
}

/** Columns to be stored in blocks of so many rows, too. */
export type InBlocks<Views> = { readonly of: readonly (keyof Views & string)[]; readonly rows: number }

/** Describes columns by a function that takes them in order, and names those for blocks. Rows per segment must be a power of two. */
export const schema = <Views extends object>(
  rowsPerSegment: number,
  columns: (take: Take) => Views,
  inBlocks: InBlocks<Views> = { of: [], rows: rowsPerSegment },
): Schema<Views> => {
  const types: ColumnType[] = []
  const plain = takeFrom(new ArrayBuffer(0), 0, 0)
  const noting: Take = {
    float64: (name) => plain.float64(noted(name, 8)),
    uint32: (name, width = 1) => plain.uint32(noted(name, 4, width)),
    uint16: (name) => plain.uint16(noted(name, 2)),
    uint8: (name) => plain.uint8(noted(name, 1)),
  }
  const noted = (name: string, bytes: ColumnType['bytes'], width = 1): string => {
    types.push({ name, bytes, width })
    return name
  }
  columns(noting)
  assert(types.length < storedParts - extrasMax, 'the parts of a segment have numbers of their own')
  assert(rowsPerSegment <= inBlocks.rows * blocksMax, 'the blocks of a segment have numbers of their own')
  const blocked = inBlocks.of.map((name) => types.findIndex((type) => type.name === name))
  return {
    rowsPerSegment,
    bits: Math.log2(rowsPerSegment),
    mask: rowsPerSegment - 1,
    bytesPerRow: types.reduce((sum, { bytes, width }) => sum + bytes * width, 0),
    types,
    blocked,
    rowsPerBlock: inBlocks.rows,
    description: [
      rowsPerSegment,
      ...types.map(({ name, bytes, width }) => `${name}:${bytes}*${width}`),
      ...(blocked.length > 0 ? [`in blocks of ${inBlocks.rows}: ${inBlocks.of.join()}`] : []),
    ].join(' '),
    view: (buffer, capacity, start = 0) => columns(takeFrom(buffer, capacity, start)),
    viewStored: storedViews(types),
  }
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

/** Makes objects with the columns' names whose arrays are read at first use. */
const storedViews = <Views>(types: readonly ColumnType[]): Schema<Views>['viewStored'] => {
  class StoredViews {
    readonly read: (column: number) => ColumnArray
    readonly known: (ColumnArray | undefined)[] = []
    constructor(read: (column: number) => ColumnArray) {
      this.read = read
    }
  }
  types.forEach(({ name }, column) => {
    Object.defineProperty(StoredViews.prototype, name, {
      enumerable: true,
      get(this: StoredViews) {
        const known = this.known[column]
        if (known !== undefined) return known
        const read = this.read(column)
        this.known[column] = read
        return read
      },
    })
  })
  return (read) => new StoredViews(read) as Views
}

/** The keys of a stored segment's parts: its columns, and extras behind them. */
export const storedParts = 64
const extrasMax = 4
/** The key of a column of the segment that is stored as this value. */
export const columnKey = (value: number, column: number): number => value * storedParts + column
/** The key of a block of the segment that is stored as this value: the number behind is of its blocks. */
export const blockKey = (value: number, block: number): number => columnKey(value + 1, block)
/** The key of an extra. */
export const extraKey = (value: number, extra: number): number => (value + 1) * storedParts - 1 - extra

/** How many blocks a full segment has. */
const blocksIn = ({ blocked, rowsPerSegment, rowsPerBlock }: Schema<unknown>): number =>
  blocked.length === 0 ? 0 : Math.ceil(rowsPerSegment / rowsPerBlock)

/** Columns without rows. */
export const newColumns = <Views>(schema: Schema<Views>, paging: SegmentPaging): Columns<Views> => ({
  schema,
  segments: [],
  paging,
  count: 0,
  taken: { segment: -1, times: 0 },
})

/** The arrays of a segment. */
export const viewsOf = <Views>(columns: Columns<Views>, segment: number): Views => {
  const found = columns.segments[segment]!
  found.isUsed = true
  return found.views ?? viewsOnDisk(found)
}

/** The arrays that hold a row, at index `row & schema.mask`. They are read only: see `touch`. */
export const viewsAt = <Views>(columns: Columns<Views>, row: number): Views =>
  viewsOf(columns, segmentOf(columns.schema, row))

/** The segment of a row. Shifts alone end at four billion rows, which bytes of texts exceed. */
export const segmentOf = ({ bits, rowsPerSegment }: Schema<unknown>, row: number): number =>
  row < 2 ** 32 ? row >>> bits : Math.floor(row / rowsPerSegment)

/** Some rows of a segment: arrays, and where the rows are in them. To be used at once. */
export type SomeRows<Views> = { readonly views: Views; readonly places: Uint16Array }

/**
 * Some rows of a segment, to read what they have in a few columns. Few rows of a segment on disk are taken out of the stored bytes: whole
 * columns would take more work, and the room of others. Where more are wanted soon after, columns are read.
 */
export const someRows = <Views>(
  columns: Columns<Views>,
  segment: number,
  places: Uint16Array,
): SomeRows<Views> =>
  places.length <= fewRows && isTaken(columns, segment)
    ? { views: takenRows(columns, segment, places), places: everyPlace.subarray(0, places.length) }
    : { views: viewsOf(columns, segment), places }

/** One row, as `someRows` gives several. */
export const oneRow = <Views>(
  columns: Columns<Views>,
  row: number,
): { readonly views: Views; readonly place: number } => {
  const { mask } = columns.schema
  const segment = segmentOf(columns.schema, row)
  return isTaken(columns, segment)
    ? { views: takenRows(columns, segment, Uint16Array.of(row & mask)), place: 0 }
    : { views: viewsAt(columns, row), place: row & mask }
}

/** Whether rows of a segment are taken out of the stored bytes; not where many were just before. */
const isTaken = ({ segments, taken }: Columns<unknown>, segment: number): boolean => {
  if (segments[segment]!.bytes !== null) return false
  taken.times = taken.segment === segment ? taken.times + 1 : 1
  taken.segment = segment
  return taken.times <= takenMax
}

const takenRows = <Views>(columns: Columns<Views>, segment: number, places: Uint16Array): Views => {
  const { schema, paging } = columns
  const found = columns.segments[segment]!
  const known = (found.views as { readonly known?: readonly (ColumnArray | undefined)[] } | null)?.known
  const blocks = schema.blocked.length > 0 ? newBlocks(found) : null
  const areBlocked = blocks !== null && spansOf(places, blocks.size) <= fewBlocks
  return schema.viewStored((column) => {
    const type = schema.types[column]!
    const into = newArray(type.bytes, type.width * places.length)
    const blocked = schema.blocked.indexOf(column)
    const array = known?.[column]
    if (array !== undefined) copySome(array, type.width, places, into)
    else if (areBlocked && blocked !== -1) takeBlocked(blocks, blocked, type, places, into)
    else {
      const stored = lateValue(paging.pager, columnKey(found.stored!.value!, column))
      takeRows(stored, type, rowsIn(found), places, into)
    }
    return into
  })
}

/** In how many blocks some rows are, where they are in order; more where they are not. */
const spansOf = (places: Uint16Array, size: number): number => {
  let spans = 0
  let last = -1
  for (const place of places) {
    const block = Math.floor(place / size)
    if (block !== last) spans += 1
    last = block
  }
  return spans
}

/** Blocks of a segment: a search asks several times for the same ones, each time for other columns. */
const newBlocks = (segment: Segment<unknown>) => {
  const { pager } = segment.columns.paging
  const rows = rowsIn(segment)
  const size = segment.columns.schema.rowsPerBlock
  const bytesOf = (block: number): Uint8Array => {
    const { lateBlocks } = pager
    const key = blockKey(segment.stored!.value!, block)
    const known = lateBlocks.get(key)
    if (known !== undefined) return known
    pager.reads += 1
    const stored = pager.read(key)
    if (!isStored(stored, key)) throw new DamagedColumns(key)
    const copy = new Uint8Array(stored)
    lateBlocks.set(key, copy)
    if (lateBlocks.size > lateMax) lateBlocks.delete(lateBlocks.keys().next().value!)
    return copy
  }
  return { size, bytesOf, rowsOf: (block: number) => Math.min(size, rows - block * size) }
}

const takeBlocked = (
  { size, bytesOf, rowsOf }: ReturnType<typeof newBlocks>,
  column: number,
  type: ColumnType,
  places: Uint16Array,
  into: ColumnArray,
): void => {
  for (let n = 0, end = 0; n < places.length; n = end) {
    const block = Math.floor(places[n]! / size)
    while (end < places.length && Math.floor(places[end]! / size) === block) end += 1
    const taken = places.subarray(n, end).map((place) => place % size)
    const target = into.subarray(n * type.width, end * type.width)
    takeFromBlock(bytesOf(block), column, type, rowsOf(block), taken, target)
  }
}

/** Rows in more blocks are taken out of whole columns. */
const fewBlocks = 8

/** A stored value, checked, valid until the next is read. One that is wanted a second time soon is at hand from then on. */
const lateValue = (pager: Pager, key: number): Uint8Array => {
  const { late } = pager
  const known = late.get(key)
  if (known != null) return known
  pager.reads += 1
  const stored = pager.read(key)
  if (!isStored(stored, key)) throw new DamagedColumns(key)
  late.set(key, known === undefined ? null : new Uint8Array(stored))
  if (late.size > lateMax) late.delete(late.keys().next().value!)
  return late.get(key) ?? stored
}

const copySome = (from: ColumnArray, width: number, places: Uint16Array, into: ColumnArray): void => {
  for (let m = 0; m < places.length; m++)
    for (let part = 0; part < width; part++) into[m * width + part] = from[places[m]! * width + part]!
}

const fewRows = 256
const takenMax = 32
const lateMax = 16
const everyPlace = Uint16Array.from({ length: fewRows }, (_, place) => place)

const viewsOnDisk = <Views>(segment: Segment<Views>): Views => {
  const { schema, paging } = segment.columns
  const views = schema.viewStored((column) => {
    const { bytes, width, name } = schema.types[column]!
    // Arrays from before the segment came back read what it has now.
    if (segment.bytes !== null) return (segment.views as Record<string, ColumnArray>)[name]!
    const array = newArray(bytes, width * rowsIn(segment))
    readColumn(segment, column, array)
    if (segment.views === views) hold(paging.pager, segment, array.byteLength)
    return array
  })
  segment.views = views
  return views
}

const newArray = (bytes: ColumnType['bytes'], length: number): ColumnArray => {
  if (bytes === 8) return new Float64Array(length)
  return bytes === 4
    ? new Uint32Array(length)
    : bytes === 2
      ? new Uint16Array(length)
      : new Uint8Array(length)
}

const readColumn = <Views>(segment: Segment<Views>, column: number, into: ColumnArray): void => {
  const { schema, paging } = segment.columns
  const key = columnKey(segment.stored!.value!, column)
  paging.pager.reads += 1
  const isWhole = decodeColumn(paging.pager.read(key), schema.types[column]!, rowsIn(segment), key, into)
  if (!isWhole) throw new DamagedColumns(key)
}

/** Stored columns are not what was written, or missing. The snapshot can be made again from the journal. */
export class DamagedColumns extends Error {
  constructor(key: number) {
    super(`the values of a snapshot are damaged at ${key}`)
  }
}

const rowsIn = ({ columns: { count, schema }, number }: Segment<unknown>): number =>
  Math.min(schema.rowsPerSegment, count - number * schema.rowsPerSegment)

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
    segments.push(newSegment(columns, capacity))
    columns.count = size * (segments.length - 1)
    within = 0
  }
  const segment = segments[segments.length - 1]!
  if (segment.bytes === null) comeBack(segment)
  segment.status = 'CHANGED'
  if (within + rows > segment.capacity) grow(schema, segment, within, within + rows)
  segment.isUsed = true
  columns.count += rows
  return columns.count - rows
}

const emptySegment = <Views>(columns: Columns<Views>, number: number): Segment<Views> => {
  const segment: Segment<Views> = {
    columns,
    number,
    views: null,
    bytes: null,
    capacity: 0,
    status: 'CHANGED',
    frozen: null,
    stored: null,
    isUsed: true,
    held: 0,
    isMember: false,
    leave: () => leave(segment),
  }
  return segment
}

const newSegment = <Views>(columns: Columns<Views>, capacity: number): Segment<Views> => {
  const segment = emptySegment(columns, columns.segments.length)
  giveBytes(segment, capacity)
  return segment
}

const giveBytes = <Views>(segment: Segment<Views>, capacity: number): void => {
  const { schema, paging } = segment.columns
  const bytes = new Uint8Array(capacity * schema.bytesPerRow)
  segment.bytes = bytes
  segment.views = schema.view(bytes.buffer, capacity)
  segment.capacity = capacity
  hold(paging.pager, segment, bytes.length - segment.held)
}

const grow = <Views>(schema: Schema<Views>, segment: Segment<Views>, rows: number, wanted: number): void => {
  const capacity = Math.min(schema.rowsPerSegment, Math.max(2 * segment.capacity, roundUp(wanted)))
  const before = { ...segment }
  giveBytes(segment, capacity)
  copyRows(before, rows, segment.views!)
}

/** The capacity for this many rows. */
const roundUp = (rows: number): number => Math.ceil(rows / firstCapacity) * firstCapacity

const copyRows = <Views>(
  { views, capacity }: Pick<Segment<Views>, 'views' | 'capacity'>,
  rows: number,
  to: Views,
): void => {
  const targets = Object.values(to as object) as Uint8Array[]
  Object.values(views as object).forEach((column: Uint8Array, n) => {
    targets[n]!.set(column.subarray(0, (column.length / capacity) * rows))
  })
}

/** Reads all of a segment again, so that its rows can change. */
const comeBack = <Views>(segment: Segment<Views>): void => {
  const { schema } = segment.columns
  const rows = rowsIn(segment)
  const known = segment.views as { readonly known?: readonly (ColumnArray | undefined)[] } | null
  const capacity = roundUp(rows)
  const bytes = new Uint8Array(capacity * schema.bytesPerRow)
  const views = schema.view(bytes.buffer, capacity)
  schema.types.forEach(({ name }, column) => {
    const into = (views as Record<string, ColumnArray>)[name]!
    const array = known?.known?.[column]
    if (array === undefined) readColumn(segment, column, into)
    else into.set(array)
  })
  segment.bytes = bytes
  segment.views = views
  segment.capacity = capacity
  // So that it does not leave at once.
  segment.status = 'CHANGED'
  hold(segment.columns.paging.pager, segment, bytes.length - segment.held)
}

/** Leaves memory unless it has something that no snapshot has. */
const leave = <Views>(segment: Segment<Views>): boolean => {
  if (segment.bytes !== null) {
    if (segment.status !== 'STORED' || segment.stored?.value == null) return false
    segment.columns.paging.onLeave?.(segment.number)
  }
  segment.bytes = null
  segment.views = null
  segment.capacity = 0
  return true
}

/**
 * Call before changing an existing row in place, and fetch its arrays only afterwards: the segment comes back to memory, and a
 * snapshot that still has to write it gets a copy first.
 */
export const touch = <Views>(columns: Columns<Views>, row: number): void => {
  const segment = columns.segments[segmentOf(columns.schema, row)]!
  if (segment.bytes === null) comeBack(segment)
  segment.status = 'CHANGED'
  segment.isUsed = true
  if (segment.frozen === null) return
  segment.frozen.bytes = new Uint8Array(segment.bytes!)
  segment.frozen = null
}

/**
 * Columns as they are now. Segments changed since the last snapshot are written later, or copied just before they change again.
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
    if (segment.status === 'STORED' && segment.stored?.value !== null) return
    const frozen: Frozen = { bytes: null }
    segment.frozen = frozen
    segment.status = 'BEING_STORED'
    changed.push({
      segment,
      frozen,
      rows: Math.min(schema.rowsPerSegment, count - n * schema.rowsPerSegment),
    })
  })
  return { columns, count, changed }
}

/** The bytes that a frozen segment takes in memory. */
export const frozenBytes = ({ segment, rows }: FrozenSegment): number =>
  roundUp(rows) * segment.columns.schema.bytesPerRow

/** The arrays of a frozen segment, whose first rows are those of the freeze. */
export const frozenViews = ({ segment, frozen }: FrozenSegment): unknown => {
  const { schema } = segment.columns
  if (frozen.bytes === null) return segment.views
  return schema.view(frozen.bytes.buffer, frozen.bytes.length / schema.bytesPerRow)
}

/** Call when a frozen segment is written: from now on it may change. */
export const thaw = ({ segment, frozen }: FrozenSegment): void => {
  if (segment.frozen === frozen) segment.frozen = null
  frozen.bytes = null
}

/** Call when everything that was frozen is on disk. */
export const markStored = ({ changed }: FrozenColumns): void => {
  for (const { segment } of changed) if (segment.status === 'BEING_STORED') segment.status = 'STORED'
}

/** Columns as a snapshot stores them. */
export type StoredColumns = {
  readonly count: number
  /** The value of each segment. */
  readonly values: readonly number[]
  /** The columns of a last segment that is small, each as it would be stored for itself. */
  readonly last: readonly Uint8Array[] | null
}

/** Columns on top of stored ones. Nothing but a small last segment is read. */
export const columnsFrom = <Views>(
  schema: Schema<Views>,
  { count, values, last }: StoredColumns,
  paging: SegmentPaging,
): Columns<Views> => {
  const columns: Columns<Views> = { ...newColumns(schema, paging), count }
  for (const value of values) {
    const segment = emptySegment(columns, columns.segments.length)
    segment.status = 'STORED'
    segment.stored = { value }
    columns.segments.push(segment)
  }
  if (last === null) return columns
  const rows = count - values.length * schema.rowsPerSegment
  const segment = newSegment(columns, roundUp(rows))
  schema.types.forEach((type, column) => {
    const into = (segment.views as Record<string, ColumnArray>)[type.name]!
    if (!decodeColumn(last[column]!, type, rows, column, into)) throw new DamagedColumns(column)
  })
  segment.status = 'STORED'
  segment.stored = { value: null }
  columns.segments.push(segment)
  return columns
}

/** Whether any row changed since the last snapshot. */
export const hasChanged = ({ segments }: Columns<unknown>): boolean =>
  segments.some(({ status }) => status === 'CHANGED')

/** The keys of a segment in the snapshot. */
export const storedKeysOf = ({ columns: { schema }, stored }: Segment<unknown>): number[] => {
  const value = stored?.value ?? null
  if (value === null) return []
  const keys = schema.types.map((_, column) => columnKey(value, column))
  for (let n = 0; n < extrasMax; n++) keys.push(extraKey(value, n))
  for (let n = 0; n < blocksIn(schema); n++) keys.push(blockKey(value, n))
  return keys
}
