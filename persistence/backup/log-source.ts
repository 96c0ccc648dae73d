import type { RootDatabase } from 'lmdb'
import type { Entry } from '../../engine/kernel/entry.ts'
import { headEnd, type Placed, packRecord, placedAt, unpackRecord } from '../cluster/record.ts'
import {
  baseIn,
  baseKey,
  openReplicaShelves,
  type Position,
  packBase,
  packPosition,
  positionAfter,
  positionIn,
  positionKey,
  startPosition,
} from '../cluster/replica-store.ts'
import { firstOfBatch, unpackFromBatch } from '../codec/codec.ts'
import { entryLayout } from '../codec/entry.ts'
import { firstSealOf, type OpenBatch, openBatch, sealBatch, sealOf } from '../codec/sealed-batch.ts'
import { checkedValue, withChecksum } from '../disk/checked-value.ts'
import { Damaged } from '../disk/damage.ts'
import type { ReaderShelf } from '../disk/data-file/reader.ts'
import { hasEnvironment, openEnvironment } from '../disk/environment.ts'
import type { Source } from '../home/source.ts'
import { type BatchDatabase, DamagedJournal, type ReadBatches, readBatches } from '../journal/batches.ts'
import { identityAt, writeIdentity } from '../journal/identity.ts'
import { toldUpTo } from '../stream/stream.ts'
import type { LogEnd } from './about.ts'
import {
  type CopiedStretch,
  type CopyOptions,
  checkBatches,
  checkStretch,
  copyBatches,
  copyStretch,
  openStrictSource,
  sliceAfter,
} from './stretches.ts'

/**
 * A log to copy, of a running service or in a backup: the journal of the directory or of a shard, or a node's copy
 * of a cluster's log. Copies and checks continue the seals from where they begin.
 */
export type LogSource = {
  readonly path: string
  readonly bytes: () => number
  /** The present end of the log: a copy up to there is whole, whatever is written meanwhile. */
  readonly end: () => LogEnd
  /** Whether this log ended so at some time, and has perhaps grown since. */
  readonly continues: (end: LogEnd) => boolean
  /** An entry of a shard. Throws `Damaged` when the entry is not what was written. */
  readonly entryAt: (sequence: number) => Entry
  /** The whole batch with an entry. Throws `DamagedJournal` where it is not what was written. */
  readonly batchAt: (sequence: number) => OpenBatch
  /** The batches behind an end, in order. Throws `Damaged` where one does not continue the one before. */
  readonly batchesAfter: (after: LogEnd) => Iterable<OpenBatch>
  /**
   * Appends the entries between two ends to the log in another folder, which ends at `after`. Throws `Damaged`
   * where they are not what was written.
   */
  readonly copy: (path: string, after: LogEnd, until: CopyUntil, options: CopyOptions) => Promise<Copied>
  /** Reads the log from one end to another. Throws `Damaged` where it is not what was written. */
  readonly check: (after: LogEnd, until: LogEnd) => void
  readonly close: () => Promise<void>
}

/** The part of a log that a backup holds. */
export type BackupStretch = {
  readonly backup: string
  readonly source: LogSource
  /** The end of the log before this part, and the end of the part. */
  readonly after: LogEnd
  readonly end: LogEnd
}

/** The end of a copy. Without a position it is the last entry's record; a batch that crosses the end is cut. */
export type CopyUntil = Pick<LogEnd, 'entries' | 'position'>

export type Copied = {
  readonly end: LogEnd
  /** The last entry of an unchanged batch: a cut batch gets a new seal. */
  readonly whole: number
}

/** The end of a log without entries. */
export const startOf = (identity: string, isReplica: boolean): LogEnd => ({
  entries: 0,
  seal: textOf(firstSealOf(identity)),
  position: isReplica ? startPosition : null,
  published: 0,
})

/** Opens the log in a folder for reading. Throws when there is none, and `Damaged` when it is not what was written. */
export const openLogSource = (path: string, isReplica: boolean): LogSource => {
  if (!hasEnvironment(path)) throw new Error(`${path} is missing`)
  const source = openStrictSource(path)
  return isReplica ? replicaSource(source) : journalSource(source)
}

/** The part that journals and replicas share: batches in a database. */
const batchSource = (source: Source, shelf: ReaderShelf) => {
  const { path } = source
  /** The journal as it is now: a running service may have packed more of it. */
  const glance = <Value>(read: (batches: ReadBatches) => Value): Value =>
    source.glance(() => reading(path, shelf, read))
  const view = <Value>(read: (batches: ReadBatches) => Value): Value =>
    source.view(() => reading(path, shelf, read))
  let known: ReadBatches | null = null
  /** Opened again where an entry is missing: it may have been packed since. */
  const at = (sequence: number): OpenBatch =>
    source.glance(() => {
      try {
        known ??= readBatches(path, shelf)
        return known.at(sequence)
      } catch (error) {
        if (!(error instanceof DamagedJournal)) throw error
        known?.archive.close()
        known = readBatches(path, shelf)
        return known.at(sequence)
      }
    })
  return {
    path,
    view,
    glance,
    end: () =>
      glance((batches) => {
        const entries = batches.last()
        const { seal } = startOf(identityAt(path), false)
        return { entries, seal: entries === 0 ? seal : batches.sealAt(entries), position: null, published: 0 }
      }),
    continues: ({ entries, seal }: LogEnd): boolean => {
      if (entries === 0) return seal === startOf(identityAt(path), false).seal
      return glance(
        (batches) =>
          entries <= batches.last() &&
          batches.at(entries).last === entries &&
          batches.sealAt(entries) === seal,
      )
    },
    entryAt: (sequence: number): Entry => {
      const { first, bytes } = at(sequence)
      return unpackFromBatch(entryLayout, bytes, sequence - first)
    },
    batchAt: at,
    batchesAfter: function* (after: LogEnd) {
      const check = newSealCheck(path, after)
      for (let last = after.entries; ; ) {
        const slice = view((batches) => sliceAfter(batches, last, Number.POSITIVE_INFINITY))
        for (const { first, value } of slice) yield check(first, value)
        if (slice.length === 0) return
        last = slice.at(-1)!.last
      }
    },
    close: async () => {
      known?.archive.close()
      source.close()
    },
  }
}

const reading = <Value>(path: string, shelf: ReaderShelf, read: (batches: ReadBatches) => Value): Value => {
  const batches = readBatches(path, shelf)
  try {
    return read(batches)
  } finally {
    batches.archive.close()
  }
}

const journalSource = (source: Source): LogSource => {
  const shelf = source.shelf()
  const { path } = source
  const { view, glance, ...log } = batchSource(source, shelf)
  return {
    ...log,
    bytes: () => glance((batches) => shelf.size().bytes + unpackedBytes(batches)),
    copy: (to, after, { entries }, options) =>
      filling(path, to, (copy) =>
        copyBatches(view, copy as unknown as BatchDatabase, batchesOf(path, after, entries), options),
      ),
    check: (after, { entries }) => void checkBatches(view, batchesOf(path, after, entries)),
  }
}

const replicaSource = (source: Source): LogSource => {
  const { path } = source
  const [shelf, records, meta] = [source.shelf('batches'), source.shelf('records'), source.shelf('meta')]
  const { view, glance, ...log } = batchSource(source, shelf)
  const position = (): Position => source.glance(() => positionIn(path, meta.get(positionKey)))
  const base = (): Position => source.glance(() => baseIn(path, meta.get(baseKey)))
  return {
    ...log,
    bytes: () => glance((batches) => shelf.size().bytes + unpackedBytes(batches) + records.size().bytes),
    end: () => {
      const at = position()
      const { entries } = at
      const seal =
        entries === 0 ? startOf(identityAt(path), true).seal : glance((batches) => batches.sealAt(entries))
      return { entries, seal, position: at, published: toldUpTo(at) }
    },
    continues: (end) => {
      const { applied, head } = end.position ?? startPosition
      const at = position()
      if (applied > at.applied || !log.continues(end)) return false
      if (applied === at.applied) return head === at.head
      const { applied: dropped, head: droppedHead } = base()
      // The record behind it is gone; the entries are the same.
      if (applied < dropped) return true
      if (applied === dropped) return head === droppedHead
      const next = source.glance(() => headIn(path, applied + 1, records.get(applied + 1)))
      return unpackRecord(next).record.previous === head
    },
    copy: (to, after, until, options) =>
      filling(path, to, async (copy) => {
        const shelves = openReplicaShelves(copy)
        const { end, whole } = await copyBatches(
          view,
          shelves.batches,
          batchesOf(path, after, until.entries),
          options,
        )
        const copyRecords = (from: LogEnd): Promise<Position> =>
          copyStretch(source, records, shelves.records, recordsOf(path, log.batchAt, from, until), options)
        const position = await fromBase(base, after, until, copyRecords, async (begin) => {
          await shelves.records.clearAsync()
          await shelves.meta.put(baseKey, packBase(begin))
        })
        await shelves.meta.put(positionKey, packPosition(position))
        return { end: { ...end, position, published: toldUpTo(position) }, whole }
      }),
    check: (after, until) => {
      checkBatches(view, batchesOf(path, after, until.entries))
      const from = beginOf(base(), after, until)
      if (from.position !== null && !isAtEnd(from.position, until))
        checkStretch(source, records, recordsOf(path, log.batchAt, from, until))
    },
  }
}

/**
 * Copies records from where a copy ends, or from where the source has records: what the copy had before is then dropped, as in the source.
 * It begins anew where a running service drops records meanwhile.
 */
const fromBase = async (
  base: () => Position,
  after: LogEnd,
  until: CopyUntil,
  copyRecords: (from: LogEnd) => Promise<Position>,
  beginWith: (base: Position) => Promise<unknown>,
): Promise<Position> => {
  for (;;) {
    const before = base()
    const from = beginOf(before, after, until)
    try {
      if (from !== after) await beginWith(from.position!)
      return from !== after && isAtEnd(from.position!, until) ? from.position! : await copyRecords(from)
    } catch (error) {
      if (base().applied === before.applied) throw error
    }
  }
}

/**
 * Where a copy of records begins. One that ends before the source has records has none, and goes on from its end: a log that is
 * cut there is another one from then on.
 */
const beginOf = (base: Position, after: LogEnd, until: CopyUntil): LogEnd => {
  if (base.applied <= (after.position?.applied ?? 0)) return after
  if (until.position !== null)
    return { ...after, position: base.applied > until.position.applied ? until.position : base }
  if (base.entries <= until.entries) return { ...after, position: base }
  const { entries } = until
  const [published, streamed] = [base.published, base.streamed ?? entries].map((n) => Math.min(n, entries))
  return { ...after, position: { ...base, entries, published: published!, streamed: streamed! } }
}

const isAtEnd = ({ applied, entries }: Position, until: CopyUntil): boolean =>
  until.position === null ? entries === until.entries : applied === until.position.applied

/** Fills the copy of a log, which gets the same identity. */
const filling = async <Value>(
  path: string,
  to: string,
  fill: (copy: RootDatabase<Buffer, string>) => Promise<Value>,
): Promise<Value> => {
  const copy = openEnvironment<string>({ path: to })
  try {
    return await fill(copy)
  } finally {
    await copy.close()
    writeIdentity(to, identityAt(path))
  }
}

/** About how many bytes the archive of a log takes in a copy, which is not packed. */
const unpackedBytes = ({ archive, archived }: ReadBatches): number => {
  const { sequence } = archived()
  return sequence === 0 ? 0 : archive.unpackedBytes()
}

/** The batches behind an end, up to an entry. */
const batchesOf = (path: string, after: LogEnd, until: number): CopiedStretch<Copied> => {
  const check = newSealCheck(path, after)
  let { entries, seal } = after
  let whole = entries
  return {
    after: after.entries,
    end: until,
    valueFor: (first, stored) => {
      const batch = check(first, stored)
      if (batch.last <= until) {
        entries = batch.last
        whole = entries
        seal = textOf(batch.seal)
        return stored
      }
      const cut = sealBatch(first, firstOfBatch(batch.bytes, until - entries), batch.previous)
      entries = until
      seal = textOf(sealOf(cut))
      return cut
    },
    finish: () => {
      if (entries < until) throw new DamagedJournal(path, entries + 1)
      return { end: { ...after, entries, seal }, whole }
    },
  }
}

/** Opens batches in order. Throws `DamagedJournal` where a batch is damaged, or does not continue the last one. */
const newSealCheck = (path: string, after: LogEnd) => {
  let end = after.entries
  let seal: Buffer = Buffer.from(after.seal, 'base64url')
  return (first: number, value: Buffer): OpenBatch => {
    const batch = openBatch(value, first)
    if (batch === null || first !== end + 1 || !batch.previous.equals(seal))
      throw new DamagedJournal(path, end + 1)
    end = batch.last
    seal = Buffer.from(batch.seal)
    return batch
  }
}

/** The records behind an end, whose entries are in these batches. */
const recordsOf = (
  path: string,
  batchAt: (sequence: number) => OpenBatch,
  after: LogEnd,
  until: CopyUntil,
): CopiedStretch<Position> => {
  let position = after.position ?? startPosition

  const bytesOf = (sequence: number, stored: Buffer): Buffer => {
    const head = headIn(path, sequence, stored)
    const { record } = unpackRecord(head)
    if (head.length > headEnd(head) || record.count === 0) return head
    return Buffer.concat([head, batchAt(record.first).bytes])
  }

  const continued = (placed: Placed): Position => {
    const next = positionAfter(position, placed)
    if (next === null) throw damagedAt(path, placed.sequence)
    return next
  }

  return {
    after: position.applied,
    end: until.position?.applied ?? null,
    valueFor: (sequence, stored) => {
      if (until.position === null && position.entries === until.entries) return null
      const placed = placedAt(sequence, bytesOf(sequence, stored))
      const next = continued(placed)
      if (next.entries <= until.entries) {
        position = next
        return stored
      }
      const { record, batch } = placed
      const count = until.entries - position.entries
      const cut = packRecord({ ...record, count }, firstOfBatch(batch, count))
      position = continued(placedAt(sequence, cut))
      return withChecksum(sequence, cut.subarray(0, headEnd(cut)))
    },
    finish: () => {
      const isAtEnd =
        until.position === null
          ? position.entries === until.entries
          : position.applied === until.position.applied && position.head === until.position.head
      if (!isAtEnd) throw damagedAt(path, position.applied + 1)
      return position
    },
  }
}

/** A stored record without the entries that are a batch of the journal. */
const headIn = (path: string, sequence: number, stored: Buffer | undefined): Buffer => {
  if (stored === undefined) throw damagedAt(path, sequence)
  return checkedValue(`${path} record`, sequence, stored)
}

const damagedAt = (path: string, sequence: number): Damaged =>
  new Damaged(`${path} is damaged at record ${sequence}`)

const textOf = (seal: Buffer): string => seal.toString('base64url')
