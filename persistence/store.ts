import { open } from 'lmdb'
import type { Account } from '../engine/account/account.ts'
import type { Kept } from '../engine/ports.ts'
import { pack, unpack } from './codec.ts'
import { requireSpace } from './disk-space.ts'
import type { IndexFact } from './index-facts.ts'
import { readSegment } from './segments.ts'

/** What one checkpoint writes, all of it or nothing. */
export type Checkpoint = {
  /** The journal position that the store stands for afterwards. */
  readonly sequence: number
  /** The accounts that changed. */
  readonly accounts: readonly (readonly [id: string, account: Kept<Account>])[]
  /** What the index learned, in order. */
  readonly segments: readonly Buffer[]
}

/** The snapshot of a shard: one LMDB environment beside its journal. It can always be made again from the journal. */
export type Store = {
  readonly sequence: () => number
  /** A random number of this store's own, for hashes that nobody outside can predict. */
  readonly seed: number
  readonly accounts: () => Iterable<readonly [id: string, account: Kept<Account>]>
  readonly facts: () => Iterable<IndexFact>
  readonly write: (checkpoint: Checkpoint) => Promise<void>
  readonly close: () => Promise<void>
}

export const openStore = (path: string, newSeed: () => number): Store => {
  const root = open<Buffer, string>({ path, encoding: 'binary', cache: false, maxDbs: 4 })
  const accounts = root.openDB<Buffer, string>({ name: 'accounts', encoding: 'binary' })
  const segments = root.openDB<Buffer, number>({ name: 'facts', encoding: 'binary' })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  const position = meta.get('position')
  let { sequence, seed, segmentCount } =
    position === undefined
      ? { sequence: 0, seed: newSeed(), segmentCount: 0 }
      : (unpack(position) as { sequence: number; seed: number; segmentCount: number })

  const write = async (checkpoint: Checkpoint): Promise<void> => {
    const packedAccounts = checkpoint.accounts.map(([id, account]) => [id, pack(account)] as const)
    const packed = [...checkpoint.segments, ...packedAccounts.map(([, bytes]) => bytes)]
    requireSpace(
      path,
      packed.reduce((sum, { length }) => sum + length, 0),
    )
    // All of these are issued in one turn of the event loop: lmdb-js commits them in one transaction.
    for (const bytes of checkpoint.segments) segments.put(segmentCount++, bytes)
    for (const [id, bytes] of packedAccounts) accounts.put(id, bytes)
    await meta.put('position', pack({ sequence: checkpoint.sequence, seed, segmentCount }))
    sequence = checkpoint.sequence
  }

  return {
    sequence: () => sequence,
    seed,
    accounts: function* () {
      for (const { key, value } of accounts.getRange()) yield [key, unpack(value) as Kept<Account>] as const
    },
    facts: function* () {
      for (const { value } of segments.getRange()) yield* readSegment(value)
    },
    write,
    close: () => root.close(),
  }
}

/** A snapshot of nothing: whoever stands on it replays the whole journal. */
export const emptyStore = (): Store => ({
  sequence: () => 0,
  seed: 0,
  accounts: () => [],
  facts: () => [],
  write: async () => undefined,
  close: async () => undefined,
})
