import { join } from 'node:path'
import type { Test } from 'tap'
import type { Entry } from '../../engine/kernel/entry.ts'
import { packJournal } from '../../persistence/archive/pack.ts'
import { recordText } from '../../persistence/cluster/directory-record.ts'
import { type LogRecord, packRecord, placedAt } from '../../persistence/cluster/record.ts'
import {
  openReplicaStore,
  positionAfter,
  type ReplicaStore,
  wholeUpTo,
} from '../../persistence/cluster/replica-store.ts'
import { packBatch } from '../../persistence/codec/codec.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { text } from '../../persistence/codec/layout.ts'
import { claimDataDirectory } from '../../persistence/home/data-directory.ts'
import { flushedUpTo, openJournal } from '../../persistence/journal/journal.ts'
import { newDataDir } from '../e2e/service.ts'
import { seeded } from '../engine/world.ts'
import { backUp, packedAtOnce, startMs, type TimedFact } from './used-directory.ts'

/** What a node of a cluster receives: entries in records of all sizes, renewals, and claims of owners that follow on each other. */
export const openUsedLog = async (
  t: Test,
  seed: number,
  shards: readonly (readonly Entry[])[],
  facts: readonly TimedFact[],
) => {
  const dataDir = newDataDir(t)
  const claimed = await claimDataDirectory(dataDir, { cluster: 'test', node: 'a' })
  const data = await claimed.settle(shards.length, shards.length, () => 'key')
  const entropy = seeded(seed)
  const random = (below: number): number => entropy() % below
  const stores = shards.map((_, shard) => openReplicaStore(join(data.shardPath(shard), 'log')))
  const directory = openJournal<string>(data.directoryPath, text(), { commits: 0, entries: 0, bytes: 0 })
  let nowMs = startMs
  let last: string | null = null

  const append = (store: ReplicaStore, kind: LogRecord['kind'], entries: readonly Entry[]): Promise<void> => {
    const before = store.position()
    const epoch = kind === 'CLAIM' ? before.epoch + 1 : before.epoch
    const by = { node: epoch % 2 === 0 ? 'b' : 'a', incarnation: '1' }
    const count = entries.length
    const record = { by, epoch, kind, previous: before.head, first: before.entries + 1, count, to: null }
    const bytes = packRecord(
      { ...record, published: before.entries },
      count === 0 ? null : packBatch(entryLayout, entries),
    )
    const placed = placedAt(before.applied + 1, bytes)
    return store.write([placed], positionAfter(before, placed)!)
  }

  const addFacts = async (): Promise<void> => {
    for (let n = directory.appended(); n < facts.length; n++) {
      const { fact, atMs } = facts[n]!
      if ((atMs ?? 0) > nowMs) return
      last = recordText({ id: `${n}`, node: 'a', fact }, last)
      await flushedUpTo(directory, directory.append(last))
    }
  }

  const addRecords = async (store: ReplicaStore, entries: readonly Entry[]): Promise<void> => {
    if (store.position().epoch === 0 || random(8) === 0) await append(store, 'CLAIM', [])
    while ((entries[store.position().entries]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const { entries: first } = store.position()
      const due = entries.slice(first, first + 1 + random(30))
      await append(store, 'BATCH', due)
      if (random(4) === 0) await append(store, 'BATCH', [])
    }
  }

  return {
    random,
    /** Lets so many milliseconds pass. */
    load: async (ms: number): Promise<void> => {
      for (const endMs = nowMs + ms; nowMs < endMs; ) {
        nowMs += 1 + random(400)
        await addFacts()
        for (const [shard, store] of stores.entries()) await addRecords(store, shards[shard]!)
      }
    },
    /** Packs all but the newest entries. */
    pack: async (): Promise<void> => {
      for (const { batches, position, read } of stores) {
        await packJournal(batches, position().entries - 20, packedAtOnce)
        if (wholeUpTo(read).head !== position().head) throw new Error('records are not what they were')
      }
    },
    backup: (after: string | null = null) =>
      backUp(t, dataDir, after, async () => ({
        atMs: nowMs,
        ends: { directory: directory.flushed(), shards: stores.map((store) => store.position().applied) },
      })),
    close: async (): Promise<void> => {
      for (const store of stores) await store.close()
      await directory.close()
      await data.release()
    },
  }
}
