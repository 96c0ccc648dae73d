/**
 * An id without its prefix as four 32-bit numbers, most significant first: 26 characters of Crockford's base32 are 128
 * bits when the first is at most 7, as in every ULID. Packed ids sort like their texts.
 */
export type PackedId = Uint32Array

const chars = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const noValue = 255
const values = new Uint8Array(128).fill(noValue)
for (let n = 0; n < chars.length; n++) values[chars.charCodeAt(n)] = n

/** The packed id, overwritten by the next call; null for a malformed text, which no actor can have as its id. */
export const packId = (prefix: string, id: string): PackedId | null => {
  // A turn asks for the same id many times.
  if (id === lastId && prefix === lastPrefix) return packed
  const start = prefix.length + 1
  if (id.length !== start + 26 || id.charCodeAt(start - 1) !== underscore || !id.startsWith(prefix))
    return null
  let all = 0
  for (let n = 0; n < 26; n++) {
    const code = id.charCodeAt(start + n)
    const value = code < 128 ? values[code]! : noValue
    all |= value
    digits[n] = value
  }
  if (all > 31 || digits[0]! > 7) return null
  const d = digits
  packed[0] =
    (d[0]! << 29) | (d[1]! << 24) | (d[2]! << 19) | (d[3]! << 14) | (d[4]! << 9) | (d[5]! << 4) | (d[6]! >> 1)
  packed[1] =
    (d[6]! << 31) |
    (d[7]! << 26) |
    (d[8]! << 21) |
    (d[9]! << 16) |
    (d[10]! << 11) |
    (d[11]! << 6) |
    (d[12]! << 1) |
    (d[13]! >> 4)
  packed[2] =
    (d[13]! << 28) |
    (d[14]! << 23) |
    (d[15]! << 18) |
    (d[16]! << 13) |
    (d[17]! << 8) |
    (d[18]! << 3) |
    (d[19]! >> 2)
  packed[3] =
    (d[19]! << 30) |
    (d[20]! << 25) |
    (d[21]! << 20) |
    (d[22]! << 15) |
    (d[23]! << 10) |
    (d[24]! << 5) |
    d[25]!
  lastId = id
  lastPrefix = prefix
  return packed
}

const underscore = 95
// The digits of the id packed last.
const digits = new Uint8Array(26)
const packed: PackedId = new Uint32Array(4)
let lastId = ''
let lastPrefix = ''

const pairs = Array.from({ length: 1024 }, (_, n) => chars[n >> 5]! + chars[n & 31]!)

/** The id at a place in a column of packed ids, four numbers each. */
export const idAt = (prefix: string, ids: Uint32Array, row: number): string => {
  const a = ids[4 * row]!
  const b = ids[4 * row + 1]!
  const c = ids[4 * row + 2]!
  const d = ids[4 * row + 3]!
  return `${prefix}_${pairs[a >>> 24]!}${pairs[(a >>> 14) & 1023]!}${pairs[(a >>> 4) & 1023]!}${pairs[((a & 15) << 6) | (b >>> 26)]!}${pairs[(b >>> 16) & 1023]!}${pairs[(b >>> 6) & 1023]!}${pairs[((b & 63) << 4) | (c >>> 28)]!}${pairs[(c >>> 18) & 1023]!}${pairs[(c >>> 8) & 1023]!}${pairs[((c & 255) << 2) | (d >>> 30)]!}${pairs[(d >>> 20) & 1023]!}${pairs[(d >>> 10) & 1023]!}${pairs[d & 1023]!}`
}

/** Negative when the first id comes before the second. */
export const compareIds = (a: Uint32Array, rowA: number, b: Uint32Array, rowB: number): number => {
  for (let n = 0; n < 4; n++) {
    const difference = a[4 * rowA + n]! - b[4 * rowB + n]!
    if (difference !== 0) return difference
  }
  return 0
}

/** Writes a packed id at a place in a column. */
export const writeId = (ids: Uint32Array, row: number, packed: PackedId): void => {
  ids[4 * row] = packed[0]!
  ids[4 * row + 1] = packed[1]!
  ids[4 * row + 2] = packed[2]!
  ids[4 * row + 3] = packed[3]!
}

/** Whether the id at a place is this one. */
export const isIdAt = (ids: Uint32Array, row: number, packed: PackedId): boolean =>
  ids[4 * row + 3] === packed[3] &&
  ids[4 * row + 2] === packed[2] &&
  ids[4 * row + 1] === packed[1] &&
  ids[4 * row] === packed[0]

/** 32 well mixed bits of the id at a place. */
export const hashAt = (ids: Uint32Array, row: number): number =>
  mixed(ids[4 * row]!, ids[4 * row + 1]!, ids[4 * row + 2]!, ids[4 * row + 3]!)

const mixed = (a: number, b: number, c: number, d: number): number => {
  let hash = Math.imul(a, 0x85ebca6b) ^ b
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ c
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f) ^ d
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** The time in a packed id: its first 48 bits (ULID). */
export const idMsAt = (ids: Uint32Array, n: number): number => ids[4 * n]! * 65_536 + (ids[4 * n + 1]! >>> 16)
