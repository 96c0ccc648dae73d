import { assert } from '../engine/assert.ts'

/**
 * A QR code of the text as a PNG, eight pixels to a module, in a data URI.
 *
 * Every charge is answered with one, so drawing one must cost microseconds. A code's layout depends on its version
 * alone: of each version a finished PNG of the empty code is kept, with the place of every bit of data in it, and a
 * code is drawn by flipping bits in a copy. The PNG's deflate stream gives black and white modules codes of equal
 * length that differ in one bit, which is what makes a module one bit of the file.
 */
export const qrCodeDataUri = (payload: string): string =>
  `data:image/png;base64,${draw(payload).toString('base64')}`

/** The same PNG as bytes. */
export const qrCodePng = (payload: string): Buffer => Buffer.from(draw(payload))

/** What version 40 at level M holds in byte mode (ISO/IEC 18004, table 7). */
export const qrPayloadBytesMax = 2331

/** Draws into the layout's own buffer, which is good until the next code. */
const draw = (payload: string): Buffer => {
  const length = payload.length > qrPayloadBytesMax ? Number.POSITIVE_INFINITY : payloadBytes.write(payload)
  assert(length <= qrPayloadBytesMax, `a QR code holds at most ${qrPayloadBytesMax} bytes`)
  const layout = layoutFor(length)
  writeData(length, layout)
  writeParity(layout)
  flipModules(layout)
  return layout.file
}

const payloadBytes = Buffer.alloc(3 * qrPayloadBytesMax)

/** The code being drawn: the data of one block after the other, then the parity of one block after the other. */
const codewords = new Uint8Array(3706)

/** Mode 0100 (bytes), the length, the bytes, mode 0000 (end), and padding (ISO/IEC 18004, 7.4.5, 7.4.9 and 7.4.10). */
const writeData = (length: number, { version, dataLength }: Layout): void => {
  let at = 0
  codewords[at++] = 0x40 | (length >> (version < 10 ? 4 : 12))
  if (version >= 10) codewords[at++] = length >> 4
  let rest = length
  for (let i = 0; i < length; i++) {
    const byte = payloadBytes[i]!
    codewords[at++] = (rest << 4) | (byte >> 4)
    rest = byte
  }
  codewords[at++] = rest << 4
  for (let padding = 0xec; at < dataLength; padding ^= 0xec ^ 0x11) codewords[at++] = padding
}

/**
 * Reed-Solomon parity of every block (ISO/IEC 18004, 7.5): division by the generator polynomial, a codeword at a time.
 * The remainder is eight words however long it is, for word by word is four times as fast as byte by byte.
 */
const writeParity = ({ dataLength, blocks, parityLength, multiples }: Layout): void => {
  let start = 0
  let parityStart = dataLength
  for (const blockLength of blocks) {
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0]
    for (let i = start; i < start + blockLength; i++) {
      const multiple = (codewords[i]! ^ (a >>> 24)) << 3
      a = ((a << 8) | (b >>> 24)) ^ multiples[multiple]!
      b = ((b << 8) | (c >>> 24)) ^ multiples[multiple + 1]!
      c = ((c << 8) | (d >>> 24)) ^ multiples[multiple + 2]!
      d = ((d << 8) | (e >>> 24)) ^ multiples[multiple + 3]!
      e = ((e << 8) | (f >>> 24)) ^ multiples[multiple + 4]!
      f = ((f << 8) | (g >>> 24)) ^ multiples[multiple + 5]!
      g = ((g << 8) | (h >>> 24)) ^ multiples[multiple + 6]!
      h = (h << 8) ^ multiples[multiple + 7]!
    }
    const words = [a, b, c, d, e, f, g, h]
    for (let i = 0; i < parityLength; i++) codewords[parityStart + i] = words[i >> 2]! >>> (24 - 8 * (i & 3))
    start += blockLength
    parityStart += parityLength
  }
}

/** Copies the empty code, flips the modules whose bit is set, and renews the checksums of the data and of the chunk. */
const flipModules = ({ empty, file, total, bits, sums, emptySums, rawLength }: Layout): void => {
  file.set(empty)
  let sum = emptySums
  for (let i = 0, bit = 0; i < total; i++, bit += 8) {
    const codeword = codewords[i]!
    flip(file, bits[bit]!, codeword >> 7)
    flip(file, bits[bit + 1]!, (codeword >> 6) & 1)
    flip(file, bits[bit + 2]!, (codeword >> 5) & 1)
    flip(file, bits[bit + 3]!, (codeword >> 4) & 1)
    flip(file, bits[bit + 4]!, (codeword >> 3) & 1)
    flip(file, bits[bit + 5]!, (codeword >> 2) & 1)
    flip(file, bits[bit + 6]!, (codeword >> 1) & 1)
    flip(file, bits[bit + 7]!, codeword & 1)
    sum += sums[i * 32 + (codeword >> 4)]! + sums[i * 32 + 16 + (codeword & 15)]!
  }
  const whites = Math.floor(sum / whiteUnit)
  const end = file.length - iend.length
  file.writeUInt16BE((rawLength + sum - whites * whiteUnit) % adlerBase, end - 8)
  file.writeUInt16BE((1 + whites * whiteModule) % adlerBase, end - 6)
  file.writeUInt32BE(crc32(file, dataStart - 4, end - 4), end - 4)
}

const flip = (file: Uint8Array, place: number, on: number): void => {
  file[place >> 3]! ^= on << (place & 7)
}

/** All that is the same in every code of one version, and the buffer that such codes are drawn in. */
type Layout = {
  readonly version: number
  /** Codewords: of data, of parity in each block, and in all. */
  readonly dataLength: number
  readonly parityLength: number
  readonly total: number
  /** How much of the data each block takes. */
  readonly blocks: readonly number[]
  /** Of the generator polynomial, by all 256 factors: eight words each. */
  readonly multiples: Int32Array
  readonly empty: Uint8Array
  readonly file: Buffer
  /** Of every bit of the codewords, its place in the file. */
  readonly bits: Uint32Array
  /** What the nibbles of every codeword add, by value, the left ones first: white modules, times 2³², plus weights. */
  readonly sums: Float64Array
  readonly emptySums: number
  /** Bytes of the image before they are compressed. */
  readonly rawLength: number
}

const whiteUnit = 2 ** 32

const layouts: (Layout | undefined)[] = []

const layoutFor = (length: number): Layout => {
  let version = 1
  while (capacities[version - 1]! < length) version += 1
  const layout = layouts[version] ?? layOut(version)
  layouts[version] = layout
  return layout
}

const layOut = (version: number): Layout => {
  const symbol = emptySymbol(version)
  const { empty, rowPlaces } = emptyPng(symbol)
  const { size, dark, free } = symbol
  const count = blockCounts[version - 1]!
  const parityLength = parityLengths[version - 1]!
  const total = free.length >> 3 // Up to seven modules are left over; they stay as they are.
  const dataLength = total - count * parityLength
  const blocks = Array.from({ length: count }, (_, block) => Math.floor((dataLength + block) / count))
  const bits = new Uint32Array(total * 8)
  const flips = new Float64Array(total * 8)
  messageOrder(blocks, parityLength).forEach((codeword, position) => {
    for (let bit = 0; bit < 8; bit++) {
      const module = free[position * 8 + bit]!
      const y = Math.floor(module / size)
      bits[codeword * 8 + bit] = rowPlaces[y]! + literalBits * (module % size)
      flips[codeword * 8 + bit] = sumOf(module % size, y, size) * (dark[module] ? 1 : -1)
    }
  })
  return {
    version,
    dataLength,
    parityLength,
    total,
    blocks,
    multiples: multiplesOf(generatorOf(parityLength)),
    empty,
    file: Buffer.from(empty),
    bits,
    sums: nibbleSums(flips),
    emptySums: whiteSums(symbol),
    rawLength: rowLength(size) * (size + 2 * quietZone) * moduleSide,
  }
}

/** Every value's sum is that of the value without its lowest bit, and that bit's. */
const nibbleSums = (flips: Float64Array): Float64Array => {
  const sums = new Float64Array(flips.length * 4)
  for (let nibble = 0; nibble < flips.length / 4; nibble++) {
    for (let value = 1; value < 16; value++) {
      const bit = Math.clz32(value & -value) - 28
      sums[nibble * 16 + value] = sums[nibble * 16 + (value & (value - 1))]! + flips[nibble * 4 + bit]!
    }
  }
  return sums
}

/** The sums of the white modules of the empty code and of its quiet zone. */
const whiteSums = ({ size, dark }: EmptySymbol): number => {
  let sum = 0
  for (let y = -quietZone; y < size + quietZone; y++) {
    for (let x = -quietZone; x < size + quietZone; x++) {
      const inside = x >= 0 && y >= 0 && x < size && y < size
      if (!inside || !dark[y * size + x]) sum += sumOf(x, y, size)
    }
  }
  return sum
}

/** Level M by version: parity codewords in a block, and blocks (ISO/IEC 18004, table 9). */
const parityLengths = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
]
const blockCounts = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
  31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
]
/** Bytes of payload at level M by version (ISO/IEC 18004, table 7). */
const capacities = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666, 711, 779,
  857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
]

/** Codewords in the order in which they are laid out: the first of every block, the second of every block … (7.6). */
const messageOrder = (blocks: readonly number[], parityLength: number): readonly number[] => {
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

const multiplesOf = (generator: readonly number[]): Int32Array => {
  const multiples = new Int32Array(256 * 8)
  for (let factor = 0; factor < 256; factor++) {
    generator.forEach((coefficient, i) => {
      multiples[factor * 8 + (i >> 2)]! |= times(coefficient, factor) << (24 - 8 * (i & 3))
    })
  }
  return multiples
}

/** (x − 1)(x − 2)(x − 4)… without its leading one. */
const generatorOf = (degree: number): readonly number[] => {
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

type EmptySymbol = {
  readonly size: number
  /** By module, row after row: one where it is dark. */
  readonly dark: Uint8Array
  /** The modules that are left to data, in the order in which it fills them. */
  readonly free: readonly number[]
}

/** The symbol of a version with zeros for data (ISO/IEC 18004, 6.3 and 7.7 to 7.10). */
const emptySymbol = (version: number): EmptySymbol => {
  const canvas = blank(17 + 4 * version)
  drawTiming(canvas)
  drawFinders(canvas)
  drawAlignment(canvas, version)
  drawFormat(canvas)
  if (version >= 7) drawVersion(canvas, version)
  const free = dataModules(canvas)
  for (const module of free) canvas.dark[module] = masks(module % canvas.size) ? 1 : 0
  return { size: canvas.size, dark: canvas.dark, free }
}

/**
 * Always mask 010. A reader learns the mask from the format information and takes any; scoring all eight, as 7.8.3
 * asks for evenness' sake, would cost more than the rest of the code, and over BR Codes this one scores best of all.
 */
const mask = 0b010
const masks = (x: number): boolean => x % 3 === 0

type Canvas = { readonly size: number; readonly dark: Uint8Array; readonly taken: Uint8Array }

const blank = (size: number): Canvas => ({
  size,
  dark: new Uint8Array(size * size),
  taken: new Uint8Array(size * size),
})

const set = ({ size, dark, taken }: Canvas, x: number, y: number, isDark: boolean): void => {
  if (x < 0 || y < 0 || x >= size || y >= size) return
  dark[y * size + x] = isDark ? 1 : 0
  taken[y * size + x] = 1
}

const drawTiming = (canvas: Canvas): void => {
  for (let i = 0; i < canvas.size; i++) {
    set(canvas, i, 6, i % 2 === 0)
    set(canvas, 6, i, i % 2 === 0)
  }
}

const drawFinders = (canvas: Canvas): void => {
  const far = canvas.size - 4
  for (const [x, y] of [
    [3, 3],
    [far, 3],
    [3, far],
  ] as const)
    drawRings(canvas, x, y, [true, true, false, true, false])
}

const drawAlignment = (canvas: Canvas, version: number): void => {
  const centres = alignmentCentres(version)
  const far = centres.at(-1)
  for (const y of centres) {
    for (const x of centres) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === far) || (x === far && y === 6)
      if (!isFinder) drawRings(canvas, x, y, [true, false, true])
    }
  }
}

/** Evenly spaced from the far end, by even steps; the first gap takes what is left (annex E). */
const alignmentCentres = (version: number): readonly number[] => {
  if (version === 1) return []
  const gaps = Math.floor(version / 7) + 1
  const step = version === 32 ? 26 : Math.ceil((4 * version + 4) / gaps / 2) * 2
  const far = 10 + 4 * version
  return [6, ...Array.from({ length: gaps }, (_, i) => far - (gaps - 1 - i) * step)]
}

/** A square of rings, given from its centre outwards. */
const drawRings = (canvas: Canvas, x: number, y: number, rings: readonly boolean[]): void => {
  const radius = rings.length - 1
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      set(canvas, x + dx, y + dy, rings[Math.max(Math.abs(dx), Math.abs(dy))]!)
    }
  }
}

/** Level M (00) and the mask, twice: around the upper left finder, and shared out between the two others (7.9.1). */
const drawFormat = (canvas: Canvas): void => {
  const last = canvas.size - 1
  const format = withCheckBits(mask, 10, 0b101_0011_0111) ^ 0b101_0100_0001_0010
  for (let i = 0; i < 15; i++) {
    const isDark = ((format >> i) & 1) === 1
    set(canvas, 8, i < 6 ? i : i < 8 ? i + 1 : last - 14 + i, isDark)
    set(canvas, i < 8 ? last - i : i < 9 ? 7 : 14 - i, 8, isDark)
  }
  set(canvas, 8, last - 7, true)
}

/** Beside the two far finders, from version 7 on (7.10). */
const drawVersion = (canvas: Canvas, version: number): void => {
  const word = withCheckBits(version, 12, 0b1_1111_0010_0101)
  for (let i = 0; i < 18; i++) {
    const near = Math.floor(i / 3)
    const far = canvas.size - 11 + (i % 3)
    set(canvas, near, far, ((word >> i) & 1) === 1)
    set(canvas, far, near, ((word >> i) & 1) === 1)
  }
}

/** A value followed by its remainder on division by a polynomial over bits (annexes C and D). */
const withCheckBits = (value: number, degree: number, generator: number): number => {
  let remainder = value << degree
  while (remainder >> degree !== 0) remainder ^= generator << (Math.clz32(generator) - Math.clz32(remainder))
  return (value << degree) | remainder
}

/** Two columns at a time from the right, up and down by turns, around what is taken (7.7.3). */
const dataModules = ({ size, taken }: Canvas): readonly number[] => {
  const free: number[] = []
  let upwards = true
  for (let column = size - 1; column > 0; column -= 2, upwards = !upwards) {
    const right = column <= 6 ? column - 1 : column // The timing pattern's column belongs to no pair.
    for (let i = 0; i < size; i++) {
      const row = (upwards ? size - 1 - i : i) * size
      for (const module of [row + right, row + right - 1]) if (!taken[module]) free.push(module)
    }
  }
  return free
}

const moduleSide = 8 // A module's row is then one byte, black (00) or white (FF).
const quietZone = 4 // Modules, ISO/IEC 18004, 9.1.
const whiteModule = 0xff * moduleSide

/** Bytes of a row of pixels: its filter type, always 0, and its modules. */
const rowLength = (size: number): number => 1 + size + 2 * quietZone

/**
 * What a white module adds to Adler-32 (RFC 1950, 8.2): itself to the first sum, and to the second its weight, which is
 * each of its bytes once for every byte from there on.
 */
const sumOf = (x: number, y: number, size: number): number => {
  const length = rowLength(size)
  const rowsLeft = (size + quietZone - y) * moduleSide
  const bytesLeft = rowsLeft * length - 1 - quietZone - x // From its first byte on; a row less from each one below.
  const rowsBelow = (moduleSide * (moduleSide - 1)) / 2
  return whiteUnit + ((0xff * (moduleSide * bytesLeft - rowsBelow * length)) % adlerBase)
}

const adlerBase = 65_521

type EmptyPng = {
  readonly empty: Uint8Array
  /** By row of modules: the bit of the file that says whether its first one is white. The next one's is two further. */
  readonly rowPlaces: readonly number[]
}

/** A PNG of one bit to a pixel (PNG, 11.2), complete but for both checksums of its data. */
const emptyPng = ({ size, dark }: EmptySymbol): EmptyPng => {
  const side = (size + 2 * quietZone) * moduleSide
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8) // One bit, greyscale; the usual compression and filters, no interlace.
  const { deflated, rowBits } = deflate(size, dark)
  const data = Buffer.concat([Buffer.of(0x78, 0x01), deflated, Buffer.alloc(4)])
  const file = Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), iend])
  return { empty: file, rowPlaces: rowBits.map((bit) => (dataStart + 2) * 8 + bit) }
}

const chunk = (type: string, data: Buffer): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
  bytes.writeUInt32BE(data.length, 0)
  bytes.writeUInt32BE(crc32(bytes, 4, bytes.length - 4), bytes.length - 4)
  return bytes
}

/** A byte as it is, or a run copied from that far back. */
type Token = number | { readonly length: number; readonly distance: number }

/**
 * The pixels as one dynamic block (RFC 1951, 3.2.7). A row of modules is written once, as literals, and copied for its
 * other seven rows of pixels. The two bytes have the codes 00 and 01, so that the second bit is the module.
 */
const deflate = (
  size: number,
  dark: Uint8Array,
): { readonly deflated: Uint8Array; readonly rowBits: readonly number[] } => {
  const quiet = quietRows(size)
  const rows = Array.from({ length: size }, (_, y) => moduleRow(dark.subarray(y * size, (y + 1) * size)))
  const codes = codesFor([...quiet, ...rows.flat()])
  const writer = bitWriter()
  writeHeader(writer, codes)
  for (const token of quiet) writeToken(writer, codes, token)
  const rowBits = rows.map((row) => {
    const firstModule = writer.bitCount() + literalBits * (1 + quietZone) + 1
    for (const token of row) writeToken(writer, codes, token)
    return firstModule
  })
  for (const token of quiet) writeToken(writer, codes, token)
  writer.write(codes.literals[endOfBlock]!)
  return { deflated: writer.bytes(), rowBits }
}

const literalBits = 2
const endOfBlock = 256

/** The white rows above and below the symbol. */
const quietRows = (size: number): readonly Token[] => {
  const length = rowLength(size)
  const otherRows = copies((quietZone * moduleSide - 1) * length, length)
  return [0x00, 0xff, ...copies(length - 2, 1), ...otherRows]
}

const moduleRow = (dark: Uint8Array): readonly Token[] => {
  const quiet = Array.from({ length: quietZone }, () => 0xff)
  const row = [0, ...quiet, ...Array.from(dark, (isDark) => (isDark ? 0x00 : 0xff)), ...quiet]
  return [...row, ...copies((moduleSide - 1) * row.length, row.length)]
}

/** Runs of 3 to 258 bytes, as long as can be: the longest has the shortest code. */
const copies = (length: number, distance: number): readonly Token[] => {
  if (length <= 258) return [{ length, distance }]
  const run = Math.min(258, length - 3)
  return [{ length: run, distance }, ...copies(length - run, distance)]
}

/** Bits are kept in the order in which they are written: a code's first one lowest. */
type Code = { readonly bits: number; readonly length: number }
type Codes = { readonly literals: readonly Code[]; readonly distances: readonly Code[] }

/** Two bits for either byte; the other half of the codes go by frequency, each a bit longer than the one before. */
const codesFor = (tokens: readonly Token[]): Codes => {
  const runs = tokens.filter((token) => typeof token !== 'number')
  const counts = new Map([[endOfBlock, 1]])
  for (const { length } of runs) {
    const { symbol } = lengthSymbol(length)
    counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  }
  const lengths = new Array<number>(286).fill(0)
  lengths[0x00] = lengths[0xff] = literalBits
  const ranking = [...counts].sort((a, b) => b[1] - a[1])
  ranking.forEach(([symbol], rank) => {
    lengths[symbol] = Math.min(literalBits + rank, literalBits + ranking.length - 2)
  })
  const symbols = runs.map(({ distance }) => distanceSymbol(distance).symbol)
  const distances = Array.from({ length: Math.max(...symbols) + 1 }, (_, symbol) =>
    symbols.includes(symbol) ? 1 : 0,
  )
  return { literals: canonical(lengths), distances: canonical(distances) }
}

/** Codes from their lengths (RFC 1951, 3.2.2). */
const canonical = (lengths: readonly number[]): readonly Code[] => {
  const codes = lengths.map((length) => ({ bits: 0, length }))
  let next = 0
  for (let length = 1; length <= 15; length++, next <<= 1) {
    for (const code of codes) if (code.length === length) code.bits = reversed(next++, length)
  }
  return codes
}

const reversed = (bits: number, length: number): number => {
  let result = 0
  for (let i = 0; i < length; i++) result |= ((bits >> i) & 1) << (length - 1 - i)
  return result
}

/** Symbols of RFC 1951, 3.2.5: they double in span every four (lengths) or two (distances), by extra bits. */
const lengthSymbol = (length: number) => {
  if (length === 258) return { symbol: 285, extra: 0, extraBits: 0 }
  const extraBits = Math.max(0, 29 - Math.clz32(length - 3))
  return { symbol: 257 + 4 * extraBits + ((length - 3) >> extraBits), extra: length - 3, extraBits }
}

const distanceSymbol = (distance: number) => {
  const extraBits = Math.max(0, 30 - Math.clz32(distance - 1))
  return { symbol: 2 * extraBits + ((distance - 1) >> extraBits), extra: distance - 1, extraBits }
}

const writeToken = (writer: BitWriter, codes: Codes, token: Token): void => {
  if (typeof token === 'number') {
    writer.write(codes.literals[token]!)
    return
  }
  const length = lengthSymbol(token.length)
  const distance = distanceSymbol(token.distance)
  writer.write(codes.literals[length.symbol]!)
  writer.write({ bits: length.extra, length: length.extraBits })
  writer.write(codes.distances[distance.symbol]!)
  writer.write({ bits: distance.extra, length: distance.extraBits })
}

/** The lengths of both codes. They are in a code themselves: four bits for any length up to 14 or a run of zeros. */
const writeHeader = (writer: BitWriter, { literals, distances }: Codes): void => {
  writer.write({ bits: 0b101, length: 3 }) // The last block, and a dynamic one.
  writer.write({ bits: literals.length - 257, length: 5 })
  writer.write({ bits: distances.length - 1, length: 5 })
  writer.write({ bits: metaOrder.length - 4, length: 4 })
  for (const symbol of metaOrder) writer.write({ bits: metaCodes[symbol]!.length, length: 3 })
  const lengths = [...literals, ...distances].map((code) => code.length)
  for (let i = 0, zeros = 0; i < lengths.length; i += zeros >= 11 ? zeros : 1) {
    zeros = Math.min(138, lengths.slice(i).findIndex(Boolean))
    writer.write(metaCodes[zeros >= 11 ? 18 : lengths[i]!]!)
    if (zeros >= 11) writer.write({ bits: zeros - 11, length: 7 })
  }
}

const metaCodes = canonical(Array.from({ length: 19 }, (_, symbol) => (symbol < 15 || symbol === 18 ? 4 : 0)))
const metaOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]

/** Fills each byte from its lowest bit on (RFC 1951, 3.1.1). Of a number only as many bits as said are written. */
type BitWriter = {
  readonly bitCount: () => number
  readonly write: (code: Code) => void
  readonly bytes: () => Uint8Array
}

const bitWriter = (): BitWriter => {
  const bytes: number[] = []
  let pending = 0
  let pendingBits = 0
  return {
    bitCount: () => bytes.length * 8 + pendingBits,
    write: ({ bits, length }) => {
      pending |= (bits & ((1 << length) - 1)) << pendingBits
      for (pendingBits += length; pendingBits >= 8; pendingBits -= 8, pending >>= 8)
        bytes.push(pending & 0xff)
    },
    bytes: () => Uint8Array.from(pendingBits === 0 ? bytes : [...bytes, pending]),
  }
}

/** CRC-32 (PNG, 5.5) of `from` up to `to`, eight bytes at a time. */
const crc32 = (bytes: Uint8Array, from: number, to: number): number => {
  let crc = -1
  let i = from
  for (; i + 8 <= to; i += 8) {
    const first = crc ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24))
    crc =
      crcTable[0x700 | (first & 0xff)]! ^
      crcTable[0x600 | ((first >> 8) & 0xff)]! ^
      crcTable[0x500 | ((first >> 16) & 0xff)]! ^
      crcTable[0x400 | (first >>> 24)]! ^
      crcTable[0x300 | bytes[i + 4]!]! ^
      crcTable[0x200 | bytes[i + 5]!]! ^
      crcTable[0x100 | bytes[i + 6]!]! ^
      crcTable[bytes[i + 7]!]!
  }
  for (; i < to; i++) crc = crcTable[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}

/** What a byte does to the sum when 0 to 7 bytes follow it. */
const crcTable = new Int32Array(8 * 256)
for (let i = 0; i < crcTable.length; i++) {
  const before = i < 256 ? i : crcTable[i - 256]!
  crcTable[i] = i < 256 ? before : crcTable[before & 0xff]! ^ (before >>> 8)
  for (let bit = 0; i < 256 && bit < 8; bit++)
    crcTable[i] = (crcTable[i]! >>> 1) ^ (crcTable[i]! & 1 ? 0xedb88320 : 0)
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const iend = chunk('IEND', Buffer.alloc(0))

/** The signature, the IHDR chunk, and length and type of the IDAT chunk come before its data. */
const dataStart = signature.length + 25 + 8
