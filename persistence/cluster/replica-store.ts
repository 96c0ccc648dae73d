import { dirname } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { bounds } from '../base/bounds.ts'
import { nextTurn } from '../base/delay.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import { pack, unpack } from '../codec/codec.ts'
import { checkedValue, withChecksum } from '../disk/checked-value.ts'
import { Damaged, requireUndamaged } from '../disk/damage.ts'
import { requireSpace } from '../disk/disk-space.ts'
import { committed, openEnvironment, orClose } from '../disk/environment.ts'
import { hasShelves } from '../disk/shelf-names.ts'
import { type Batches, openBatches } from '../journal/batches.ts'
import {
  chainHash,
  emptyChain,
  headEnd,
  type LogRecord,
  type Member,
  type Placed,
  placedAt,
  unpackRecord,
} from './record.ts'

/** How much of its shard's log a replica has on disk, and the state of the log there. */
export type Position = {
  /** The stream sequence of the newest record. */
  readonly applied: number
  /** The hash of the log up to and including that record. */
  readonly head: string
  readonly epoch: number
  /** The owner in this epoch; null before the first claim. */
  readonly owner: Member | null
  /** Entries of the journal. */
  readonly entries: number
  /** The webhooks of all events up to this entry are planned. */
  readonly published: number
  /** All events up to this entry are on the stream; null from an owner of an earlier version. */
  readonly streamed: number | null
  /** The owner has announced that it rests. */
  readonly rests: boolean
}

export const startPosition: Position = {
  applied: 0,
  head: emptyChain,
  epoch: 0,
  owner: null,
  entries: 0,
  published: 0,
  streamed: 0,
  rests: false,
}

/**
 * This node's copy of a shard's log, in one LMDB environment: entries as every journal stores them, and the
 * records around them, so that each record can be written again byte for byte.
 */
export type ReplicaStore = {
  readonly path: string
  /** Sealed alike on every node. */
  readonly batches: Batches
  readonly position: () => Position
  /** Where the log begins here: the position before its first record. The entries before that are there all the same. */
  readonly base: () => Position
  /** Writes all records or none. Resolves when they are on disk and the position is `after`. */
  readonly write: (records: readonly Placed[], after: Position) => Promise<void>
  /** A record as it was stored; null if this node does not have it. */
  readonly read: (sequence: number) => Buffer | null
  /**
   * If a record is missing on disk, drops it and all later ones, which the log still has. Returns the first sequence
   * dropped; null if none is missing.
   */
  readonly dropFromHole: () => number | null
  /**
   * Drops the records up to this one, which becomes the base, and keeps their entries; in slices. The last record stays. Throws `Damaged`
   * where one of them is not what was written.
   */
  readonly dropUpTo: (sequence: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens or creates a replica's environment. Throws `Damaged` where it is not what was written. */
export const openReplicaStore = (path: string): ReplicaStore => {
  requireUndamaged(path)
  // Without room this node leaves the shard to another one.
  requireSpace(dirname(path), 0)
  const root = openEnvironment<string>({ path, maxDbs: 3 })
  return orClose(root, () => storeOn(root, path))
}

const storeOn = (root: RootDatabase<Buffer, string>, path: string): ReplicaStore => {
  if (!hasShelves(root, ['batches', 'meta', 'records'])) throw new Damaged(`${path} is damaged in its names`)
  const { batches: db, records: heads, meta } = openReplicaShelves(root)
  const batches = openBatches(path, db)
  let position = positionIn(path, meta.get(positionKey))
  let base = baseIn(path, meta.get(baseKey))

  const write = async (records: readonly Placed[], after: Position): Promise<void> => {
    if (!hasLast()) throw new Error(`the disk has lost record ${position.applied} of the log`)
    requireSpace(
      path,
      records.reduce((sum, { bytes }) => sum + bytes.length, 0),
    )
    const puts: Promise<unknown>[] = []
    let { epoch } = position
    for (const { sequence, bytes, record, batch } of records) {
      const isEntries = holdsEntries(record, epoch)
      epoch = Math.max(epoch, record.epoch)
      if (isEntries) puts.push(batches.put(record.first, record.count, batch))
      const head = isEntries ? bytes.subarray(0, headEnd(bytes)) : bytes
      puts.push(heads.put(sequence, withChecksum(sequence, head)))
    }
    // All issued in one turn of the event loop, so they are one transaction.
    puts.push(meta.put(positionKey, packPosition(after)))
    await committed(Promise.all(puts))
    position = after
  }

  /** Whether the newest record is there. An old read transaction may miss it, so it is renewed first. */
  const hasLast = (): boolean => {
    const { applied } = position
    if (applied === base.applied || heads.doesExist(applied)) return true
    root.resetReadTxn()
    return heads.doesExist(applied)
  }

  const dropFromHole = (): number | null => {
    const { entryCount } = heads.getStats() as { readonly entryCount: number }
    if (base.applied + entryCount === position.applied && batches.last() === position.entries) return null
    const whole = wholeUpTo(read, base)
    // What is missing before the base is in no record any more.
    if (batches.last() < whole.entries) throw new Damaged(`${path} is damaged at entry ${batches.last() + 1}`)
    root.transactionSync(() => {
      for (const key of heads.getKeys({ start: whole.applied + 1 })) heads.removeSync(key)
      batches.dropAfterSync(whole.entries)
      meta.putSync(positionKey, packPosition(whole))
    })
    position = whole
    return whole.applied + 1
  }

  const read = (sequence: number): Buffer | null => {
    const stored = heads.get(sequence)
    if (stored === undefined) return null
    const bytes = checkedValue(`${path} record`, sequence, stored)
    if (bytes.length > headEnd(bytes)) return bytes
    const { record } = unpackRecord(bytes)
    if (record.count === 0) return bytes
    const isThere = record.first <= batches.archived().sequence || db.doesExist(record.first)
    return isThere ? Buffer.concat([bytes, batches.at(record.first).bytes]) : null
  }

  const dropUpTo = async (sequence: number): Promise<void> => {
    const until = Math.min(sequence, position.applied - 1)
    while (base.applied < until) {
      const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
      let next = base
      for (const after of positionsOf(read, base)) {
        next = after
        if (after.applied >= until || slice.isOver()) break
      }
      if (next === base) throw new Damaged(`${path} is damaged at record ${base.applied + 1}`)
      requireSpace(path, 0)
      const changes: Promise<unknown>[] = [meta.put(baseKey, packBase(next))]
      for (let dropped = base.applied + 1; dropped <= next.applied; dropped++)
        changes.push(heads.remove(dropped))
      // Before they are gone: who reads beside it would take those that are for damage.
      base = next
      await committed(Promise.all(changes))
      await nextTurn()
    }
  }

  const close = (): Promise<void> => {
    batches.archive.close()
    return root.close()
  }
  return {
    path,
    batches,
    position: () => position,
    base: () => base,
    write,
    read,
    dropFromHole,
    dropUpTo,
    close,
  }
}

/** The databases of the environment: batches by first entry, records by sequence, and the position. */
export const openReplicaShelves = (root: RootDatabase) => ({
  batches: root.openDB<Buffer, number>({ name: 'batches', encoding: 'binary' }),
  records: root.openDB<Buffer, number>({ name: 'records', encoding: 'binary' }),
  meta: root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' }),
})

export const positionKey = 'position'

/** The stored position of the log at this path, or that of an empty log. Throws `Damaged`. */
export const positionIn = (path: string, stored: Buffer | undefined): Position =>
  stored === undefined ? startPosition : positionOf(unpack(checkedValue(path, positionKey, stored)))

/** The key of the position before the first record, where records were dropped. */
export const baseKey = 'base'

/** Where the log at this path begins, or the start of every log. Throws `Damaged`. */
export const baseIn = (path: string, stored: Buffer | undefined): Position =>
  stored === undefined ? startPosition : positionOf(unpack(checkedValue(path, baseKey, stored)))

/** The bytes of a base, with their checksum. */
export const packBase = (base: Position): Buffer => withChecksum(baseKey, pack(base))

const positionOf = (stored: unknown): Position => ({
  ...startPosition,
  streamed: null,
  ...(stored as Partial<Position>),
})

/** The bytes of a position, with their checksum. */
export const packPosition = (position: Position): Buffer => withChecksum(positionKey, pack(position))

/** The position after a record; null if the record does not continue the log. */
export const positionAfter = (before: Position, { sequence, bytes, record }: Placed): Position | null => {
  const { kind, epoch, by, to, previous, first, count, published, streamed } = record
  if (sequence !== before.applied + 1 || previous !== before.head) return null
  const next = { ...before, applied: sequence, head: chainHash(before.head, bytes) }
  if (isZombie(record, before.epoch)) return next
  const after = {
    ...next,
    published: Math.max(published, before.published),
    streamed: streamed === undefined ? null : Math.max(streamed, before.streamed ?? 0),
    rests: record.rests === true,
  }
  if (kind !== 'BATCH')
    return epoch > before.epoch ? { ...after, epoch, owner: kind === 'HANDOVER' ? to : by } : next
  if (count === 0) return after
  if (first !== before.entries + 1) return null
  return { ...after, entries: before.entries + count }
}

/** The position after each record behind a base, for as long as the records form an unbroken chain. */
export const positionsOf = function* (read: ReplicaStore['read'], base: Position): Iterable<Position> {
  let whole: Position | null = base
  for (;;) {
    const sequence: number = whole.applied + 1
    const bytes = read(sequence)
    whole = bytes && positionAfter(whole, placedAt(sequence, bytes))
    if (whole === null) return
    yield whole
  }
}

/** The position up to which the records form an unbroken chain. */
export const wholeUpTo = (read: ReplicaStore['read'], base: Position = startPosition): Position => {
  let whole = base
  for (const position of positionsOf(read, base)) whole = position
  return whole
}

/** Whether a record's entries count: those of a former owner do not, since later owners did not know of them. */
const holdsEntries = (record: LogRecord, epoch: number): boolean =>
  record.kind === 'BATCH' && record.count > 0 && !isZombie(record, epoch)

/** A batch written by a former owner. The fence keeps those out of the log; one that got in would never be applied. */
const isZombie = ({ kind, epoch }: LogRecord, current: number): boolean => kind === 'BATCH' && epoch < current
