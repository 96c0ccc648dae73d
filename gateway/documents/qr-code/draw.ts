import { crc32 } from 'node:zlib'
import { assert } from '../../../engine/shared/assert.ts'
import {
  blockCounts,
  capacities,
  generatorOf,
  messageOrder,
  multiplesOf,
  parityLengths,
} from './codewords.ts'
import {
  adlerBase,
  dataStart,
  emptyPng,
  iend,
  literalBits,
  moduleSide,
  quietZone,
  rowLength,
  sumOf,
  whiteModule,
  whiteUnit,
} from './png.ts'
import { type EmptySymbol, emptySymbol } from './symbol.ts'

/**
 * A QR code of the text as a PNG, eight pixels to a module, in a data URI.
 *
 * Every charge is answered with one, so drawing one must cost microseconds. A code's layout depends on its version
 * alone: of each version a finished PNG is kept, with the place of every bit of data in it, and a code is drawn by flipping
 * the bits in which it differs from the one before. The PNG's deflate stream gives black and white modules codes of equal
 * length that differ in one bit, which is what makes a module one bit of the file.
 */
export const qrCodeDataUri = (payload: string): string =>
  `data:image/png;base64,${draw(payload).toString('base64')}`

/** The same PNG as bytes. */
export const qrCodePng = (payload: string): Buffer => Buffer.from(draw(payload))

/** The same code as a symbol without its quiet zone, for drawing in units other than pixels. */
export const qrCodeSymbol = (payload: string): { readonly size: number; readonly dark: Uint8Array } => {
  const { version, blocks, parityLength } = encode(payload)
  const { size, dark, free } = emptySymbol(version)
  messageOrder(blocks, parityLength).forEach((codeword, position) => {
    for (let bit = 0; bit < 8; bit++)
      dark[free[position * 8 + bit]!]! ^= (codewords[codeword]! >> (7 - bit)) & 1
  })
  return { size, dark }
}

/** The capacity of version 40 at level M in byte mode (ISO/IEC 18004, table 7). */
export const qrPayloadBytesMax = 2331

/** Draws into the layout's own buffer, which is valid until the next code. */
const draw = (payload: string): Buffer => {
  const layout = encode(payload)
  flipModules(layout)
  return layout.file
}

/** Encodes the payload into `codewords`, in the order of the returned layout. */
const encode = (payload: string): Layout => {
  const length = payload.length > qrPayloadBytesMax ? Number.POSITIVE_INFINITY : payloadBytes.write(payload)
  assert(length <= qrPayloadBytesMax, `a QR code holds at most ${qrPayloadBytesMax} bytes`)
  const layout = layoutFor(length)
  writeData(length, layout)
  writeParity(layout)
  return layout
}

const payloadBytes = Buffer.alloc(3 * qrPayloadBytesMax)

/** The code being drawn: the data of all blocks, then the parity of all blocks. */
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
 * Reed-Solomon parity of every block (ISO/IEC 18004, 7.5): division by the generator polynomial, one codeword at a
 * time. The remainder always takes eight words, because whole words are four times as fast as single bytes. Parity
 * is linear, so only the difference from the code drawn last is divided, from the first codeword that differs, and
 * the remainder changes that code's parity.
 */
const writeParity = ({ dataLength, blocks, parityLength, multiples, drawn }: Layout): void => {
  let start = 0
  let parityStart = dataLength
  for (const blockLength of blocks) {
    const end = start + blockLength
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0]
    while (start < end && codewords[start] === drawn[start]) start += 1
    for (; start < end; start++) {
      const multiple = (codewords[start]! ^ drawn[start]! ^ (a >>> 24)) << 3
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
    for (let i = 0; i < parityLength; i++) {
      const change = words[i >> 2]! >>> (24 - 8 * (i & 3))
      codewords[parityStart + i] = drawn[parityStart + i]! ^ change
    }
    parityStart += parityLength
  }
}

/**
 * Turns the code that was drawn last into this one, and updates the checksums of the data and of the chunk. The codes of one company
 * differ in half of their codewords only.
 */
const flipModules = (layout: Layout): void => {
  const { file, drawn, total, bits, sums, rawLength } = layout
  let { sum } = layout
  for (let i = 0, bit = 0; i < total; i++, bit += 8) {
    const before = drawn[i]!
    const codeword = codewords[i]!
    const change = before ^ codeword
    if (change === 0) continue
    drawn[i] = codeword
    flip(file, bits[bit]!, change >> 7)
    flip(file, bits[bit + 1]!, (change >> 6) & 1)
    flip(file, bits[bit + 2]!, (change >> 5) & 1)
    flip(file, bits[bit + 3]!, (change >> 4) & 1)
    flip(file, bits[bit + 4]!, (change >> 3) & 1)
    flip(file, bits[bit + 5]!, (change >> 2) & 1)
    flip(file, bits[bit + 6]!, (change >> 1) & 1)
    flip(file, bits[bit + 7]!, change & 1)
    sum += sums[i * 32 + (codeword >> 4)]! + sums[i * 32 + 16 + (codeword & 15)]!
    sum -= sums[i * 32 + (before >> 4)]! + sums[i * 32 + 16 + (before & 15)]!
  }
  layout.sum = sum
  const whites = Math.floor(sum / whiteUnit)
  const end = file.length - iend.length
  file.writeUInt16BE((rawLength + sum - whites * whiteUnit) % adlerBase, end - 8)
  file.writeUInt16BE((1 + whites * whiteModule) % adlerBase, end - 6)
  file.writeUInt32BE(crc32(file.subarray(dataStart - 4, end - 4)), end - 4)
}

const flip = (file: Uint8Array, place: number, on: number): void => {
  file[place >> 3]! ^= on << (place & 7)
}

/** What all codes of one version share, and the file in which they are drawn. */
type Layout = {
  readonly version: number
  /** Numbers of codewords: data, parity in each block, and all. */
  readonly dataLength: number
  readonly parityLength: number
  readonly total: number
  /** The number of data codewords in each block. */
  readonly blocks: readonly number[]
  /** The generator polynomial multiplied by all 256 factors, eight words each. */
  readonly multiples: Int32Array
  /** The file of the code that was drawn last, its codewords, and the sum of its white modules. */
  readonly file: Buffer
  readonly drawn: Uint8Array
  sum: number
  /** For every bit of the codewords, its place in the file. */
  readonly bits: Uint32Array
  /**
   * What each nibble of the codewords adds to the sum, by its value, left nibbles first: white modules times 2³², plus weights.
   */
  readonly sums: Float64Array
  /** The size of the image before compression, in bytes. */
  readonly rawLength: number
}

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
    file: Buffer.from(empty),
    drawn: new Uint8Array(total),
    sum: whiteSums(symbol),
    bits,
    sums: nibbleSums(flips),
    rawLength: rowLength(size) * (size + 2 * quietZone) * moduleSide,
  }
}

/** The sum of a value is that of the value without its lowest bit, plus that of the bit. */
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

/** The sums of the white modules of the empty code and its quiet zone. */
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
