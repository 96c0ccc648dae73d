import { open } from 'lmdb'
import type { Versioned } from '../../engine/kernel/ports.ts'
import type { Account } from '../../engine/ledger/account.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { pack, unpack } from '../codec/codec.ts'
import { requireSpace } from '../disk-space.ts'
import { limits } from '../limits.ts'
import { type SnapshotChanges, type StoredTableSnapshot, snapshotDescription } from './snapshot.ts'
import { newSnapshotWriter, type TableSnapshotRecord } from './snapshot-writer.ts'

/** The snapshot of a shard: one LMDB environment beside its journal. It can always be made again from the journal. */
export type Store = {
  /** The journal position that it represents; 0 if there is no snapshot, or one that this version cannot read. */
  readonly sequence: () => number
  /** Everything up to here was published. */
  readonly publishedSequence: number
  /** The store's random number, for hashes that cannot be predicted from outside. */
  readonly seed: number
  readonly accounts: () => Iterable<readonly [id: string, account: Versioned<Account>]>
  readonly cleared: () => readonly (readonly [AccountId, number])[]
  readonly tableSnapshots: () => Iterable<StoredTableSnapshot>
  /** Copies frozen columns and writes them, in slices. Afterwards the columns know where they are stored. */
  readonly write: (snapshot: SnapshotChanges, published?: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens or creates a shard's snapshot. */
export const openStore = (path: string, newSeed: () => number): Store => {
  const root = open<Buffer, string>({ path, encoding: 'binary', cache: false, maxDbs: 8 })
  const openShelf = <Key extends string | number>(name: string): Shelf<Key> => {
    const db = root.openDB<Buffer, Key>({ name, encoding: 'binary' })
    return {
      get: (key) => db.get(key),
      put: (key, bytes) => db.put(key, bytes),
      remove: (key) => db.remove(key),
      all: () => db.getRange().map(({ key, value }) => [key, value] as const),
      clear: () => db.clearAsync(),
    }
  }
  return storeOn(
    openShelf,
    newSeed,
    (bytes) => requireSpace(path, bytes),
    () => root.close(),
  )
}

/** An empty store in memory: a memory on top of it replays the whole journal. */
export const emptyStore = (seed = 0): Store =>
  storeOn(
    newShelf,
    () => seed,
    () => undefined,
    async () => undefined,
  )

/** Values by key. Puts of one turn of the event loop are written together and in order. */
type Shelf<Key> = {
  readonly get: (key: Key) => Buffer | undefined
  readonly put: (key: Key, bytes: Buffer) => Promise<unknown>
  readonly remove: (key: Key) => Promise<unknown>
  readonly all: () => Iterable<readonly [Key, Buffer]>
  readonly clear: () => Promise<unknown>
}

type Position = {
  readonly description: string
  readonly sequence: number
  readonly published: number
  readonly seed: number
  /** Values from this number on were left by an interrupted snapshot: nothing refers to them. */
  readonly nextValue: number
  readonly cleared: readonly (readonly [AccountId, number])[]
}

const storeOn = (
  openShelf: <Key extends string | number>(name: string) => Shelf<Key>,
  newSeed: () => number,
  requireSpace: (bytes: number) => void,
  close: () => Promise<void>,
): Store => {
  const meta = openShelf<string>('meta')
  const accounts = openShelf<string>('accounts')
  const tableSnapshots = openShelf<number>('tables')
  const values = openShelf<number>('values')
  const stored = meta.get('position')
  const found = stored && (unpack(stored) as Position)
  let isForeign = found !== undefined && found.description !== snapshotDescription
  let position: Position =
    found !== undefined && !isForeign
      ? found
      : {
          description: snapshotDescription,
          sequence: 0,
          published: found?.published ?? 0,
          seed: found?.seed ?? newSeed(),
          nextValue: 0,
          cleared: [],
        }

  let staging = Buffer.alloc(0)

  const write = async (snapshot: SnapshotChanges, published = snapshot.sequence): Promise<void> => {
    if (isForeign) await Promise.all([accounts, tableSnapshots, values].map((shelf) => shelf.clear()))
    isForeign = false
    if (staging.length === 0) staging = Buffer.from(new ArrayBuffer(limits.snapshotTurnBytes))
    const writer = newSnapshotWriter(position.nextValue, staging, async (value, bytes) => {
      requireSpace(bytes.length)
      await values.put(value, bytes)
    })
    const packedTables: (readonly [number, Buffer])[] = []
    for (const tableSnapshot of snapshot.tableSnapshots) {
      packedTables.push([tableSnapshot.number, await writer.write(tableSnapshot)])
      await writer.yieldIfDue()
    }
    const packedAccounts: (readonly [string, Buffer])[] = []
    for (const [id, account] of snapshot.accounts) {
      packedAccounts.push([id, pack(account)])
      await writer.yieldIfDue()
    }
    await writer.end()

    const { sequence, cleared, dropped } = snapshot
    const gone = [...writer.replaced, ...dropped.flatMap(({ values }) => values())]
    requireSpace([...packedTables, ...packedAccounts].reduce((sum, [, { length }]) => sum + length, 0))
    position = { ...position, sequence, published, nextValue: writer.nextValue(), cleared }
    // All issued in one turn of the event loop, so one transaction switches from the old snapshot to the new one:
    // before it nothing refers to the values above, after it nothing to the replaced ones.
    await Promise.all([
      ...packedTables.map(([number, packed]) => tableSnapshots.put(number, packed)),
      ...packedAccounts.map(([id, packed]) => accounts.put(id, packed)),
      ...dropped.map(({ number }) => tableSnapshots.remove(number)),
      ...gone.map((value) => values.remove(value)),
      meta.put('position', pack(position)),
    ])
  }

  return {
    sequence: () => position.sequence,
    publishedSequence: position.published,
    seed: position.seed,
    accounts: function* () {
      if (isForeign) return
      for (const [id, bytes] of accounts.all()) yield [id, unpack(bytes) as Versioned<Account>] as const
    },
    cleared: () => position.cleared,
    tableSnapshots: function* () {
      if (isForeign) return
      for (const [number, bytes] of tableSnapshots.all()) {
        const { head, columns } = unpack(bytes) as TableSnapshotRecord
        const read = Object.entries(columns).map(([name, { count, segments }]) => {
          const own = segments.map((segment) => ({
            ...segment,
            bytes: segment.value === null ? segment.bytes! : values.get(segment.value)!,
          }))
          return [name, { count, segments: own }] as const
        })
        yield { number, head, columns: Object.fromEntries(read) }
      }
    },
    write,
    close,
  }
}

const newShelf = <Key>(): Shelf<Key> => {
  const values = new Map<Key, Buffer>()
  return {
    get: (key) => {
      const bytes = values.get(key)
      return bytes && Buffer.from(bytes)
    },
    put: async (key, bytes) => values.set(key, Buffer.from(bytes)),
    remove: async (key) => values.delete(key),
    all: () => values.entries(),
    clear: async () => values.clear(),
  }
}
