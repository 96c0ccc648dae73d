/**
 * Archives: the old part of a shard's journal, packed into files of bounded size. Seals go on unbroken from file to file and into the
 * journal, so both are one log.
 */

import { HistoryUnavailable } from '../../engine/kernel/unavailable.ts'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
import { batchSize, joinedBatch } from '../codec/codec.ts'
import { type OpenBatch, openBatch, type StoredBatch, sealBatch } from '../codec/sealed-batch.ts'
import { historyError, newOpenFiles } from './files.ts'
import { type ArchiveEnd, type Piece, piecesIn } from './format.ts'
import { type ArchiveFile, DamagedArchive, openArchiveFile } from './read-file.ts'

/**
 * The files of one shard. Its functions throw `HistoryUnavailable` where a file is away, cannot be read or is damaged: what is damaged is
 * never returned.
 */
export type Archive = {
  /** The folder, for messages. */
  readonly path: string
  /** Some entries of a batch, this one among them, as a batch of their own. Reads one block. */
  readonly piece: (sequence: number) => StoredBatch
  /** The whole batch with an entry. */
  readonly at: (sequence: number) => OpenBatch
  /** The batches from the one with this entry on, to the end of the archive. */
  readonly from: (sequence: number) => Generator<OpenBatch>
  /** Why its last file, whose end is its own, cannot be read; null when it can. */
  readonly trouble: () => HistoryUnavailable | null
  /** How many bytes its batches take when they are not packed. */
  readonly unpackedBytes: () => number
  readonly close: () => void
}

/** Opens the archive in a folder, as far as its journal says that it goes. Nothing is read before it is asked for. */
export const openArchive = (path: string, identity: string, end: () => ArchiveEnd): Archive => {
  const files = newOpenFiles(path, identity)
  const blocks = newBlockCache()

  const reading = <Value>(sequence: number, work: (file: ArchiveFile) => Value): Value => {
    const file = files.with(sequence)
    try {
      return work(file)
    } catch (error) {
      files.forget(file)
      throw historyError(file.path, error)
    }
  }

  const pieceWith = (file: ArchiveFile, sequence: number): Piece => {
    const number = file.blockWith(sequence)
    const pieces = blocks.of(file, number)
    const found = pieces[firstWhere(1, pieces.length, (n) => pieces[n]!.first > sequence) - 1]!
    if (sequence > lastOf(found)) throw new DamagedArchive(`${file.path} is damaged at entry ${sequence}`)
    return found
  }

  const from = function* (sequence: number): Generator<OpenBatch> {
    for (let next = sequence; next <= end().sequence; ) {
      const known = files.with(next)
      try {
        // With a handle of its own: others are closed when many files are read meanwhile.
        const file = openArchiveFile(known.path)
        try {
          for (const batch of batchesFrom(file, pieceWith(file, next).batchFirst)) yield batch
        } finally {
          file.close()
        }
      } catch (error) {
        files.forget(known)
        throw historyError(known.path, error)
      }
      next = known.footer.last + 1
    }
  }

  return {
    path,
    piece: (sequence) =>
      reading(sequence, (file) => {
        const piece = pieceWith(file, sequence)
        return { first: piece.first, last: lastOf(piece), bytes: piece.bytes }
      }),
    at: (sequence) =>
      reading(sequence, (file) => {
        for (const batch of batchesFrom(file, pieceWith(file, sequence).batchFirst)) return batch
        throw new DamagedArchive(`${file.path} is damaged at entry ${sequence}`)
      }),
    from,
    trouble: () => {
      const { sequence, seal } = end()
      if (sequence === 0) return null
      try {
        const { path: last, footer } = files.with(sequence)
        if (footer.last === sequence && footer.seal === seal.toString('base64url')) return null
        return new HistoryUnavailable(`${last} does not end as its journal says`)
      } catch (error) {
        return historyError(path, error)
      }
    },
    unpackedBytes: () => {
      let bytes = 0
      for (let next = 1; next <= end().sequence; ) {
        const { footer } = files.with(next)
        bytes += footer.bytes
        next = footer.last + 1
      }
      return bytes
    },
    close: files.close,
  }
}

/** The batches of a file from the one that begins with this entry on. Throws where one is damaged or missing. */
export const batchesFrom = function* (file: ArchiveFile, first: number): Generator<OpenBatch> {
  let seal: Buffer | null = null
  let pieces: Piece[] = []
  for (let number = file.blockWith(first); number < file.blocks; number++) {
    const place = file.place(number)
    let isKnown = false
    for (const piece of piecesIn(file.block(place))) {
      // The rest of a batch that begins in an earlier block is nothing that was asked for.
      const begins = piece.first === piece.batchFirst
      if (seal === null && !begins) continue
      if (begins && !isKnown) {
        isKnown = true
        seal ??= Buffer.from(place.previous)
        if (!place.previous.equals(seal)) throw damagedAt(file, piece.first)
      }
      pieces.push(piece)
      if (lastOf(piece) < piece.batchFirst + piece.batchCount - 1) continue
      const batch = sealed(pieces, seal!)
      pieces = []
      seal = Buffer.from(batch.seal)
      if (batch.first >= first) yield batch
    }
  }
  const isEnd = pieces.length === 0 && seal?.toString('base64url') === file.footer.seal
  if (!isEnd) throw damagedAt(file, file.footer.last)
}

/** The batch of these pieces, which continues a seal. */
const sealed = (pieces: readonly Piece[], previous: Buffer): OpenBatch => {
  const { batchFirst } = pieces[0]!
  return openBatch(
    sealBatch(batchFirst, joinedBatch(pieces.map(({ bytes }) => bytes)), previous),
    batchFirst,
  )!
}

const damagedAt = ({ path }: ArchiveFile, sequence: number): DamagedArchive =>
  new DamagedArchive(`${path} is damaged at entry ${sequence}`)

const lastOf = ({ first, bytes }: Piece): number => first + batchSize(bytes) - 1

/** The blocks read last, up to a number of bytes. */
const newBlockCache = () => {
  const kept = new Map<string, { readonly pieces: readonly Piece[]; readonly bytes: number }>()
  let bytes = 0
  return {
    /** The pieces of a file's block. */
    of: (file: ArchiveFile, number: number): readonly Piece[] => {
      const key = `${file.footer.first} ${number}`
      const known = kept.get(key)
      kept.delete(key)
      if (known === undefined) {
        const block = file.block(file.place(number))
        kept.set(key, { pieces: [...piecesIn(block)], bytes: block.length })
        bytes += block.length
      } else kept.set(key, known)
      for (const [oldest, { bytes: less }] of kept) {
        if (bytes <= bounds.archiveCacheBytes || oldest === key) break
        kept.delete(oldest)
        bytes -= less
      }
      return kept.get(key)!.pieces
    },
  }
}
