import { crc32 } from 'node:zlib'
import type { EmptySymbol } from './symbol.ts'

export const moduleSide = 8 // A module's row is then one byte, black (00) or white (FF).
export const quietZone = 4 // Modules, ISO/IEC 18004, 6.3.8.
export const whiteModule = 0xff * moduleSide

/** The bytes in a row of pixels: the filter type, always 0, and the modules. */
export const rowLength = (size: number): number => 1 + size + 2 * quietZone

/** What one white module adds to a sum: the count is kept above the weights. */
export const whiteUnit = 2 ** 32

/**
 * The contribution of a white module to Adler-32 (RFC 1950, 8.2): its bytes to the first sum, and to the second its weight, which
 * counts each of its bytes once for every byte from there to the end.
 */
export const sumOf = (x: number, y: number, size: number): number => {
  const length = rowLength(size)
  const rowsLeft = (size + quietZone - y) * moduleSide
  const bytesLeft = rowsLeft * length - 1 - quietZone - x // From its first byte on; a row less from each one below.
  const rowsBelow = (moduleSide * (moduleSide - 1)) / 2
  return whiteUnit + ((0xff * (moduleSide * bytesLeft - rowsBelow * length)) % adlerBase)
}

export const adlerBase = 65_521

type EmptyPng = {
  readonly empty: Uint8Array
  /**
   * For each row of modules, the bit of the file that says whether its first module is white. The bit of the next module is two
   * further on.
   */
  readonly rowPlaces: readonly number[]
}

/** A PNG of one bit per pixel (PNG, 11.2), complete except for both checksums of its data. */
export const emptyPng = ({ size, dark }: EmptySymbol): EmptyPng => {
  const side = (size + 2 * quietZone) * moduleSide
  const { deflated, rowBits } = deflate(size, dark)
  const data = Buffer.concat([Buffer.of(0x78, 0x01), deflated, Buffer.alloc(4)])
  return { empty: pngFile(side, data), rowPlaces: rowBits.map((bit) => (dataStart + 2) * 8 + bit) }
}

/** The PNG file of a square of `side` one-bit pixels, from its compressed rows. */
export const pngFile = (side: number, data: Uint8Array): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8) // One bit, greyscale; the usual compression and filters, no interlace.
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), iend])
}

const chunk = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
  bytes.writeUInt32BE(data.length, 0)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4)
  return bytes
}

/** A literal byte, or a run copied from `distance` bytes back. */
type Token = number | { readonly length: number; readonly distance: number }

/**
 * Compresses the pixels into one dynamic block (RFC 1951, 3.2.7). A row of modules is written once as literals, and copied for
 * its other seven rows of pixels. The two bytes get the codes 00 and 01, so that the second bit is the module.
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

export const literalBits = 2
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

/** Runs of 3 to 258 bytes, as long as possible: the longest has the shortest code. */
const copies = (length: number, distance: number): readonly Token[] => {
  if (length <= 258) return [{ length, distance }]
  const run = Math.min(258, length - 3)
  return [{ length: run, distance }, ...copies(length - run, distance)]
}

/** Bits in the order in which they are written: the first bit of a code is the lowest. */
type Code = { readonly bits: number; readonly length: number }
type Codes = { readonly literals: readonly Code[]; readonly distances: readonly Code[] }

/** Both bytes get two bits. The other half of the code space goes by frequency, each code one bit longer than the one before. */
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

/** Assigns codes by their lengths (RFC 1951, 3.2.2). */
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

/** Symbols of RFC 1951, 3.2.5: with extra bits, their span doubles every four (lengths) or two (distances). */
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

/** The lengths of both codes, which are coded themselves: four bits for any length up to 14, or for a run of zeros. */
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

/** Fills each byte from its lowest bit (RFC 1951, 3.1.1). Writes only the given number of bits of a value. */
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

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
export const iend = chunk('IEND', Buffer.alloc(0))

/** The data comes after the signature, the IHDR chunk, and the length and type of the IDAT chunk. */
export const dataStart = signature.length + 25 + 8
