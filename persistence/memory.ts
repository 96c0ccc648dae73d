import {
  type ActorKind,
  type ActorState,
  type ActorStates,
  accountOf,
  createdAtMsOf,
  evolve,
  labelOf,
  nextTimer,
} from '../engine/actors.ts'
import { assert } from '../engine/assert.ts'
import type { Delivery } from '../engine/delivery/delivery.ts'
import type { Entry } from '../engine/events.ts'
import type { AccountId } from '../engine/ids.ts'
import { limits as engineLimits } from '../engine/limits.ts'
import type { EnvironmentTimer, Kept, KeptReply, ListFilter, Memory } from '../engine/ports.ts'
import { type DueQueue, newDueQueue } from './due-queue.ts'
import { limits } from './limits.ts'
import { newRows, type Rows } from './rows.ts'
import type { Checkpoint, Store, StoredActor, StoredReply, StoredRow } from './store.ts'

/** A shard's memory over its snapshot: what changed since is held hot; what did not change may leave and come back. */
export type StoredMemory = Memory & {
  /** How many actors changed since the last checkpoint was taken. */
  readonly dirty: () => number
  /** Takes what changed, as it stands at `sequence`. It stays hot until `written`. */
  readonly takeCheckpoint: (sequence: number) => Checkpoint
  /** The checkpoint is in the store: what it holds may leave memory. */
  readonly written: () => void
}

export const openMemory = (store: Store, entryAt: (sequence: number) => Entry): StoredMemory => {
  const hot = new Map<string, StoredActor>()
  let dirty = new Set<string>()
  let writing = new Set<string>()
  let removed = new Set<string>()
  let removing = new Set<string>()
  const replies = new Map<string, KeptReply>()
  let dirtyReplies = new Set<string>()
  let writingReplies = new Set<string>()
  let rowsChanged: StoredRow[] = []
  const rows = new Map<string, Rows>()
  const timers = new Map<AccountId, DueQueue>()
  const attempts = newDueQueue()
  const deliveries = new Map<string, string[]>()

  const find = <Kind extends ActorKind>(kind: Kind, id: string): Kept<ActorStates[Kind]> | undefined => {
    let kept = hot.get(id)
    if (kept === undefined) {
      if (removed.has(id) || removing.has(id)) return undefined
      kept = store.actor(id)
      if (kept === undefined) return undefined
      hot.set(id, kept)
      // Reading alone must not fill memory. A slice is dropped at a time: what changed lately is passed over.
      if (hot.size > limits.hotActorsMax * 1.1) evict(hot, limits.hotActorsMax, isUnsaved)
    }
    return kept.kind === kind ? (kept as unknown as Kept<ActorStates[Kind]>) : undefined
  }

  const isUnsaved = (id: string): boolean => dirty.has(id) || writing.has(id)

  const keep = (kind: ActorKind, id: string, { state, sequence }: Kept<ActorState>): void => {
    const before = hot.get(id)
    const bornAt = before?.bornAt ?? sequence
    hot.set(id, { kind, state, sequence, bornAt })
    dirty.add(id)
    const timer = nextTimer(kind, state)
    const label = labelOf(kind, state)
    const dueAtMs = timer?.dueAtMs ?? null
    if (before !== undefined && labelOf(kind, before.state) === label) {
      if ((nextTimer(kind, before.state)?.dueAtMs ?? null) === dueAtMs) return
    }
    const row: StoredRow = {
      id,
      kind,
      label,
      accountId: accountOf(kind, state),
      createdAtMs: createdAtMsOf(kind, state),
      sequence: bornAt,
      dueAtMs,
      objectId: kind === 'delivery' ? (state as Delivery).objectId : null,
    }
    rowsChanged.push(row)
    index(row)
  }

  const index = (row: StoredRow): void => {
    if ('gone' in row) {
      forget(row.gone as AccountId)
      return
    }
    const accountId = row.accountId as AccountId
    const known = rowsOf(accountId, row.kind)
    const size = known.size()
    known.put(row)
    if (row.dueAtMs !== null) {
      if (row.kind === 'delivery') attempts.push(row.dueAtMs, row.id)
      else timersOf(accountId).push(row.dueAtMs, row.id)
    }
    if (row.objectId !== null && known.size() > size) {
      const ids = deliveries.get(row.objectId)
      if (ids === undefined) deliveries.set(row.objectId, [row.id])
      else ids.push(row.id)
    }
  }

  const rowsOf = (accountId: AccountId, kind: ActorKind): Rows =>
    entryOf(rows, `${accountId} ${kind}`, newRows)
  const timersOf = (accountId: AccountId): DueQueue => entryOf(timers, accountId, newDueQueue)

  const dueTimer = (accountId: AccountId, nowMs: number): EnvironmentTimer | undefined => {
    const queue = timers.get(accountId)
    if (queue === undefined) return undefined
    for (let next = queue.peek(); next !== undefined && next.dueAtMs <= nowMs; next = queue.peek()) {
      const timer = timerOf(next.id)
      if (timer?.clock === 'environment' && timer.dueAtMs === next.dueAtMs) return timer
      queue.pop()
    }
    return undefined
  }

  const timerOf = (id: string) => {
    const kept = find('transaction', id)
    return kept && nextTimer('transaction', kept.state)
  }

  const takeDueAttempts = (atMs: number, limit: number): readonly Delivery[] => {
    const due: Delivery[] = []
    for (let next = attempts.peek(); next !== undefined && next.dueAtMs <= atMs; next = attempts.peek()) {
      if (due.length >= limit) break
      attempts.pop()
      const delivery = find('delivery', next.id)?.state
      if (delivery?.nextAttemptAtMs === next.dueAtMs) due.push(delivery)
    }
    // First attempts that became due together go out in the order of their events.
    due.sort((a, b) => a.nextAttemptAtMs! - b.nextAttemptAtMs! || (a.eventId < b.eventId ? -1 : 1))
    return due
  }

  const list = <Kind extends ActorKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => {
    const { offset, limit, fits, matches } = filter
    const asOf = filter.asOf ?? Number.POSITIVE_INFINITY
    const shown: string[] = []
    let total = 0
    const stateOf = (id: string): ActorStates[Kind] => {
      const kept = find(kind, id)
      assert(kept !== undefined, `row ${id} stands for an actor`)
      return kept.state
    }
    const fromMs = filter.fromMs ?? Number.NEGATIVE_INFINITY
    const toMs = filter.toMs ?? Number.POSITIVE_INFINITY
    rowsOf(accountId, kind).scan(fromMs, toMs, (id, label, sequence) => {
      if (sequence > asOf || (fits && !fits(label)) || (matches && !matches(stateOf(id)))) return true
      if (total >= offset && shown.length < limit) shown.push(id)
      total++
      return true
    })
    return { states: shown.map(stateOf), total }
  }

  const clear = (accountId: AccountId): void => {
    for (const kind of ['transaction', 'received', 'delivery'] as const) {
      rowsOf(accountId, kind).scan(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (id) => {
        hot.delete(id)
        dirty.delete(id)
        removed.add(id)
        return true
      })
    }
    for (const key of replies.keys()) if (key.startsWith(`${accountId} `)) replies.delete(key)
    rowsChanged.push({ gone: accountId })
    forget(accountId)
  }

  const forget = (accountId: AccountId): void => {
    for (const kind of ['transaction', 'received', 'delivery'] as const) rows.delete(`${accountId} ${kind}`)
    timers.delete(accountId)
  }

  const findReply = (accountId: AccountId, key: string, atMs: number): KeptReply | undefined => {
    const place = `${accountId} ${key}`
    const reply = replies.get(place) ?? coldReply(place, atMs)
    if (reply === undefined || reply.atMs + engineLimits.idempotencyRetentionMs <= atMs) return undefined
    // A cleared Sandbox forgets its keys with its charges.
    return find(reply.kind, idOf(reply.state)) === undefined ? undefined : reply
  }

  const coldReply = (place: string, atMs: number): KeptReply | undefined => {
    const stored = store.reply(place, atMs)
    if (stored === undefined) return undefined
    const { id, ...reply } = stored
    return { ...reply, state: reply.state ?? stateAtBirth(id, reply.sequence) }
  }

  /** The state that an actor was born with: what its first entry made of nothing. */
  const stateAtBirth = (id: string, sequence: number): ActorState => {
    const events = entryAt(sequence).events.filter((event) => event.id === id)
    return events.reduce<ActorState | undefined>(evolve, undefined)!
  }

  /** Nearly every reply tells of a birth, which the journal holds already: only the others store their state. */
  const slim = (reply: KeptReply): StoredReply => {
    const id = idOf(reply.state)
    const isBirth = hot.get(id)?.bornAt === reply.sequence
    return { ...reply, id, state: isBirth ? null : reply.state }
  }

  const takeCheckpoint = (sequence: number): Checkpoint => {
    writing = dirty
    removing = removed
    writingReplies = dirtyReplies
    dirty = new Set()
    removed = new Set()
    dirtyReplies = new Set()
    const changed = rowsChanged
    rowsChanged = []
    return {
      sequence,
      actors: [...writing].map((id) => [id, hot.get(id)!] as const),
      removed: [...removing],
      rows: latestOf(changed),
      replies: [...writingReplies]
        .filter((key) => replies.has(key))
        .map((key) => [key, slim(replies.get(key)!)]),
    }
  }

  const written = (): void => {
    writing = new Set()
    removing = new Set()
    writingReplies = new Set()
    evict(hot, limits.hotActorsMax, (id) => dirty.has(id))
    evict(replies, limits.hotRepliesMax, (key) => dirtyReplies.has(key))
  }

  for (const row of store.rows()) index(row)

  return {
    find,
    keep,
    findReply,
    keepReply: (accountId, key, reply) => {
      replies.set(`${accountId} ${key}`, reply)
      dirtyReplies.add(`${accountId} ${key}`)
    },
    dueTimer,
    accountsDue: (nowMs) =>
      [...timers]
        .filter(([id, queue]) => (queue.peek()?.dueAtMs ?? Number.POSITIVE_INFINITY) <= nowMs(id))
        .map(([id]) => id),
    takeDueAttempts,
    list,
    deliveriesOf: (objectId) =>
      (deliveries.get(objectId) ?? []).flatMap((id) => find('delivery', id)?.state ?? []),
    clear,
    dirty: () => dirty.size,
    takeCheckpoint,
    written,
  }
}

const idOf = (state: ActorState): string => state.id

/** Of rows that changed more than once only the last, in order. A clearing stays where it stood. */
const latestOf = (rows: readonly StoredRow[]): StoredRow[] => {
  const last = new Map<string, number>()
  rows.forEach((row, place) => {
    if ('id' in row) last.set(row.id, place)
  })
  return rows.filter((row, place) => 'gone' in row || last.get(row.id) === place)
}

/** Drops the oldest entries that are safely stored until the map is within its bound. */
const evict = (map: Map<string, unknown>, max: number, isNeeded: (key: string) => boolean): void => {
  for (const key of map.keys()) {
    if (map.size <= max) return
    if (!isNeeded(key)) map.delete(key)
  }
}

const entryOf = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
