/**
 * A 128-bit signature of a text: every three consecutive bytes set one bit. A text has all bits of a text within
 * it, so few others are examined. Four numbers, overwritten by the next call.
 */
export const signatureOf = (bytes: Uint8Array, length: number): Uint32Array => {
  signature.fill(0)
  for (let n = 2; n < length; n++) {
    const bit = Math.imul((bytes[n - 2]! << 16) | (bytes[n - 1]! << 8) | bytes[n]!, 0x9e3779b1) >>> 25
    signature[bit >>> 5]! |= 1 << (bit & 31)
  }
  return signature
}

const signature = new Uint32Array(4)

/** The part of a signature with the most bits, which rules out the most texts. */
export const strictestPart = (wanted: Uint32Array): number =>
  [0, 1, 2, 3].sort((a, b) => bitsIn(wanted[b]!) - bitsIn(wanted[a]!))[0]!

/** The places among the first `count` that have all bits of one part of a signature, into `places`. Returns how many. */
export const keepSigned = (part: Uint32Array, wanted: number, count: number, places: Uint16Array): number => {
  let kept = 0
  for (let place = 0; place < count; place++) {
    if ((wanted & ~part[place]!) === 0) places[kept++] = place
  }
  return kept
}

const bitsIn = (part: number): number => {
  let bits = 0
  for (let rest = part; rest !== 0; rest &= rest - 1) bits += 1
  return bits
}
