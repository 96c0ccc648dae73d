import { dirname, join } from 'node:path'
import { checksumBytes } from '../base/checksum.ts'

/**
 * An archive file holds the batches of one range of entries. From its start to its end: `magic`, the packed blocks, the pages of the
 * index (a place for each block), the packed dictionary, the footer as JSON, and the trailer (the footer's length
 * and checksum, and `magic` again). Each part has a checksum in the part that leads to it, so every byte is covered.
 *
 * A block is raw deflate (RFC 1951) with the file's dictionary. It holds pieces of batches, each as a batch of its own, so that one
 * entry of a large batch is read without the rest.
 */
export type Footer = {
  readonly format: number
  /** The journal's identity, with which its seals begin. */
  readonly identity: string
  readonly first: number
  readonly last: number
  /** The seal that the first batch continues, and that of the last batch, in base64url. */
  readonly previous: string
  readonly seal: string
  readonly batches: number
  /** The bytes of the batches before they were packed. */
  readonly bytes: number
  readonly dictionary: FilePart & { readonly unpacked: number }
  readonly pages: readonly IndexPage[]
}

/** A part of a file, and its checksum in base64url. */
export type FilePart = { readonly offset: number; readonly length: number; readonly checksum: string }

/** A page of the index, with the first entry that it leads to. */
export type IndexPage = FilePart & { readonly first: number }

/** Where a block lies. */
export type BlockPlace = {
  /** Its first entry. */
  readonly first: number
  readonly offset: number
  readonly packed: number
  readonly unpacked: number
  readonly checksum: Buffer
  /** The seal before the first batch that begins in the block; zeros where none does. */
  readonly previous: Buffer
}

/** Where the archive of the journal in a folder is: beside it, and perhaps a link to another disk. */
export const archiveOf = (journalPath: string): string => join(dirname(journalPath), 'archive')

export const archiveFormat = 1
export const magic = Buffer.from('archive1')
export const trailerBytes = 4 + checksumBytes + magic.length

/** Where an archive ends, and the seal of the batch there. */
export type ArchiveEnd = { readonly sequence: number; readonly seal: Buffer }

const placeBytes = 24 + 2 * checksumBytes

/** Places of a page of the index, but of the last, which may have fewer. */
export const placesPerPage = 64

/** The places of a page as they are stored. */
export const packPlaces = (places: readonly BlockPlace[]): Buffer => {
  const page = Buffer.alloc(placeBytes * places.length)
  places.forEach(({ first, offset, packed, unpacked, checksum, previous }, n) => {
    const at = n * placeBytes
    page.writeBigUInt64LE(BigInt(first), at)
    page.writeBigUInt64LE(BigInt(offset), at + 8)
    page.writeUInt32LE(packed, at + 16)
    page.writeUInt32LE(unpacked, at + 20)
    checksum.copy(page, at + 24)
    previous.copy(page, at + 24 + checksumBytes)
  })
  return page
}

/** How many places are in so many bytes. */
export const placesIn = (bytes: number): number => bytes / placeBytes

/** A place of a page by its number. */
export const placeAt = (page: Buffer, n: number): BlockPlace => {
  const at = n * placeBytes
  return {
    first: Number(page.readBigUInt64LE(at)),
    offset: Number(page.readBigUInt64LE(at + 8)),
    packed: page.readUInt32LE(at + 16),
    unpacked: page.readUInt32LE(at + 20),
    checksum: page.subarray(at + 24, at + 24 + checksumBytes),
    previous: page.subarray(at + 24 + checksumBytes, at + placeBytes),
  }
}

/** Entries of one batch that lie in one block, as a batch of their own. */
export type Piece = {
  /** The first entry of the batch that they were cut of, and how many that has. */
  readonly batchFirst: number
  readonly batchCount: number
  /** The first entry of the piece. */
  readonly first: number
  readonly bytes: Buffer
}

const pieceHeadBytes = 20

/** A block before it is packed. */
export const joinPieces = (pieces: readonly Piece[]): Buffer =>
  Buffer.concat(
    pieces.flatMap(({ batchFirst, batchCount, first, bytes }) => {
      const head = Buffer.alloc(pieceHeadBytes)
      head.writeBigUInt64LE(BigInt(batchFirst), 0)
      head.writeUInt32LE(batchCount, 8)
      head.writeUInt32LE(first - batchFirst, 12)
      head.writeUInt32LE(bytes.length, 16)
      return [head, bytes]
    }),
  )

/** The pieces of an unpacked block, in order. */
export const piecesIn = function* (block: Buffer): Generator<Piece> {
  for (let at = 0; at < block.length; ) {
    const batchFirst = Number(block.readBigUInt64LE(at))
    const start = at + pieceHeadBytes
    const length = block.readUInt32LE(at + 16)
    yield {
      batchFirst,
      batchCount: block.readUInt32LE(at + 8),
      first: batchFirst + block.readUInt32LE(at + 12),
      bytes: block.subarray(start, start + length),
    }
    at = start + length
  }
}

const digits = 16
const nameOfFile = /^(\d{16})-(\d{16})\.entries$/

export const partialSuffix = '.partial'

/** The name of a file with the entries from one to another: a listing of the folder is in order, and shows gaps. */
export const fileName = (first: number, last: number): string =>
  `${String(first).padStart(digits, '0')}-${String(last).padStart(digits, '0')}.entries`

/** The entries that a file's name says; null for a file of another kind. */
export const rangeOfName = (name: string): { readonly first: number; readonly last: number } | null => {
  const found = nameOfFile.exec(name)
  return found === null ? null : { first: Number(found[1]), last: Number(found[2]) }
}
