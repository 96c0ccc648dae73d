import { mix } from './hash.ts'

/**
 * Whether a set may have a member: never wrong about one that it has, and about others once in so many times (Bloom, 1970). Members
 * are 64 bits. All places of a member lie within one line of a processor's cache (Putze, Sanders and Singler, 2007), so that a filter of
 * many megabytes costs one miss of the cache.
 */
export type BloomFilter = Uint32Array

const numbersPerLine = 16
const bitsPerLine = 32 * numbersPerLine

/** An empty filter: with 12 bits for each member it is wrong once in 200 times, with 16 once in 700. */
export const newBloomFilter = (members: number, bitsEach: number): BloomFilter =>
  new Uint32Array(numbersPerLine * Math.max(1, Math.ceil((members * bitsEach) / bitsPerLine)))

/** The bytes of a line. */
export const bytesPerLine = bitsPerLine / 8

/** Adds a member. */
export const addMember = (filter: BloomFilter, a: number, b: number): void => {
  const at = numbersPerLine * filterLineOf(filter.length / numbersPerLine, a)
  const own = mix(a ^ Math.imul(b, 0x9e3779b1))
  const more = mix(own ^ b)
  setBit(filter, at, own)
  setBit(filter, at, own >>> 9)
  setBit(filter, at, own >>> 18)
  setBit(filter, at, more)
  setBit(filter, at, more >>> 9)
  setBit(filter, at, more >>> 18)
}

/** Whether a member may be in the set. */
export const mayHave = (filter: BloomFilter, a: number, b: number): boolean =>
  isInLine(filter, filterLineOf(filter.length / numbersPerLine, a), a, b)

/** In which of so many lines a member is. */
export const filterLineOf = (lines: number, a: number): number => Math.floor(((a >>> 0) / 4294967296) * lines)

/** Whether a line may have a member, which is in no other. */
export const isInLine = (filter: BloomFilter, line: number, a: number, b: number): boolean => {
  const at = numbersPerLine * line
  const own = mix(a ^ Math.imul(b, 0x9e3779b1))
  if (!hasBit(filter, at, own) || !hasBit(filter, at, own >>> 9) || !hasBit(filter, at, own >>> 18))
    return false
  const more = mix(own ^ b)
  return hasBit(filter, at, more) && hasBit(filter, at, more >>> 9) && hasBit(filter, at, more >>> 18)
}

const setBit = (filter: BloomFilter, at: number, bits: number): void => {
  filter[at + ((bits >>> 5) & 15)]! |= 1 << (bits & 31)
}

const hasBit = (filter: BloomFilter, at: number, bits: number): boolean =>
  ((filter[at + ((bits >>> 5) & 15)]! >>> (bits & 31)) & 1) === 1
