import { checksumBytes, checksumOf } from '../base/checksum.ts'

/** What a node that lacks a shard asks of one that has it. */
export type CopyRequest =
  /** Has a copy made; asked again until it is ready. `by` is this attempt of the asking node, which reads stored data up to this version. */
  | { readonly type: 'BEGIN'; readonly by: string; readonly reads: number }
  /** A part of a file, at most `bounds.copyChunkBytes` long: answered by `packChunk`. */
  | ({ readonly type: 'READ'; readonly id: string } & CopiedPart)
  /** Ends the copy: answered by the digest of all that was read. */
  | { readonly type: 'END'; readonly id: string }

/** The answer to BEGIN. BUSY: others are served first. MAKING: the copy is being made. */
export type CopyOffer =
  | { readonly state: 'BUSY' | 'MAKING' }
  | { readonly state: 'REFUSED'; readonly reason: string }
  | { readonly state: 'READY'; readonly id: string; readonly files: readonly CopiedFile[] }

/** A file of a copy, by its place in a shard's folder. */
export type CopiedFile = { readonly path: string; readonly bytes: number }

/** A part of the file with this number. */
export type CopiedPart = { readonly file: number; readonly at: number; readonly bytes: number }

/** A part of a file behind its checksum. */
export const packChunk = (bytes: Buffer): Buffer => Buffer.concat([checksumOf(bytes), bytes])

/** The part of a file; null where it is not what was sent. */
export const unpackChunk = (chunk: Uint8Array): Buffer | null => {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const part = bytes.subarray(checksumBytes)
  return part.length > 0 && checksumOf(part).equals(bytes.subarray(0, checksumBytes)) ? part : null
}

/** The digest of a copy: the checksum of those of its parts, in order. */
export const copyDigest = (checksums: readonly Uint8Array[]): string =>
  checksumOf(Buffer.concat(checksums)).toString('base64url')
