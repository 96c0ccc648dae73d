import type { Database } from 'lmdb'
import type { Versioned } from '../../engine/kernel/ports.ts'
import type { Account } from '../../engine/ledger/account.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { isStored, sealBytes, sealedHeadBytes } from '../base/column-code.ts'
import { columnKey, DamagedColumns, markStored } from '../base/columns.ts'
import type { StoredRun, ValueRange } from '../base/keys/key-run.ts'
import type { KeyMerge } from '../base/keys/keys.ts'
import type { Beside } from '../base/pager.ts'
import { NewerVersionRefusal, pack, unpack } from '../codec/codec.ts'
import { checkedValue, withChecksum } from '../disk/checked-value.ts'
import { Damaged } from '../disk/damage.ts'
import { requireSpace } from '../disk/disk-space.ts'
import { committed, lentValue, openEnvironment } from '../disk/environment.ts'
import { closeRewritten, markForRewriting } from '../disk/rewritten.ts'
import { hasShelves } from '../disk/shelf-names.ts'
import { doneAt, type EventProgress } from '../stream/stream.ts'
import { type SnapshotChanges, type StoredTableSnapshot, snapshotDescription } from './snapshot.ts'
import { newSnapshotWriter, type TableSnapshotRecord, type ValueNumbers } from './snapshot-writer.ts'

/** The snapshot of a shard: one LMDB environment beside its journal. It can always be made again from the journal. */
export type Store = {
  /** The journal position that it represents; 0 if there is no snapshot, or one that this version cannot read. */
  readonly sequence: () => number
  /** The journal's seal at that position; with another seal the snapshot belongs to another journal. */
  readonly seal: () => string
  /** Forgets the snapshot, which is overwritten by the next one. */
  readonly discard: () => void
  /** How far the outboxes had come. */
  readonly progress: EventProgress
  /** The store's random number, for hashes that cannot be predicted from outside. */
  readonly seed: number
  readonly accounts: () => Iterable<readonly [id: string, account: Versioned<Account>]>
  readonly cleared: () => readonly (readonly [AccountId, number])[]
  readonly tableSnapshots: () => Iterable<StoredTableSnapshot>
  /** Runs of keys, the newest first. */
  readonly keyRuns: () => readonly StoredRun[]
  /** A stored value as it lies on the disk, valid until the next is read: its reader checks it. Throws when it is missing. */
  readonly read: (key: number) => Uint8Array
  readonly beside: Beside
  /** Makes one run of several, in slices, unless it is stopped. The next snapshot refers to it. */
  readonly merge: (merge: KeyMerge, isStopped: () => boolean) => Promise<void>
  /** Copies frozen columns and writes them, in slices. Afterwards the columns know where they are stored. */
  readonly write: (snapshot: SnapshotChanges, progress?: EventProgress, seal?: string) => Promise<void>
  /** Something is about to be taken out: it leaves the file for good when that is closed. */
  readonly onForgetting: () => void
  readonly close: () => Promise<void>
}

const maxDbs = 8

/** Opens or creates a shard's snapshot. */
export const openStore = (path: string, newSeed: () => number): Store => {
  const root = openEnvironment<string>({ path, maxDbs })
  const isWhole = hasShelves(root, shelfNames)
  const openShelf = <Key extends string | number>(name: string): Shelf<Key> => {
    const db = root.openDB<Buffer, Key>({ name, encoding: 'binary' })
    if (name === 'values') return plainShelf(db)
    const checked = (key: Key, value: Buffer): Buffer => checkedValue(`${path} ${name}`, key, value)
    return {
      get: (key) => {
        const value = db.get(key)
        return value && checked(key, value)
      },
      put: (key, bytes) => db.put(key, withChecksum(key, bytes)),
      remove: (key) => db.remove(key),
      all: () => db.getRange().map(({ key, value }) => [key, checked(key, value)] as const),
      clear: () => db.clearAsync(),
    }
  }
  return storeOn(openShelf, {
    isWhole,
    newSeed,
    requireSpace: (bytes) => requireSpace(path, bytes),
    onForgetting: () => markForRewriting(path),
    close: () => closeRewritten(root, path, { database: 'meta', key: 'position' }),
  })
}

/** A shelf whose values have checksums of their own. A copy of each value that is read would be most of the work. */
const plainShelf = <Key extends string | number>(db: Database<Buffer, Key>): Shelf<Key> => ({
  get: (key) => lentValue(db, key),
  put: (key, bytes) => db.put(key, bytes),
  remove: (key) => db.remove(key),
  all: () => db.getRange().map(({ key, value }) => [key, value] as const),
  clear: () => db.clearAsync(),
})

/** A snapshot that is only read, from databases whose values were checked. */
export const storeOnRead = (
  shelfOf: <Key extends string | number>(name: ShelfName) => ReadShelf<Key>,
): Store =>
  storeOn(<Key extends string | number>(name: ShelfName) => ({
    ...shelfOf<Key>(name),
    put: unwritten,
    remove: unwritten,
    clear: unwritten,
  }))

const unwritten = (): Promise<never> => Promise.reject(new Error('a snapshot that is only read'))

export type ReadShelf<Key> = Pick<Shelf<Key>, 'get' | 'all'>
export type ShelfName = (typeof shelfNames)[number]
export const shelfNames = ['accounts', 'meta', 'tables', 'values'] as const

/** An empty store in memory: a memory on top of it replays the whole journal. */
export const emptyStore = (seed = 0): Store => storeOn(newShelf, { newSeed: () => seed })

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
  readonly seal: string
  readonly published: number
  readonly streamed?: number | null
  readonly seed: number
  /** Values from this number on were left by an interrupted snapshot: nothing refers to them. */
  readonly nextValue: number
  /** Values of runs that were being made or have been replaced: nothing refers to them. */
  readonly unreferenced: readonly ValueRange[]
  readonly keyRuns: readonly StoredRun[]
  readonly cleared: readonly (readonly [AccountId, number])[]
}

type OpenShelf = <Key extends string | number>(name: ShelfName) => Shelf<Key>

/** The place of a store. One in memory is whole, has room and needs no closing. */
type StorePlace = {
  readonly isWhole?: boolean
  readonly newSeed?: () => number
  readonly requireSpace?: (bytes: number) => void
  readonly onForgetting?: () => void
  readonly close?: () => Promise<void>
}

const storeOn = (
  openShelf: OpenShelf,
  {
    isWhole = true,
    newSeed = () => 0,
    requireSpace = () => undefined,
    onForgetting = () => undefined,
    close = async () => undefined,
  }: StorePlace = {},
): Store => {
  const meta = openShelf<string>('meta')
  const accounts = openShelf<string>('accounts')
  const tableSnapshots = openShelf<number>('tables')
  const values = openShelf<number>('values')
  const found = storedPosition(meta)
  const known = found === 'DAMAGED' ? null : found
  let isForeign = !isWhole || (found !== null && known?.description !== snapshotDescription)
  let position: Position =
    known !== null && !isForeign
      ? known
      : {
          description: snapshotDescription,
          sequence: 0,
          seal: '',
          published: known?.published ?? 0,
          streamed: known === null ? 0 : (known.streamed ?? null),
          seed: known?.seed ?? newSeed(),
          nextValue: 0,
          unreferenced: [],
          keyRuns: [],
          cleared: [],
        }

  let staging = Buffer.alloc(0)
  const numbers: ValueNumbers = { next: position.nextValue }
  /** Values to be removed. */
  let garbage = isForeign ? [] : position.unreferenced
  /** Values of runs that are being made. */
  const unfinished = new Set<ValueRange>()

  const newWriter = () => {
    if (staging.length === 0) staging = Buffer.from(new ArrayBuffer(bounds.snapshotTurnBytes))
    return newSnapshotWriter(
      numbers,
      staging,
      (key, bytes) => committed(values.put(key, bytes)),
      requireSpace,
    )
  }

  const merge: Store['merge'] = async ({ valuesMax, write, onWritten }, isStopped) => {
    const range: ValueRange = [numbers.next, valuesMax]
    unfinished.add(range)
    const run = await newWriter().writeRun(write, valuesMax, isStopped)
    if (run === null) return
    onWritten(run)
    unfinished.delete(range)
  }

  /** Removes values that nothing refers to, some at a time. */
  const removeGarbage = async (ranges: readonly ValueRange[]): Promise<void> => {
    for (const [first, count] of ranges) {
      for (let from = 0; from < count; from += removedTogether) {
        const some = Array.from(
          { length: Math.min(removedTogether, count - from) },
          (_, n) => first + from + n,
        )
        await committed(Promise.all(some.map((value) => values.remove(columnKey(value, 0)))))
      }
    }
  }

  const write: Store['write'] = async (snapshot, progress = doneAt(snapshot.sequence), seal = '') => {
    if (isForeign) await Promise.all([accounts, tableSnapshots, values].map((shelf) => shelf.clear()))
    isForeign = false
    const writer = newWriter()
    const { keys } = snapshot
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
    const run = keys.sealed && (await writer.writeRun(keys.sealed.write, keys.sealed.valuesMax))
    await writer.end()

    const { sequence, cleared, dropped } = snapshot
    const gone = [...writer.replaced, ...dropped.flatMap(({ keys }) => keys())]
    garbage = [...garbage, ...keys.replaced]
    requireSpace([...packedTables, ...packedAccounts].reduce((sum, [, { length }]) => sum + length, 0))
    const keyRuns = run === null ? keys.runs : [run.stored, ...keys.runs]
    position = {
      ...position,
      sequence,
      seal,
      ...progress,
      nextValue: numbers.next,
      unreferenced: [...garbage, ...unfinished],
      keyRuns,
      cleared,
    }
    // Before the commit, which removes the records that it was made of: a look-up in between would read what is not there any more.
    if (run !== null) keys.sealed!.onWritten(run)
    // All issued in one turn of the event loop, so one transaction switches from the old snapshot to the new one:
    // before it nothing refers to the values above, after it nothing to the replaced ones.
    await committed(
      Promise.all([
        ...packedTables.map(([number, packed]) => tableSnapshots.put(number, packed)),
        ...packedAccounts.map(([id, packed]) => accounts.put(id, packed)),
        ...dropped.map(({ number }) => tableSnapshots.remove(number)),
        ...gone.map((key) => values.remove(key)),
        meta.put('position', pack(position)),
      ]),
    )
    for (const { columns } of snapshot.tableSnapshots) for (const [, frozen] of columns) markStored(frozen)
    const removed = garbage
    garbage = []
    await removeGarbage(removed)
  }

  return {
    sequence: () => position.sequence,
    seal: () => position.seal,
    discard: () => {
      isForeign = true
      position = {
        ...position,
        sequence: 0,
        seal: '',
        nextValue: 0,
        unreferenced: [],
        keyRuns: [],
        cleared: [],
      }
      numbers.next = 0
      garbage = []
    },
    progress: { published: position.published, streamed: position.streamed ?? null },
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
        const read = Object.entries(columns).map(([name, { count, values, last }]) => {
          // Copied, so that it is aligned.
          const numbers = Array.from(new Float64Array(new Uint8Array(values).buffer))
          return [name, { count, values: numbers, last }] as const
        })
        yield { number, head, columns: Object.fromEntries(read) }
      }
    },
    keyRuns: () => (isForeign ? [] : position.keyRuns),
    read: (key) => {
      const bytes = values.get(key)
      if (bytes === undefined) throw new DamagedColumns(key)
      return bytes
    },
    beside: {
      find: (key) => {
        const sealed = values.get(key)
        return sealed !== undefined && isStored(sealed, key)
          ? new Uint8Array(sealed.subarray(sealedHeadBytes))
          : null
      },
      put: (key, bytes) => {
        try {
          requireSpace(bytes.length)
        } catch {
          return
        }
        committed(values.put(key, sealBytes(bytes, key))).catch(() => undefined)
      },
    },
    merge,
    write,
    onForgetting,
    close,
  }
}

/** Keys that one transaction removes. */
const removedTogether = 2048

const storedPosition = (meta: Shelf<string>): Position | 'DAMAGED' | null => {
  try {
    const stored = meta.get('position')
    return stored === undefined ? null : (unpack(stored) as Position)
  } catch (error) {
    // A newer version has been here, and went: what it left is made again, too.
    if (error instanceof Damaged || error instanceof NewerVersionRefusal) return 'DAMAGED'
    throw error
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
