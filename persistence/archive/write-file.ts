import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync } from 'node:zlib'
import { bounds } from '../base/bounds.ts'
import { checksumBytes, checksumOf } from '../base/checksum.ts'
import { batchSize, entriesWithin, pieceOfBatch } from '../codec/codec.ts'
import type { OpenBatch } from '../codec/sealed-batch.ts'
import {
  type ArchiveEnd,
  archiveFormat,
  type BlockPlace,
  type FilePart,
  type Footer,
  type IndexPage,
  joinPieces,
  magic,
  type Piece,
  packPlaces,
  placesPerPage,
} from './format.ts'

export type FileOptions = {
  readonly identity: string
  /** The end that the file continues, and the last entry that it may hold. */
  readonly after: ArchiveEnd
  readonly until: number
  /** The whole batch with an entry, checked. */
  readonly batchAt: (sequence: number) => OpenBatch
  /** Called before each block, with its bytes; waits as long as packing should. Throws to give up. */
  readonly beforeBlock: (bytes: number) => Promise<void>
}

/**
 * Writes one archive file, with as many batches as fit, and resolves to its footer when it is on disk. Throws where a batch does not
 * continue the one before it.
 */
export const writeArchiveFile = async (path: string, options: FileOptions): Promise<Footer> => {
  const file = await open(path, 'w', 0o600)
  try {
    const footer = await fill(file, options)
    await file.sync()
    return footer
  } finally {
    await file.close()
  }
}

const deflated = promisify(deflateRaw) as (bytes: Buffer, options: object) => Promise<Buffer>
const level = { level: 6 }

const fill = async (file: FileHandle, options: FileOptions): Promise<Footer> => {
  const { identity, after } = options
  const parts = newParts(file)
  await parts.write(magic)
  const dictionary = sampleOf(options)
  const { places, last, seal, batches, bytes } = await writeBlocks(parts, dictionary, options)
  const pages: IndexPage[] = []
  for (let n = 0; n < places.length; n += placesPerPage) {
    const page = places.slice(n, n + placesPerPage)
    pages.push({ first: page[0]!.first, ...(await parts.write(packPlaces(page))) })
  }
  const stored = await parts.write(deflateRawSync(dictionary))
  const footer: Footer = {
    format: archiveFormat,
    identity,
    first: after.sequence + 1,
    last,
    previous: after.seal.toString('base64url'),
    seal: seal.toString('base64url'),
    batches,
    bytes,
    dictionary: { ...stored, unpacked: dictionary.length },
    pages,
  }
  const text = Buffer.from(JSON.stringify(footer))
  await parts.write(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  await parts.write(Buffer.concat([length, checksumOf(text), magic]))
  return footer
}

type Parts = ReturnType<typeof newParts>

/** The parts of a file, one behind the other. */
const newParts = (file: FileHandle) => {
  let offset = 0
  return {
    offset: () => offset,
    write: async (part: Buffer): Promise<FilePart> => {
      const written = { offset, length: part.length, checksum: checksumOf(part).toString('base64url') }
      for (let done = 0; done < part.length; )
        done += (await file.write(part, done, part.length - done, offset + done)).bytesWritten
      offset += part.length
      return written
    },
  }
}

/** Writes batches as blocks, as many as fit into the file. */
const writeBlocks = async (
  parts: Parts,
  dictionary: Buffer,
  { after, until, batchAt, beforeBlock }: FileOptions,
) => {
  const places: BlockPlace[] = []
  let { sequence: last, seal } = after
  let batches = 0
  let bytes = 0
  let block = newBlock()

  const endBlock = async (): Promise<void> => {
    const { first } = block.pieces[0]!
    const unpacked = joinPieces(block.pieces)
    const previous = block.previous ?? Buffer.alloc(checksumBytes)
    block = newBlock()
    await beforeBlock(unpacked.length)
    const packed = await deflated(unpacked, { ...level, ...(dictionary.length > 0 && { dictionary }) })
    const place = { first, offset: parts.offset(), packed: packed.length, unpacked: unpacked.length }
    places.push({ ...place, previous, checksum: checksumOf(packed) })
    await parts.write(packed)
  }

  while (last < until && parts.offset() < bounds.archiveFileBytesMax) {
    const batch = batchAt(last + 1)
    if (batch.last > until) break
    if (batch.first !== last + 1 || !batch.previous.equals(seal))
      throw new Error(`the batch of entry ${last + 1} does not continue the one before it`)
    const batchCount = batchSize(batch.bytes)
    for (let at = 0; at < batchCount; ) {
      const room = bounds.archiveBlockBytes - block.bytes
      const count = entriesWithin(batch.bytes, at, room)
      const piece = pieceOfBatch(batch.bytes, at, at + count)
      if (block.pieces.length > 0 && piece.length > room) {
        await endBlock()
        continue
      }
      if (at === 0) block.previous ??= Buffer.from(batch.previous)
      block.pieces.push({ batchFirst: batch.first, batchCount, first: batch.first + at, bytes: piece })
      block.bytes += piece.length
      at += count
    }
    last = batch.last
    seal = Buffer.from(batch.seal)
    batches += 1
    bytes += batch.bytes.length
  }
  if (block.pieces.length > 0) await endBlock()
  return { places, last, seal, batches, bytes }
}

const newBlock = () => ({
  pieces: [] as Piece[],
  bytes: 0,
  /** The seal before the first batch that begins in it. */
  previous: null as Buffer | null,
})

/** Parts of the batches to come, which deflate refers to: without it a block that is small enough to read quickly packs a fifth worse. */
const sampleOf = ({ after, until, batchAt }: FileOptions): Buffer => {
  const { archiveSampleBytes, archiveSampledEntries } = bounds
  const entries = Math.min(until - after.sequence, archiveSampledEntries)
  const parts: Buffer[] = []
  let bytes = 0
  for (let n = 0; n < samples; n++) {
    const sequence = after.sequence + 1 + Math.floor(((n + 0.5) * entries) / samples)
    const { bytes: batch } = batchAt(sequence)
    const length = archiveSampleBytes / samples
    // From another place of each batch: its entries are in the order of what happens.
    const start = Math.floor(Math.max(0, batch.length - length) * (((n * 7) % samples) / samples))
    parts.push(batch.subarray(start, start + length))
    bytes += batch.length
  }
  // A dictionary of what is as short as itself would only be stored twice.
  return bytes < 4 * archiveSampleBytes ? Buffer.alloc(0) : Buffer.concat(parts)
}

const samples = 16
