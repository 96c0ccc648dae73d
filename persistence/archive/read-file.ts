import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
import { checksumBytes, checksumOf } from '../base/checksum.ts'
import {
  archiveFormat,
  type BlockPlace,
  type FilePart,
  type Footer,
  magic,
  placeAt,
  placesIn,
  placesPerPage,
  rangeOfName,
  trailerBytes,
} from './format.ts'

/** Bytes of an archive file are not what was written. */
export class DamagedArchive extends Error {}

/** An open archive file. Whatever is read of it is checked. */
export type ArchiveFile = {
  readonly path: string
  readonly footer: Footer
  readonly fileBytes: number
  /** The number of the block with this entry. */
  readonly blockWith: (sequence: number) => number
  /** How many blocks there are. */
  readonly blocks: number
  readonly place: (block: number) => BlockPlace
  readonly block: (place: BlockPlace) => Buffer
  /** The packed bytes of a block, checked. */
  readonly packedBlock: (place: BlockPlace) => Buffer
  readonly dictionary: () => Buffer
  readonly close: () => void
}

/** Opens an archive file. Throws `DamagedArchive`, or the error of the file system. */
export const openArchiveFile = (path: string): ArchiveFile => {
  const file = openSync(path, 'r')
  try {
    return fileOn(path, file)
  } catch (error) {
    closeSync(file)
    throw error
  }
}

const fileOn = (path: string, file: number): ArchiveFile => {
  const fileBytes = fstatSync(file).size
  const damaged = (): DamagedArchive => new DamagedArchive(`${path} is damaged`)

  const bytesAt = (offset: number, length: number): Buffer => {
    if (offset < 0 || offset + length > fileBytes) throw damaged()
    const bytes = Buffer.allocUnsafe(length)
    for (let read = 0; read < length; ) {
      const more = readSync(file, bytes, read, length - read, offset + read)
      if (more === 0) throw damaged()
      read += more
    }
    return bytes
  }
  const checkedPart = (offset: number, length: number, checksum: Buffer): Buffer => {
    const bytes = bytesAt(offset, length)
    if (!checksumOf(bytes).equals(checksum)) throw damaged()
    return bytes
  }
  const part = ({ offset, length, checksum }: FilePart): Buffer =>
    checkedPart(offset, length, Buffer.from(checksum, 'base64url'))
  const unpacked = (packed: Buffer, length: number, dictionary?: Buffer): Buffer => {
    try {
      const bytes = inflateRawSync(packed, {
        chunkSize: Math.max(64, length),
        ...(dictionary && { dictionary }),
      })
      if (bytes.length === length) return bytes
    } catch {
      // What zlib says is no help to who reads it: the block is damaged.
    }
    throw damaged()
  }

  const footer = readFooter(path, fileBytes, bytesAt, damaged)
  let dictionary: Buffer | null = null
  /** Some of the pages of the index that were read. */
  const pages = new Map<number, Buffer>()
  const pageAt = (number: number): Buffer => {
    const known = pages.get(number)
    if (known !== undefined) return known
    if (pages.size >= bounds.archivePagesMax) pages.clear()
    const page = part(footer.pages[number]!)
    pages.set(number, page)
    return page
  }
  const packedBlock = ({ offset, packed, checksum }: BlockPlace): Buffer =>
    checkedPart(offset, packed, checksum)
  const readDictionary = (): Buffer => {
    dictionary ??= unpacked(part(footer.dictionary), footer.dictionary.unpacked)
    return dictionary
  }

  return {
    path,
    footer,
    fileBytes,
    blockWith: (sequence) => {
      const { pages } = footer
      const number = firstWhere(1, pages.length, (n) => pages[n]!.first > sequence) - 1
      const bytes = pageAt(number)
      const places = placesIn(bytes.length)
      return number * placesPerPage + firstWhere(1, places, (n) => placeAt(bytes, n).first > sequence) - 1
    },
    blocks: (footer.pages.length - 1) * placesPerPage + placesIn(footer.pages.at(-1)!.length),
    place: (block) => placeAt(pageAt(Math.floor(block / placesPerPage)), block % placesPerPage),
    block: (place) =>
      unpacked(
        packedBlock(place),
        place.unpacked,
        footer.dictionary.unpacked === 0 ? undefined : readDictionary(),
      ),
    packedBlock,
    dictionary: readDictionary,
    close: () => closeSync(file),
  }
}

const readFooter = (
  path: string,
  fileBytes: number,
  bytesAt: (offset: number, length: number) => Buffer,
  damaged: () => DamagedArchive,
): Footer => {
  const trailer = bytesAt(fileBytes - trailerBytes, trailerBytes)
  const checksum = trailer.subarray(4, 4 + checksumBytes)
  const start = fileBytes - trailerBytes - trailer.readUInt32LE(0)
  const isFramed = trailer.subarray(4 + checksumBytes).equals(magic) && bytesAt(0, magic.length).equals(magic)
  if (!isFramed) throw damaged()
  const text = bytesAt(start, trailer.readUInt32LE(0))
  if (!checksumOf(text).equals(checksum)) throw damaged()
  const footer = JSON.parse(text.toString('utf8')) as Footer
  if (footer.format > archiveFormat)
    throw new DamagedArchive(
      `${path} has archive format ${footer.format}; this program reads up to ${archiveFormat}: start a newer version of the service`,
    )
  const named = rangeOfName(basename(path))
  if (named !== null && (named.first !== footer.first || named.last !== footer.last))
    throw new DamagedArchive(
      `${path} holds entries ${footer.first} to ${footer.last}, and not those of its name`,
    )
  return footer
}
