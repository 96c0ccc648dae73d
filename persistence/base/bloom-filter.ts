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

/** Adds a member. */
export const addMember = (filter: BloomFilter, a: number, b: number): void => {
  const line = lineOf(filter, a)
  const own = mix(a ^ Math.imul(b, 0x9e3779b1))
  const more = mix(own ^ b)
  setBit(filter, line, own)
  setBit(filter, line, own >>> 9)
  setBit(filter, line, own >>> 18)
  setBit(filter, line, more)
  setBit(filter, line, more >>> 9)
  setBit(filter, line, more >>> 18)
}

/** Whether a member may be in the set. */
export const mayHave = (filter: BloomFilter, a: number, b: number): boolean => {
  const line = lineOf(filter, a)
  const own = mix(a ^ Math.imul(b, 0x9e3779b1))
  if (!hasBit(filter, line, own) || !hasBit(filter, line, own >>> 9) || !hasBit(filter, line, own >>> 18))
    return false
  const more = mix(own ^ b)
  return hasBit(filter, line, more) && hasBit(filter, line, more >>> 9) && hasBit(filter, line, more >>> 18)
}

const lineOf = (filter: BloomFilter, a: number): number =>
  numbersPerLine * Math.floor(((a >>> 0) / 4294967296) * (filter.length / numbersPerLine))

const setBit = (filter: BloomFilter, line: number, bits: number): void => {
  filter[line + ((bits >>> 5) & 15)]! |= 1 << (bits & 31)
}

const hasBit = (filter: BloomFilter, line: number, bits: number): boolean =>
  ((filter[line + ((bits >>> 5) & 15)]! >>> (bits & 31)) & 1) === 1
