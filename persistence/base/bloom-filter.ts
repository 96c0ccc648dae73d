/**
 * Whether a set may have a member: never wrong about one that it has, and about others once in so many times (Bloom, 1970). Members
 * are 64 bits, of which each gives eight places.
 */
export type BloomFilter = Uint32Array

const placesPerMember = 8

/** An empty filter: with 12 bits for each member it is wrong once in 300 times, with 16 once in 1,700. */
export const newBloomFilter = (members: number, bitsEach: number): BloomFilter =>
  new Uint32Array(Math.max(1, Math.ceil((members * bitsEach) / 32)))

/** Adds a member. */
export const addMember = (filter: BloomFilter, a: number, b: number): void => {
  const bits = filter.length * 32
  const step = stepOf(a, b)
  for (let n = 0, at = a >>> 0; n < placesPerMember; n++, at = (at + step) >>> 0) {
    const bit = Math.floor((at / 4294967296) * bits)
    filter[bit >>> 5]! |= 1 << (bit & 31)
  }
}

/** Whether a member may be in the set. */
export const mayHave = (filter: BloomFilter, a: number, b: number): boolean => {
  const bits = filter.length * 32
  const step = stepOf(a, b)
  for (let n = 0, at = a >>> 0; n < placesPerMember; n++, at = (at + step) >>> 0) {
    const bit = Math.floor((at / 4294967296) * bits)
    if (((filter[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return false
  }
  return true
}

const stepOf = (a: number, b: number): number => (Math.imul(b ^ (a >>> 16), 0x85ebca6b) ^ (b << 7)) | 1
