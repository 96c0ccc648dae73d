import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import type { ArchiveSettings } from '../base/settings.ts'
import type { Input, Operation } from '../operations/input.ts'
import { refuse, refuseInvalid } from '../problems/refusal.ts'
import type { LongOperation } from './long-operations.ts'

/** The archives of the running service, and how they are packed. */
export type Archives = {
  readonly states: () => Promise<readonly ShardArchive[]>
  /** Packs what is older than this in every shard; resolves to why shards ended early. */
  readonly pack: (olderThanMs: number) => Promise<readonly string[]>
  readonly settings: ArchiveSettings
}

export type ShardArchive = {
  readonly shard: number
  readonly path: string
  /** The last entry that is packed, and the last of the shard. */
  readonly entries: number
  readonly appended: number
  readonly trouble: string | null
}

/** The operation behind `payments archive status`. */
export const archiveStatus =
  (archives: Archives): Operation =>
  async () =>
    view(archives)

/** The operation behind `payments archive run`: packs, and reports progress. Packing goes on when its caller leaves. */
export const archiveRun =
  (archives: Archives): LongOperation =>
  async (input, { send, signal }) => {
    const days = daysOf(input) ?? archives.settings.afterDays ?? daysAtLeast
    let isOver = false
    const packing = archives.pack(days * dayMs).finally(() => {
      isOver = true
    })
    while (!isOver && !signal.aborted) {
      await Promise.race([packing, delay(bounds.archiveProgressMs)])
      const states = await archives.states()
      send({ entries: sumOf(states, 'entries'), of: sumOf(states, 'appended') })
    }
    if (!signal.aborted) {
      const troubles = await packing
      if (troubles.length > 0) refuse(troubles.join('; '))
    }
    return view(archives)
  }

const view = async ({ states, settings }: Archives): Promise<object> => {
  const found = [...(await states())].sort((a, b) => a.shard - b.shard)
  const shards = await Promise.all(
    found.map(async ({ shard, path, entries, appended, trouble }) => ({
      object: 'shard_archive',
      shard,
      packed: entries,
      entries: appended,
      ...(await sizeOf(path)),
      trouble,
    })),
  )
  return {
    object: 'archive',
    directory: settings.dir,
    afterDays: settings.afterDays,
    diskPercent: settings.diskPercent,
    packed: sumOf(found, 'entries'),
    entries: sumOf(found, 'appended'),
    bytes: shards.reduce((sum, { bytes }) => sum + bytes, 0),
    shards,
  }
}

/** The files of a folder; none where it is away. */
const sizeOf = async (path: string): Promise<{ readonly files: number; readonly bytes: number }> => {
  const names = await readdir(path).catch((): string[] => [])
  let bytes = 0
  for (const name of names)
    bytes += await stat(join(path, name)).then(
      ({ size }) => size,
      () => 0,
    )
  return { files: names.length, bytes }
}

const sumOf = (states: readonly ShardArchive[], member: 'entries' | 'appended'): number =>
  states.reduce((sum, state) => sum + state[member], 0)

const daysOf = ({ olderThanDays }: Input): number | null => {
  if (olderThanDays === undefined) return null
  const days = Number(olderThanDays)
  return Number.isInteger(days) && days >= 0 ? days : refuseInvalid('olderThanDays must be a whole number')
}

const dayMs = 24 * 3_600_000

/** Younger entries are often needed: deliveries are tried for two days. */
const daysAtLeast = 3
