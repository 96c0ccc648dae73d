// QR codes as PNG, SVG and lists of modules (ISO/IEC 18004), always at level M: `draw.ts` begins, here are the
// tables and the algebra of its codewords.

/** Parity codewords per block, and number of blocks, of level M by version (ISO/IEC 18004, table 9). */
export const parityLengths = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
]
export const blockCounts = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
  31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
]
/** Bytes of payload at level M by version (ISO/IEC 18004, table 7). */
export const capacities = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666, 711, 779,
  857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
]

/** The order of codewords in the symbol: the first of every block, the second of every block, and so on (7.6). */
export const messageOrder = (blocks: readonly number[], parityLength: number): readonly number[] => {
  const order: number[] = []
  const dataLength = blocks.reduce((sum, length) => sum + length, 0)
  for (let i = 0; i < blocks.at(-1)!; i++) {
    let start = 0
    for (const length of blocks) {
      if (i < length) order.push(start + i)
      start += length
    }
  }
  for (let i = 0; i < parityLength; i++) {
    for (let block = 0; block < blocks.length; block++) order.push(dataLength + block * parityLength + i)
  }
  return order
}

/** The multiples of a generator polynomial by all 256 factors, eight words each. */
export const multiplesOf = (generator: readonly number[]): Int32Array => {
  const multiples = new Int32Array(256 * 8)
  for (let factor = 0; factor < 256; factor++) {
    generator.forEach((coefficient, i) => {
      multiples[factor * 8 + (i >> 2)]! |= times(coefficient, factor) << (24 - 8 * (i & 3))
    })
  }
  return multiples
}

/** The coefficients of (x − 1)(x − 2)(x − 4)… without the leading one. */
export const generatorOf = (degree: number): readonly number[] => {
  let generator = [1]
  for (let i = 0; i < degree; i++) {
    generator = [...generator, 0].map((factor, n) => factor ^ times(generator[n - 1] ?? 0, powers[i]!))
  }
  return generator.slice(1)
}

/** Powers of two in the field of 256 modulo x⁸ + x⁴ + x³ + x² + 1, and their logarithms. */
const powers = new Uint8Array(255)
const logarithms = new Uint8Array(256)
for (let i = 0, power = 1; i < 255; i++) {
  powers[i] = power
  logarithms[power] = i
  power = (power << 1) ^ (power & 0x80 ? 0x11d : 0)
}

const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : powers[(logarithms[a]! + logarithms[b]!) % 255]!
