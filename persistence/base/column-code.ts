import { crc32 } from 'node:zlib'

/**
 * Stored columns of one segment: a column whose numbers are all the same takes 24 bytes; others are stored as
 * differences from their lowest number, in as few bytes as the max difference takes. Columns of several numbers per row are
 * stored as that many columns.
 */

export type ColumnArray = Float64Array | Uint32Array | Uint16Array | Uint8Array

/** The type of a column: bytes of a number, whether it is a double, and numbers per row. */
export type ColumnType = {
  readonly name: string
  readonly bytes: 1 | 2 | 4 | 8
  readonly width: number
}

/** Checksum, way of storing and lowest number: the head of each part. */
const headBytes = 16

// How the numbers behind a head are stored: not at all, as they are, or as differences of 1, 2 or 4 bytes.
const constant = 0
const plain = 3
const narrow = { 1: 4, 2: 5, 4: 6 } as const
/** The same with `never`, infinity, as the max difference. */
const withNever = { 1: 7, 2: 8, 4: 9 } as const

/** Room for the stored form of a column. */
export const storedBytesMax = ({ bytes, width }: ColumnType, rows: number): number =>
  width * (headBytes + roundedUp(bytes * rows))

const roundedUp = (bytes: number): number => (bytes + 7) & ~7

/** Writes the first rows of a column into `into`, which is aligned to eight bytes. Returns the bytes written. */
export const encodeColumn = (
  column: ColumnArray,
  type: ColumnType,
  rows: number,
  key: number,
  into: Uint8Array,
): number => {
  const at = encodePlain(column, type, rows, into)
  sealInto(into.subarray(0, at), key)
  return at
}

/** The same without a checksum: something around it has one. */
export const encodePlain = (
  column: ColumnArray,
  { bytes, width }: ColumnType,
  rows: number,
  into: Uint8Array,
): number => {
  let at = 0
  for (let part = 0; part < width; part++) at += encodePart(column, part, width, bytes, rows, into, at)
  return at
}

/** Writes the checksum of bytes that have room for it at their start. */
export const sealInto = (bytes: Uint8Array, key: number): void =>
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, crcOf(bytes.subarray(4), key), true)

const encodePart = (
  column: ColumnArray,
  part: number,
  width: number,
  bytes: number,
  rows: number,
  into: Uint8Array,
  at: number,
): number => {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let hasNever = false
  let areWhole = true
  const end = rows * width
  for (let n = part; n < end; n += width) {
    const value = column[n]!
    if (value === Number.POSITIVE_INFINITY) hasNever = true
    else {
      if (value < min) min = value
      if (value > max) max = value
      if (bytes === 8 && Math.floor(value) !== value) areWhole = false
    }
  }
  const head = new DataView(into.buffer, into.byteOffset + at, headBytes)
  head.setUint32(0, 0, true)
  head.setUint32(4, 0, true)
  const isAllNever = hasNever && min === Number.POSITIVE_INFINITY
  if (rows === 0 || isAllNever || (!hasNever && min === max)) {
    head.setUint8(4, constant)
    head.setFloat64(8, rows === 0 ? 0 : isAllNever ? Number.POSITIVE_INFINITY : min, true)
    return headBytes
  }
  const codes = max - min + (hasNever ? 1 : 0)
  const size = codes < 256 ? 1 : codes < 65_536 ? 2 : codes < 4_294_967_296 ? 4 : 8
  head.setFloat64(8, min, true)
  const start = into.byteOffset + at + headBytes
  if (!areWhole || size >= bytes) {
    head.setUint8(4, plain)
    const to = arrayOn(bytes as 8, into.buffer, start, rows)
    for (let n = part, m = 0; m < rows; n += width, m++) to[m] = column[n]!
    return headBytes + roundedUp(bytes * rows)
  }
  const width4 = size as 1 | 2 | 4
  head.setUint8(4, hasNever ? withNever[width4] : narrow[width4])
  const to = arrayOn(width4, into.buffer, start, rows)
  if (hasNever) {
    const last = 2 ** (8 * width4) - 1
    for (let n = part, m = 0; m < rows; n += width, m++) {
      const value = column[n]!
      to[m] = value === Number.POSITIVE_INFINITY ? last : value - min
    }
  } else for (let n = part, m = 0; m < rows; n += width, m++) to[m] = column[n]! - min
  return headBytes + roundedUp(width4 * rows)
}

/** Reads the first rows of a column into an array. Returns whether the bytes are those stored under this key. */
export const decodeColumn = (
  stored: Uint8Array,
  type: ColumnType,
  rows: number,
  key: number,
  into: ColumnArray,
): boolean => {
  if (!isStored(stored, key)) return false
  // The arrays on top of it must be aligned.
  const bytes = stored.byteOffset % 8 === 0 ? stored : new Uint8Array(stored)
  let at = 0
  for (let part = 0; part < type.width; part++) at += decodePart(bytes, at, type, part, rows, into)
  return true
}

const decodePart = (
  stored: Uint8Array,
  at: number,
  { bytes, width }: ColumnType,
  part: number,
  rows: number,
  into: ColumnArray,
): number => {
  const head = new DataView(stored.buffer, stored.byteOffset + at, headBytes)
  const way = head.getUint8(4)
  const min = head.getFloat64(8, true)
  if (way === constant) {
    if (width === 1) into.fill(min, 0, rows)
    else for (let n = part, m = 0; m < rows; n += width, m++) into[n] = min
    return headBytes
  }
  const size = sizeOf(way, bytes)
  const from = arrayOn(size, stored.buffer, stored.byteOffset + at + headBytes, rows)
  if (way === plain && width === 1) into.set(from)
  else if (way === plain) for (let n = part, m = 0; m < rows; n += width, m++) into[n] = from[m]!
  else widen(from, min, neverCodeOf(way, size), part, width, into)
  return headBytes + roundedUp(size * rows)
}

/** Takes some rows out of a stored column of so many, which was checked, into an array. */
export const takeRows = (
  stored: Uint8Array,
  { bytes, width }: ColumnType,
  rows: number,
  taken: Uint16Array,
  into: ColumnArray,
): void => {
  let at = 0
  for (let part = 0; part < width; part++) {
    const view = new DataView(stored.buffer, stored.byteOffset + at)
    const way = view.getUint8(4)
    const min = view.getFloat64(8, true)
    if (way === constant) {
      for (let n = part, m = 0; m < taken.length; n += width, m++) into[n] = min
      at += headBytes
    } else {
      const size = sizeOf(way, bytes)
      for (let n = part, m = 0; m < taken.length; n += width, m++) {
        const code = numberAt(view, headBytes + size * taken[m]!, size, way === plain && bytes === 8)
        into[n] =
          way === plain ? code : code === neverCodeOf(way, size) ? Number.POSITIVE_INFINITY : min + code
      }
      at += headBytes + roundedUp(size * rows)
    }
  }
}

const numberAt = (view: DataView, at: number, size: 1 | 2 | 4 | 8, isDouble: boolean): number => {
  if (isDouble) return view.getFloat64(at, true)
  if (size === 1) return view.getUint8(at)
  return size === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
}

/** The bytes of each number behind a head. */
const sizeOf = (way: number, bytes: ColumnType['bytes']): 1 | 2 | 4 | 8 =>
  way === plain ? bytes : ([1, 2, 4] as const)[(way - narrow[1]) % 3]!

/** What stands for `never`; -1 where nothing does. */
const neverCodeOf = (way: number, size: number): number => (way >= withNever[1] ? 2 ** (8 * size) - 1 : -1)

const widen = (
  from: ColumnArray,
  min: number,
  neverCode: number,
  part: number,
  width: number,
  into: ColumnArray,
): void => {
  const { length } = from
  if (neverCode === -1 && width === 1) for (let m = 0; m < length; m++) into[m] = min + from[m]!
  else if (neverCode === -1) for (let n = part, m = 0; m < length; n += width, m++) into[n] = min + from[m]!
  else
    for (let n = part, m = 0; m < length; n += width, m++)
      into[n] = from[m] === neverCode ? Number.POSITIVE_INFINITY : min + from[m]!
}

/** The number that all rows of a stored column have, where they have one; undefined otherwise. */
export const constantOf = (stored: Uint8Array, { width }: ColumnType): number | undefined => {
  if (width > 1 || stored[4] !== constant) return undefined
  return new DataView(stored.buffer, stored.byteOffset).getFloat64(8, true)
}

/** Whether stored bytes are those written under this key. */
export const isStored = (stored: Uint8Array, key: number): boolean =>
  stored.length >= 4 &&
  new DataView(stored.buffer, stored.byteOffset).getUint32(0, true) === crcOf(stored.subarray(4), key)

/** Other bytes as they are stored: behind a checksum that covers the key too. */
export const sealBytes = (bytes: Uint8Array, key: number): Buffer => {
  const sealed = Buffer.alloc(sealedHeadBytes + bytes.length)
  sealed.set(bytes, sealedHeadBytes)
  sealed.writeUInt32LE(crcOf(sealed.subarray(4), key), 0)
  return sealed
}

/** Eight, so that what follows is aligned. */
export const sealedHeadBytes = 8

const crcOf = (bytes: Uint8Array, key: number): number => crc32(bytes, key >>> 0)

const arrayOn = (
  bytes: 1 | 2 | 4 | 8,
  buffer: ArrayBufferLike,
  start: number,
  length: number,
): ColumnArray => {
  switch (bytes) {
    case 1:
      return new Uint8Array(buffer, start, length)
    case 2:
      return new Uint16Array(buffer, start, length)
    case 4:
      return new Uint32Array(buffer, start, length)
    default:
      return new Float64Array(buffer, start, length)
  }
}
