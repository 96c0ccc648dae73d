import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { checksumOf } from '../base/checksum.ts'
import { delay, nextTurn } from '../base/delay.ts'
import { codecVersion } from '../codec/layout.ts'
import { requireSpace } from '../disk/disk-space.ts'
import {
  type CopiedFile,
  type CopiedPart,
  type CopyOffer,
  type CopyRequest,
  copyDigest,
  unpackChunk,
} from './copy-request.ts'

export type FetchOptions = {
  readonly connection: NatsConnection
  /** Where the node answers that has the shard. */
  readonly subject: string
  /** This attempt. */
  readonly by: string
  /** An empty folder, which gets the files of the shard. */
  readonly folder: string
  readonly isStopped: () => boolean
  readonly onProgress: (doneBytes: number, ofBytes: number) => void
}

/** The node serves others first: another one may have time. */
export class SourceBusy extends Error {}

/**
 * Fetches a copy of a shard from a node, which checks as a whole once it is on this disk. Rejects where the node gives none, dies, or sends
 * something else than it has read.
 */
export const fetchCopy = async (options: FetchOptions): Promise<void> => {
  const { folder, by } = options
  const { id, files } = await offered(options, by)
  requireKnown(files)
  requireSpace(
    folder,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  await fetchFiles(options, id, files)
  const digest = Buffer.from(await ask(options, { type: 'END', id })).toString()
  if (digest !== copyDigest(await checksumsOf(folder, files)))
    throw new Error('the copy on this disk is not what was sent')
}

/** Waits until the copy is made. */
const offered = async (options: FetchOptions, by: string) => {
  for (;;) {
    const offer = JSON.parse(
      Buffer.from(await ask(options, { type: 'BEGIN', by, reads: codecVersion })).toString(),
    ) as CopyOffer
    if (offer.state === 'READY') return offer
    if (offer.state === 'BUSY') throw new SourceBusy('it gives copies to others')
    if (offer.state === 'REFUSED') throw new Error(offer.reason)
    await delay(bounds.copyPauseMs)
  }
}

const ask = async (
  { connection, subject, isStopped }: FetchOptions,
  request: CopyRequest,
): Promise<Uint8Array> => {
  for (let tries = 1; ; tries++) {
    if (isStopped()) throw new Error('this node ends')
    try {
      const { data } = await connection.request(subject, JSON.stringify(request), {
        timeout: bounds.copyAnswerMs,
      })
      if (data.length > 0) return data
      throw new Error('the copy is not there any more')
    } catch (error) {
      if (tries >= bounds.copyTriesMax) throw error
      await delay(bounds.copyPauseMs)
    }
  }
}

/** Throws for a file that has no place in a shard’s folder. */
const requireKnown = (files: readonly CopiedFile[]): void => {
  const foreign = files.find(({ path }) => !placeOfFile.test(path))
  if (foreign !== undefined) throw new Error(`a copy has the file ${foreign.path}`)
}

const placeOfFile = /^((log|state)\/data\.mdb|archive\/\d+-\d+\.entries)$/

/** Fetches all parts of the files, several at once, and resolves when they are on disk; their names are when they are put into place. */
const fetchFiles = async (options: FetchOptions, id: string, files: readonly CopiedFile[]): Promise<void> => {
  const { folder, onProgress } = options
  const of = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const handles: FileHandle[] = []
  try {
    for (const { path } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
      handles.push(await open(join(folder, path), 'w', 0o600))
    }
    const parts = allChunks(files)
    let done = 0
    const fetchParts = async (): Promise<void> => {
      for (const wanted of parts) {
        const { file, at, bytes } = wanted
        const part = await readPart(options, { type: 'READ', id, ...wanted })
        if (part.length !== bytes) throw new Error('a part of the copy is not as long as it should be')
        await handles[file]!.write(part, 0, bytes, at)
        done += part.length
        onProgress(done, of)
      }
    }
    await Promise.all(Array.from({ length: bounds.copyChunksTogether }, fetchParts))
    await Promise.all(handles.map((handle) => handle.sync()))
  } finally {
    for (const handle of handles) await handle.close()
  }
}

const allChunks = function* (files: readonly CopiedFile[]): Generator<CopiedPart> {
  for (const [file, { bytes }] of files.entries())
    for (let at = 0; at < bytes; at += bounds.copyChunkBytes)
      yield { file, at, bytes: Math.min(bounds.copyChunkBytes, bytes - at) }
}

/** A part that arrives damaged is asked for again. */
const readPart = async (options: FetchOptions, request: CopyRequest): Promise<Buffer> => {
  for (let tries = 1; tries <= bounds.copyTriesMax; tries++) {
    const part = unpackChunk(await ask(options, request))
    if (part !== null) return part
  }
  throw new Error('a part of the copy arrives damaged each time')
}

/** The checksums of all parts as they lie on this disk. They were written a moment ago: reading one takes no time. */
const checksumsOf = async (folder: string, files: readonly CopiedFile[]): Promise<readonly Buffer[]> => {
  const checksums: Buffer[] = []
  const buffer = Buffer.allocUnsafe(bounds.copyChunkBytes)
  for (const { path, bytes } of files) {
    const file = openSync(join(folder, path), 'r')
    try {
      for (let at = 0; at < bytes; at += buffer.length) {
        const read = readSync(file, buffer, 0, Math.min(buffer.length, bytes - at), at)
        checksums.push(checksumOf(buffer.subarray(0, read)))
        await nextTurn()
      }
    } finally {
      closeSync(file)
    }
  }
  return checksums
}
