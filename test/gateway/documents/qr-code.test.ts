import { readFileSync } from 'node:fs'
import { crc32, inflateSync } from 'node:zlib'
import encodeQR, { _BYTES, _ECC_BLOCKS, _WORDS_PER_BLOCK } from 'qr'
import decodeQR from 'qr/decode.js'
import t from 'tap'
import {
  qrCodeDataUri,
  qrCodePng,
  qrCodeSymbol,
  qrPayloadBytesMax,
} from '../../../gateway/documents/qr-code/draw.ts'
import { pngOf, svgOf } from '../../../gateway/documents/qr-code/picture.ts'

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/brcode.json', import.meta.url), 'utf8'),
) as { vectors: { id: string; valid: boolean; payload: string }[] }

/** The modules of a PNG of ours, dark ones true, after everything about the file itself was checked. */
const modulesOf = (png: Buffer): boolean[][] => {
  const chunks = chunksOf(png)
  const [header, data, end] = chunks
  if (chunks.map(({ type }) => type).join() !== 'IHDR,IDAT,IEND') throw new Error('other chunks')
  if (end!.data.length !== 0) throw new Error('IEND is not empty')
  const side = header!.data.readUInt32BE(0)
  if (header!.data.readUInt32BE(4) !== side || side % 8 !== 0)
    throw new Error('not a square of whole modules')
  if (header!.data.subarray(8).toString('hex') !== '0100000000') throw new Error('not one bit of grey')
  const raw = inflateSync(data!.data)
  if (data!.data.readUInt32BE(data!.data.length - 4) !== adler32(raw)) throw new Error('wrong Adler-32')
  const rowLength = side / 8 + 1
  if (raw.length !== rowLength * side) throw new Error('wrong number of rows')
  return Array.from({ length: side / 8 }, (_, y) => {
    const rows = Array.from({ length: 8 }, (_, n) =>
      raw.subarray((y * 8 + n) * rowLength, (y * 8 + n + 1) * rowLength),
    )
    if (rows.some((row) => !row.equals(rows[0]!))) throw new Error('rows of pixels of one module differ')
    const [filter, ...bytes] = rows[0]!
    if (filter !== 0 || bytes.some((byte) => byte !== 0x00 && byte !== 0xff))
      throw new Error('not whole modules')
    return bytes.map((byte) => byte === 0x00)
  })
}

const chunksOf = (png: Buffer): { type: string; data: Buffer }[] => {
  if (png.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('wrong signature')
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (png.readUInt32BE(end) !== crc32(png.subarray(at + 4, end))) throw new Error('wrong CRC-32')
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}

const adler32 = (bytes: Uint8Array): number => {
  let [a, b] = [1, 0]
  for (const byte of bytes) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return b * 65_536 + a
}

/** What a reader makes of the code, four pixels to a module. */
const decoded = (modules: readonly (readonly boolean[])[]): string => {
  const side = modules.length * 4
  const data = new Uint8Array(side * side * 4).fill(0xff)
  for (let i = 0; i < side * side; i++) {
    const isDark = modules[Math.floor(i / side / 4)]![Math.floor((i % side) / 4)]
    data.fill(isDark ? 0 : 0xff, i * 4, i * 4 + 3)
  }
  return decodeQR({ width: side, height: side, data }, { timeLimit: 10_000 })
}

/** The same code from the `qr` package, told to use the same mask. */
const reference = (payload: string): boolean[][] =>
  encodeQR(payload, 'raw', { ecc: 'medium', encoding: 'byte', mask: 0b010, border: 4 })

const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const payloadOf = (length: number, next: () => number): string =>
  Array.from({ length }, () => String.fromCharCode(32 + Math.floor(next() * 95))).join('')

t.test('every valid BR Code of the vectors can be read from its picture', async (t) => {
  for (const { id, payload } of vectors.filter(({ valid }) => valid)) {
    const modules = modulesOf(qrCodePng(payload))
    t.equal(decoded(modules), payload, id)
    t.same(modules, reference(payload), id)
  }
})

t.test('random payloads of 1 to 1000 characters can be read from their pictures', async (t) => {
  const next = random(3)
  const wrong: string[] = []
  for (let length = 1; length <= 1000; length += 1 + Math.floor(next() * 12)) {
    const payload = payloadOf(length, next)
    if (decoded(modulesOf(qrCodePng(payload))) !== payload) wrong.push(payload)
  }
  t.same(wrong, [])
})

/** How many bytes fit into each version at level M, by the other package's tables. */
const capacities = _BYTES.map((total, i) => {
  const dataLength = total - _ECC_BLOCKS.medium[i]! * _WORDS_PER_BLOCK.medium[i]!
  return dataLength - (i < 9 ? 2 : 3)
})

t.test(
  'the fullest and the emptiest code of each of the 40 versions has the modules of another encoder',
  async (t) => {
    t.equal(capacities.length, 40)
    const next = random(5)
    const wrong: number[] = []
    const sides = new Set<number>()
    for (const length of [
      0,
      ...capacities.flatMap((capacity) => [capacity - 1, capacity, capacity + 1]),
    ].slice(0, -1)) {
      const payload = payloadOf(length, next)
      const modules = modulesOf(qrCodePng(payload))
      const expected = reference(payload)
      const isEqual = modules.every((row, y) => row.every((isDark, x) => isDark === expected[y]![x]))
      if (!isEqual || modules.length !== expected.length) wrong.push(length)
      sides.add(modules.length)
    }
    t.same(wrong, [])
    t.same(
      [...sides],
      Array.from({ length: 40 }, (_, n) => 29 + 4 * n),
    )
  },
)

t.test('a symbol has the modules of the picture without its quiet zone', async (t) => {
  const next = random(7)
  for (const capacity of [0, ...capacities]) {
    const payload = payloadOf(capacity, next)
    const { size, dark } = qrCodeSymbol(payload)
    const inside = modulesOf(qrCodePng(payload)).slice(4, -4)
    const modules = inside.flatMap((row) => row.slice(4, -4).map(Number))
    t.equal(inside.length, size)
    t.ok(Buffer.from(modules).equals(dark), `${capacity} bytes`)
  }
})

t.test('the largest versions can be read from their pictures', async (t) => {
  const next = random(9)
  for (const length of [1300, 1800, qrPayloadBytesMax]) {
    const payload = payloadOf(length, next)
    t.equal(decoded(modulesOf(qrCodePng(payload))), payload)
  }
})

t.test('text beyond ASCII is written as UTF-8', async (t) => {
  for (const payload of ['João Açaí', '支払い', '😀'.repeat(40)]) {
    t.equal(decoded(modulesOf(qrCodePng(payload))), payload)
  }
})

t.test('what does not fit is refused, counted in bytes', async (t) => {
  t.throws(() => qrCodePng('a'.repeat(qrPayloadBytesMax + 1)))
  t.throws(() => qrCodePng('é'.repeat(qrPayloadBytesMax / 2 + 1)))
  t.throws(() => qrCodePng('a'.repeat(1_000_000)))
})

t.test('the data URI holds the same file', async (t) => {
  const uri = qrCodeDataUri('00020126')
  t.match(uri, /^data:image\/png;base64,[A-Za-z0-9+/]+=*$/)
  t.same(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'), qrCodePng('00020126'))
})

t.test('a code stays as it is when others are drawn', async (t) => {
  const first = qrCodePng('first')
  const copy = Buffer.from(first)
  qrCodePng('other')
  qrCodeDataUri('third')
  t.same(first, copy)
  t.same(qrCodePng('first'), copy)
})

/** The pixels of a PNG of one bit each, dark ones true. */
const pixelsOf = (png: Buffer): boolean[][] => {
  const [header, data] = chunksOf(png)
  const side = header!.data.readUInt32BE(0)
  const raw = inflateSync(data!.data)
  const rowLength = 1 + Math.ceil(side / 8)
  if (raw.length !== rowLength * side) throw new Error('wrong number of rows')
  return Array.from({ length: side }, (_, y) => {
    const row = raw.subarray(y * rowLength, (y + 1) * rowLength)
    if (row[0] !== 0) throw new Error('another filter')
    return Array.from({ length: side }, (_, x) => ((row[1 + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0)
  })
}

t.test('a picture of any size has the modules of the code, each so many pixels wide', async (t) => {
  const next = random(11)
  for (let size = 2; size <= 16; size++) {
    const payload = payloadOf(60 + size * 9, next)
    const modules = reference(payload)
    const pixels = pixelsOf(pngOf(payload, size))
    t.equal(pixels.length, modules.length * size)
    const isEqual = pixels.every((row, y) =>
      row.every((isDark, x) => isDark === modules[Math.floor(y / size)]![Math.floor(x / size)]),
    )
    t.ok(isEqual, `${size} pixels`)
  }
  t.same(pngOf('x', 8), qrCodePng('x'), 'the usual size is the one of the data URI')
})

t.test('an SVG draws the modules of the code, in a box of as many units', async (t) => {
  const payload = payloadOf(170, random(13))
  const modules = reference(payload)
  const svg = svgOf(payload, 5)
  const side = modules.length
  t.match(svg, `width="${5 * side}" height="${5 * side}" viewBox="0 0 ${side} ${side}"`)
  const drawn = modules.map((row) => row.map(() => false))
  const [, path] = [...svg.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d!)
  // Each row is a line in its middle: a run begins at its place, or behind the one before.
  let [x, y] = [0, 0]
  for (const [, atX, row, behind, length] of path!.matchAll(/(?:M(\d+) (\d+)\.5|m(\d+) 0)h(\d+)/g)) {
    if (row === undefined) x += Number(behind)
    else [x, y] = [Number(atX), Number(row)]
    drawn[y]!.fill(true, x, x + Number(length))
    x += Number(length)
  }
  t.same(drawn, modules)
  t.equal(path!.replaceAll(/(?:M\d+ \d+\.5|m\d+ 0)h\d+/g, ''), '', 'and nothing else')
  t.match(svg, '<path stroke="#000"')
})
