import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readSync, realpathSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Msg, Subscription } from '@nats-io/transport-node'
import { rangesIn } from '../archive/files.ts'
import { archiveOf, fileName } from '../archive/format.ts'
import { bounds } from '../base/bounds.ts'
import { checksumBytes } from '../base/checksum.ts'
import { codecVersion } from '../codec/layout.ts'
import { requireSpace } from '../disk/disk-space.ts'
import { copyEnvironment, hasEnvironment, settleCopy } from '../disk/environment.ts'
import { recordedArchiveEnd } from '../home/archive-place.ts'
import {
  type CopiedFile,
  type CopiedPart,
  type CopyOffer,
  type CopyRequest,
  copyDigest,
  packChunk,
} from './copy-request.ts'
import { logIn } from './log-folder.ts'
import { copySubject } from './names.ts'
import type { OpenMember } from './open-member.ts'

/** The copies that a worker gives to nodes which lack a shard. */
export type CopySource = {
  /** Begins to give copies of a shard, whose folder this is. */
  readonly serve: (shard: number, path: string) => void
  readonly close: () => Promise<void>
}

/**
 * Answers nodes that ask for a copy of a shard, while its log is open here. A copy is one commit of each environment, the snapshot's
 * before the log's, so that the snapshot is not ahead; LMDB makes it beside the work of this thread. Files of the archive never change,
 * and are read where they are.
 */
export const openCopySource = (member: OpenMember): CopySource => {
  const copies = new Map<string, Copy>()
  const subscriptions = new Map<number, Subscription>()

  const remove = async (copy: Copy): Promise<void> => {
    clearTimeout(copy.idle)
    if (copies.get(copy.by) === copy) copies.delete(copy.by)
    for (const { handle } of copy.files) await handle?.then((file) => file.close()).catch(() => undefined)
    await rm(copy.folder, { recursive: true, force: true })
  }

  const offer = (shard: number, path: string, { by, reads }: BeginCopy): CopyOffer => {
    const known = copies.get(by)
    if (known !== undefined) {
      known.idle.refresh()
      const { state, reason, id, files } = known
      if (state === 'READY') return { state, id, files: files.map(({ path, bytes }) => ({ path, bytes })) }
      if (state === 'MAKING') return { state }
      void remove(known)
      return { state: 'REFUSED', reason }
    }
    const replica = member.replicas.get(shard)
    if (replica === undefined || replica.role() === 'FORKED' || replica.position().applied === 0)
      return { state: 'REFUSED', reason: 'this node has no log of the shard' }
    if (copies.size >= bounds.copiesGivenMax) return { state: 'BUSY' }
    const id = randomUUID()
    const copy: Copy = {
      id,
      by,
      folder: join(copiesIn(path), id),
      state: 'MAKING',
      reason: '',
      files: [],
      made: Promise.resolve(),
      idle: setTimeout(() => {
        if (copy.state === 'MAKING') copy.idle.refresh()
        else void remove(copy)
      }, bounds.copyIdleMs).unref(),
    }
    copies.set(by, copy)
    copy.made = makeCopy(path, copy, reads).then(
      () => {
        copy.state = 'READY'
        member.log.info({ shard, bytes: bytesOf(copy.files) }, 'a node that lacks the shard fetches a copy')
      },
      (error: Error) => {
        copy.state = 'FAILED'
        copy.reason = error.message
      },
    )
    return { state: 'MAKING' }
  }

  const answer = async (shard: number, path: string, message: Msg): Promise<void> => {
    const request = message.json<CopyRequest>()
    if (request.type === 'BEGIN') {
      message.respond(JSON.stringify(offer(shard, path, request)))
      return
    }
    const copy = [...copies.values()].find(({ id }) => id === request.id)
    if (copy === undefined) return void message.respond()
    copy.idle.refresh()
    if (request.type === 'READ') return void message.respond(await readChunk(copy, request))
    message.respond(copyDigest(copy.files.flatMap(checksumsOf)))
    await remove(copy)
  }

  return {
    serve: (shard, path) => {
      // What a process that was killed has left.
      if (!subscriptions.has(shard)) rmSync(copiesIn(path), { recursive: true, force: true })
      subscriptions.get(shard)?.unsubscribe()
      const subscription = member.connection.subscribe(copySubject(member.cluster, member.self.node, shard), {
        callback: (error, message) => {
          if (error !== null) return
          answer(shard, path, message).catch((failure: unknown) => {
            member.log.warn({ shard, err: failure }, 'a copy of a shard is not given')
            message.respond()
          })
        },
      })
      subscriptions.set(shard, subscription)
    },
    close: async () => {
      for (const subscription of subscriptions.values()) subscription.unsubscribe()
      for (const copy of [...copies.values()]) {
        await copy.made
        await remove(copy)
      }
    },
  }
}

type BeginCopy = Extract<CopyRequest, { readonly type: 'BEGIN' }>

type Copy = {
  readonly id: string
  readonly by: string
  readonly folder: string
  state: 'MAKING' | 'READY' | 'FAILED'
  reason: string
  files: readonly GivenFile[]
  /** Resolves when it is made, or has failed. */
  made: Promise<void>
  readonly idle: NodeJS.Timeout
}

type GivenFile = CopiedFile & {
  /** Where it is read. */
  readonly at: string
  handle: Promise<FileHandle> | null
  /** The checksums of the parts that were read, by where these begin. */
  readonly checksums: Map<number, Buffer>
}

/** Where a node keeps the copies that it gives of a shard. */
const copiesIn = (path: string): string => join(path, 'copies')

const bytesOf = (files: readonly CopiedFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

const makeCopy = async (path: string, copy: Copy, reads: number): Promise<void> => {
  const { folder } = copy
  // The snapshot first: what it covers is in the log by then. That of a newer build is nothing to an older one, which makes its own.
  const environments = (reads < codecVersion ? ['log'] : ['state', 'log']).filter((name) =>
    hasEnvironment(join(path, name)),
  )
  requireSpace(
    path,
    environments.reduce((sum, name) => sum + statSync(join(path, name, 'data.mdb')).size, 0),
  )
  const copied: string[] = []
  for (const name of environments) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    await copyEnvironment(join(path, name), join(folder, name))
    // A snapshot that was never written has no position, and is made from the log.
    if (await settleCopy(join(folder, name), 'meta', 'position', true)) copied.push(name)
  }
  copy.files = [
    ...copied.map((name) => fileAt(join(name, 'data.mdb'), join(folder, name, 'data.mdb'))),
    ...archiveFiles(path, recordedArchiveEnd(folder)?.sequence ?? 0),
  ]
}

const checksumsOf = ({ checksums }: GivenFile): readonly Buffer[] =>
  [...checksums].sort(([one], [other]) => one - other).map(([, checksum]) => checksum)

const fileAt = (path: string, at: string): GivenFile => ({
  path,
  at,
  bytes: statSync(at).size,
  handle: null,
  checksums: new Map(),
})

/** The files of a shard's archive with the entries up to this one. Throws where one is missing. */
const archiveFiles = (path: string, end: number): readonly GivenFile[] => {
  if (end === 0) return []
  const archive = archiveOf(logIn(path))
  if (!existsSync(archive)) throw new Error(`${archive} is away`)
  const folder = realpathSync(archive)
  const files: GivenFile[] = []
  let next = 1
  for (const { first, last } of rangesIn(folder)) {
    if (first !== next || last > end) continue
    files.push(fileAt(join('archive', fileName(first, last)), join(folder, fileName(first, last))))
    next = last + 1
  }
  if (next <= end) throw new Error(`${archive} has no file with entry ${next}`)
  return files
}

const readChunk = async ({ files }: Copy, { file, at, bytes: wanted }: CopiedPart): Promise<Buffer> => {
  const given = files[file]
  if (given === undefined || wanted > bounds.copyChunkBytes || at + wanted > given.bytes)
    return Buffer.alloc(0)
  given.handle ??= open(given.at, 'r')
  const bytes = Buffer.allocUnsafe(wanted)
  const handle = await given.handle
  // A copy was written here a moment ago, and the threads for files may all wait for flushes. An archive may be on a slow disk.
  const read = given.path.startsWith('archive')
    ? (await handle.read(bytes, 0, wanted, at)).bytesRead
    : readSync(handle.fd, bytes, 0, wanted, at)
  if (read < wanted) throw new Error(`${given.at} ends at ${at + read}`)
  const chunk = packChunk(bytes)
  given.checksums.set(at, Buffer.from(chunk.subarray(0, checksumBytes)))
  return chunk
}
