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

/** Reed-Solomon parity of every block (ISO/IEC 18004, 7.5): the xor of what each nibble of the block contributes. */
const writeParity = ({ dataLength, blocks, blockLengthMax, parityLength, parities }: Layout): void => {
  let start = 0
  for (let block = 0; block < blocks.length; block++) {
    const end = start + blocks[block]!
    const parityStart = dataLength + block * parityLength
    for (let word = 0; word * 4 < parityLength; word++) {
      let parity = 0
      let row = (word * blockLengthMax + blocks[block]! - 1) * 32
      for (let i = start; i < end; i++, row -= 32) {
        const codeword = codewords[i]!
        parity ^= parities[row + (codeword >> 4)]! ^ parities[row + 16 + (codeword & 15)]!
      }
      for (let i = word * 4; i < word * 4 + 4 && i < parityLength; i++, parity <<= 8) {
        codewords[parityStart + i] = parity >>> 24
      }
    }
    start = end
  }
}

/** Copies the empty code, flips the modules whose bit is set, and sums up anew what that changed. */
const flipModules = ({
  empty,
  file,
  bits,
  whiteSteps,
  weightSteps,
  white,
  weight,
  rawLength,
  size,
}: Layout): void => {
  file.set(empty)
  let whites = white
  let weights = weight
  for (let i = 0, bit = 0; bit < bits.length; i++) {
    const codeword = codewords[i]!
    for (let shift = 7; shift >= 0; shift--, bit++) {
      const on = (codeword >> shift) & 1
      const place = bits[bit]!
      file[place >> 3]! ^= on << (place & 7)
      whites += whiteSteps[bit]! & -on
      weights += weightSteps[bit]! & -on
    }
  }
  const end = file.length - iend.length
  file.writeUInt16BE((rawLength + weights) % adlerBase, end - 8)
  file.writeUInt16BE((1 + whites * whiteModule) % adlerBase, end - 6)
  file.writeUInt32BE(crc32(file, dataStart - 4, end - 4), end - 4)
}

/** All that is the same in every code of one version, and the buffer that such codes are drawn in. */
type Layout = {
  readonly version: number
  readonly dataLength: number
  /** How many of the data codewords each block takes. */
  readonly blocks: readonly number[]
  readonly blockLengthMax: number
  readonly parityLength: number
  /** By word of parity, place in the block from its end, and value of the left and then the right nibble. */
  readonly parities: Int32Array
  readonly empty: Uint8Array
  readonly file: Buffer
  /** Of every bit of the codewords: its place in the file, and what flipping it adds to white and to weight. */
  readonly bits: Uint32Array
  readonly whiteSteps: Int32Array
  readonly weightSteps: Int32Array
  /** Of the empty code: how many modules are white, and the sum of their weights (see `weightOf`). */
  readonly white: number
  readonly weight: number
  readonly rawLength: number
}

const layouts: Layout[] = []

const layoutFor = (length: number): Layout => {
  let version = 1
  while (capacities[version - 1]! < length) version += 1
  layouts[version] ??= layOut(version)
  return layouts[version]
}

const layOut = (version: number): Layout => {
  const { size, dark, free } = emptySymbol(version)
  const { empty, rowPlaces } = emptyPng(size, dark)
  const count = blockCounts[version - 1]!
  const parityLength = parityLengths[version - 1]!
  const total = free.length >> 3 // A few modules may be left over: they stay empty.
  const dataLength = total - count * parityLength
  const blocks = Array.from({ length: count }, (_, block) => Math.floor((dataLength + block) / count))
  const blockLengthMax = blocks.at(-1)!

  const bits = new Uint32Array(total * 8)
  const whiteSteps = new Int32Array(total * 8)
  const weightSteps = new Int32Array(total * 8)
  messageOrder(blocks, parityLength).forEach((codeword, position) => {
    for (let bit = 0; bit < 8; bit++) {
      const module = free[position * 8 + bit]!
      const x = module % size
      const y = Math.floor(module / size)
      const sign = dark[module] ? 1 : -1
      bits[codeword * 8 + bit] = rowPlaces[y]! + 2 * x
      whiteSteps[codeword * 8 + bit] = sign
      weightSteps[codeword * 8 + bit] = (adlerBase + sign * weightOf(x, y, size)) % adlerBase
    }
  })

  let white = 0
  let weight = 0
  for (let y = -quietZone; y < size + quietZone; y++) {
    for (let x = -quietZone; x < size + quietZone; x++) {
      const inside = x >= 0 && y >= 0 && x < size && y < size
      if (inside && dark[y * size + x]) continue
      white += 1
      weight = (weight + weightOf(x, y, size)) % adlerBase
    }
  }

  return {
    version,
    dataLength,
    blocks,
    blockLengthMax,
    parityLength,
    parities: paritiesOf(parityLength, blockLengthMax),
    empty,
    file: Buffer.from(empty),
    bits,
    whiteSteps,
    weightSteps,
    white,
    weight,
    rawLength: rowLength(size) * (size + 2 * quietZone) * moduleSide,
  }
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

/** Codewords in the order in which they are laid out: the blocks' first ones, their second ones … (7.6). */
const messageOrder = (blocks: readonly number[], parityLength: number): readonly number[] => {
  const order: number[] = []
  const starts = blocks.map((_, block) => blocks.slice(0, block).reduce((sum, length) => sum + length, 0))
  for (let i = 0; i < blocks.at(-1)!; i++) {
    blocks.forEach((length, block) => i < length && order.push(starts[block]! + i))
  }
  const dataLength = order.length
  for (let i = 0; i < parityLength; i++) {
    blocks.forEach((_, block) => order.push(dataLength + block * parityLength + i))
  }
  return order
}

/** The remainder of every nibble at every place of a block, divided by the generator polynomial (7.5 and annex A). */
const paritiesOf = (parityLength: number, blockLengthMax: number): Int32Array => {
  const generator = generatorOf(parityLength)
  const parities = new Int32Array(Math.ceil(parityLength / 4) * blockLengthMax * 32)
  let remainder = generator // Of a one in the last place; then of a one in the place before it, and so on.
  for (let place = 0; place < blockLengthMax; place++) {
    for (let n = 0; n < 32; n++) {
      const value = n < 16 ? n << 4 : n - 16
      remainder.forEach((factor, i) => {
        parities[((i >> 2) * blockLengthMax + place) * 32 + n]! |= times(factor, value) << (24 - 8 * (i & 3))
      })
    }
    const [carry, ...rest] = [...remainder, 0]
    remainder = rest.map((factor, i) => factor ^ times(carry!, generator[i]!))
  }
  return parities
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

/** What a white module adds to the second sum of Adler-32 (RFC 1950, 8.2): each byte once for every byte from it on. */
const weightOf = (x: number, y: number, size: number): number => {
  const length = rowLength(size)
  const pixelRow = (y + quietZone) * moduleSide
  const fromFirst = (size + 2 * quietZone) * moduleSide * length - pixelRow * length - 1 - quietZone - x
  return (0xff * (moduleSide * fromFirst - (length * (moduleSide * (moduleSide - 1))) / 2)) % adlerBase
}

const adlerBase = 65_521

type EmptyPng = {
  readonly empty: Uint8Array
  /** By row of modules: the bit of the file that says whether its first one is white. The next one's is two further. */
  readonly rowPlaces: readonly number[]
}

/** A PNG of one bit to a pixel (PNG, 11.2), complete but for both checksums of its data. */
const emptyPng = (size: number, dark: Uint8Array): EmptyPng => {
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
    const firstModule = writer.length() + literalBits * (1 + quietZone) + 1
    for (const token of row) writeToken(writer, codes, token)
    return firstModule
  })
  for (const token of quiet) writeToken(writer, codes, token)
  writer.code(codes.literals[endOfBlock]!)
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
    for (const code of codes) if (code.length === length) code.bits = next++
  }
  return codes
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
  if (typeof token === 'number') return writer.code(codes.literals[token]!)
  const length = lengthSymbol(token.length)
  writer.code(codes.literals[length.symbol]!)
  writer.number(length.extra, length.extraBits)
  const distance = distanceSymbol(token.distance)
  writer.code(codes.distances[distance.symbol]!)
  writer.number(distance.extra, distance.extraBits)
}

/** The lengths of both codes. They are in a code themselves: four bits for any length up to 14 or a run of zeros. */
const writeHeader = (writer: BitWriter, { literals, distances }: Codes): void => {
  writer.number(0b101, 3) // The last block, and a dynamic one.
  writer.number(literals.length - 257, 5)
  writer.number(distances.length - 1, 5)
  writer.number(metaOrder.length - 4, 4)
  for (const symbol of metaOrder) writer.number(metaCodes[symbol]!.length, 3)
  const lengths = [...literals, ...distances].map((code) => code.length)
  for (let i = 0; i < lengths.length; ) {
    const zeros = Math.min(
      138,
      lengths.slice(i).findIndex((length) => length !== 0),
    )
    const isRun = zeros >= 11
    writer.code(metaCodes[isRun ? 18 : lengths[i]!]!)
    if (isRun) writer.number(zeros - 11, 7)
    i += isRun ? zeros : 1
  }
}

const metaCodes = canonical(Array.from({ length: 19 }, (_, symbol) => (symbol < 15 || symbol === 18 ? 4 : 0)))
const metaOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]

/** Bits from the lowest of each byte on: numbers lowest bit first, codes highest first (RFC 1951, 3.1.1). */
type BitWriter = {
  readonly length: () => number
  readonly number: (value: number, bits: number) => void
  readonly code: (code: Code) => void
  readonly bytes: () => Uint8Array
}

const bitWriter = (): BitWriter => {
  const bits: number[] = []
  return {
    length: () => bits.length,
    number: (value, count) => {
      for (let i = 0; i < count; i++) bits.push((value >> i) & 1)
    },
    code: (code) => {
      for (let i = code.length - 1; i >= 0; i--) bits.push((code.bits >> i) & 1)
    },
    bytes: () => {
      const bytes = new Uint8Array(Math.ceil(bits.length / 8))
      bits.forEach((bit, i) => {
        bytes[i >> 3]! |= bit << (i & 7)
      })
      return bytes
    },
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
