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
  const { identity, after, until, batchAt, beforeBlock } = options
  const dictionary = sampleOf(options)
  const places: BlockPlace[] = []
  let offset = 0
  let { sequence: last, seal } = after
  let batches = 0
  let bytes = 0
  let pieces: Piece[] = []
  let unpackedBytes = 0
  /** The seal before the first batch that begins in the present block. */
  let previous: Buffer | null = null

  const write = async (part: Buffer): Promise<FilePart> => {
    const written = { offset, length: part.length, checksum: checksumOf(part).toString('base64url') }
    for (let done = 0; done < part.length; )
      done += (await file.write(part, done, part.length - done, offset + done)).bytesWritten
    offset += part.length
    return written
  }

  const endBlock = async (): Promise<void> => {
    const [{ first }] = pieces as [Piece]
    const block = joinPieces(pieces)
    const before = previous ?? Buffer.alloc(checksumBytes)
    pieces = []
    unpackedBytes = 0
    previous = null
    await beforeBlock(block.length)
    const packed = await deflated(block, { ...level, ...(dictionary.length > 0 && { dictionary }) })
    const place = { first, offset, packed: packed.length, unpacked: block.length, previous: before }
    places.push({ ...place, checksum: checksumOf(packed) })
    await write(packed)
  }

  await write(magic)
  while (last < until && offset < bounds.archiveFileBytesMax) {
    const batch = batchAt(last + 1)
    if (batch.last > until) break
    if (batch.first !== last + 1 || !batch.previous.equals(seal))
      throw new Error(`the batch of entry ${last + 1} does not continue the one before it`)
    const batchCount = batchSize(batch.bytes)
    for (let at = 0; at < batchCount; ) {
      const room = bounds.archiveBlockBytes - unpackedBytes
      const count = entriesWithin(batch.bytes, at, room)
      const piece = pieceOfBatch(batch.bytes, at, at + count)
      if (pieces.length > 0 && piece.length > room) {
        await endBlock()
        continue
      }
      if (at === 0) previous ??= Buffer.from(batch.previous)
      pieces.push({ batchFirst: batch.first, batchCount, first: batch.first + at, bytes: piece })
      unpackedBytes += piece.length
      at += count
    }
    last = batch.last
    seal = Buffer.from(batch.seal)
    batches += 1
    bytes += batch.bytes.length
  }
  if (pieces.length > 0) await endBlock()

  const pages: IndexPage[] = []
  for (let n = 0; n < places.length; n += placesPerPage) {
    const page = places.slice(n, n + placesPerPage)
    pages.push({ first: page[0]!.first, ...(await write(packPlaces(page))) })
  }
  const stored = await write(deflateRawSync(dictionary))
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
  await write(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  await write(Buffer.concat([length, checksumOf(text), magic]))
  return footer
}

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
