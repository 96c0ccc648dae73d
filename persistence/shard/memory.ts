import { effectOf } from '../../engine/kernel/apply.ts'
import { clockNow } from '../../engine/kernel/clock.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { Found, IdempotencyRecord, Memory, PartOfCall, Versioned } from '../../engine/kernel/ports.ts'
import type { ActorKind, ActorState, ActorStates, ListedKind } from '../../engine/kernel/registry.ts'
import { type FlushedEntry, type Step, stateAfter } from '../../engine/kernel/step.ts'
import { finish, type Work } from '../../engine/kernel/work.ts'
import type { Account } from '../../engine/ledger/account.ts'
import { rowOf } from '../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { definitionOf, evolve, isAside } from '../../engine/registry.ts'
import { assert } from '../../engine/shared/assert.ts'
import { bounds as engineBounds } from '../../engine/shared/bounds.ts'
import type { AccountId, DeliveryId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { oneRow, viewsAt } from '../base/columns.ts'
import { hash32 } from '../base/hash.ts'
import { type KeyMerge, type KeysOptions, secondKey } from '../base/keys/keys.ts'
import { newTimeSlice, type TimeSlice } from '../base/time-slice.ts'
import { scrubPayers } from '../index/scrub-payers.ts'
import { sequencesOf } from '../index/table.ts'
import type { Table, TransactionTable } from '../index/table-type.ts'
import { idOf } from '../index/tables.ts'
import type { EntrySource } from '../journal/journal.ts'
import type { SnapshotChanges } from '../snapshot/snapshot.ts'
import { foldEntries, type Recent } from '../snapshot/states.ts'
import type { Store } from '../snapshot/store.ts'
import { lastBefore, newHistory } from './history.ts'
import { findActor, keepRow, type MemoryParts, newMemoryParts } from './memory-rows.ts'
import { newQuestions } from './questions.ts'
import {
  dueAccounts,
  dueTimer,
  isAttemptDue,
  loadDue,
  queueAgain,
  rearm,
  setAccountDue,
  takeAttempts,
  tidyTimers,
} from './timers.ts'

/**
 * What a shard remembers: every account, columns about every other actor, and the states of the actors used last. Any
 * other state is rebuilt from the journal on demand, so memory is bounded however long the history.
 */
export type StoredMemory = Memory & {
  /** How many changes are not in a snapshot yet. */
  readonly unsaved: () => number
  /** Takes everything not in a snapshot yet, as of `sequence`. The caller must write it, or reopen the memory. */
  readonly takeSnapshot: (sequence: number) => SnapshotChanges
  /** Runs of keys that are worth being made one; null when there are none. */
  readonly keysToMerge: () => KeyMerge | null
  /** Reads filters of keys into memory as far as that has room, step by step. */
  readonly warmKeys: () => Generator<void, void, undefined>
  /** What columns take in memory, and how often they were read from the disk. */
  readonly paging: () => { readonly heldBytes: number; readonly reads: number }
  /** Hands out due deliveries again, for a shard that this node owns again. */
  readonly rearm: () => void
  /** Hands out one delivery again, if its attempt is still due. */
  readonly handOutAgain: (id: DeliveryId) => void
  /** Drops timers that are no longer due, for a replica that only follows. */
  readonly tidy: (atMs: number) => void
  /** Drops the states of accounts, which are read anew. */
  readonly forgetStates: (isMeant: (accountId: AccountId) => boolean) => void
  /** Takes payers out of the columns of one account of which more is forgotten than was; null when there is none. */
  readonly forgetPayers: (beforeMs: ReadonlyMap<AccountId, number>) => Work<void> | null
  /** An entry as it was applied; null if a Sandbox reset has forgotten its actors. Accounts are as they are now. */
  readonly rebuildEntry: (sequence: number, entry: Entry) => FlushedEntry | null
  /** Whether an actor is found under each of these keys. */
  readonly isUnder: (kind: ListedKind, id: string, keys: readonly string[]) => boolean
  /** The columns themselves, for comparison. */
  readonly tableOf: (accountId: AccountId, kind: ListedKind) => Table | undefined
}

export type MemoryOptions = {
  /** How many states are kept besides the accounts'. */
  readonly hotStates?: number | undefined
  /** How many bytes of columns are kept, and of what is made from them. */
  readonly memoryBytes?: number | undefined
  /** A clock in milliseconds; only differences matter. Long work yields by it. */
  readonly stopwatch?: () => number
  /** How keys are stored. */
  readonly keys?: KeysOptions
}

/** Opens a memory from a snapshot. The caller replays the rest of the journal. */
export const openMemory = (
  store: Store,
  journal: EntrySource,
  {
    hotStates = bounds.hotStates,
    memoryBytes = Number.POSITIVE_INFINITY,
    stopwatch = () => performance.now(),
    keys: keysOptions,
  }: MemoryOptions = {},
): StoredMemory => {
  const memory = newMemoryParts(store, journal, hotStates, memoryBytes, keysOptions)
  const { accounts, tables, states, timers, reversals, keys } = memory
  const questions = newQuestions({ tables, states, keys, journal, stopwatch })
  const rebuild: StoredMemory['rebuildEntry'] = (sequence, entry) => rebuildEntry(memory, sequence, entry)
  loadSnapshot(memory, store)
  return {
    find: (kind, id) => findActor(memory, kind, id),
    keep: (kind, id, kept, part) => keep(memory, kind, id, kept, part),
    findReply: (accountId, key, nowMs, kind) => findReply(memory, accountId, key, nowMs, kind),
    keepReply: (accountId, key, sequence, atMs) => {
      memory.unsaved += 1
      memory.replies.put(hashOf(memory, accountId, key), sequence, atMs)
    },
    dueTimer: (accountId, nowMs) => dueTimer(timers, accountId, nowMs),
    accountsDue: (nowMs) => dueAccounts(timers, nowMs),
    isAttemptDue: (atMs) => isAttemptDue(timers, atMs),
    takeDueAttempts: (atMs, limit) => takeAttempts(timers, atMs, limit),
    rearm: () => rearm(timers),
    handOutAgain: (id) => {
      const row = tables.at('delivery', tables.find('delivery', id))
      if (row !== undefined) queueAgain(timers, row)
    },
    ...questions,
    list: (accountId, kind, filter) => finish(questions.listing(accountId, kind, filter)),
    lookup: (kind, accountId, key) => lookup(memory, kind, accountId, key),
    lookupId: (kind, accountId, key) => {
      const table: Table | undefined = tables.of(accountId, kind)
      const rows = table === undefined ? [] : keys.find(table.number, key, table.rows.count)
      const known = rows.length === 0 ? [] : keys.find(table!.number, secondKey(key), table!.rows.count)
      const row = rows.find((one) => known.includes(one))
      return row === undefined ? undefined : idOf({ table: table!, row })
    },
    awaitingProvider: () => awaitingProvider(memory),
    transactionOfReversal: (reversalId) => {
      const owner = reversals.transactionRowOf(reversalId)
      return owner && (states.of(owner) as unknown as Versioned<Transaction>)
    },
    reversals: reversals.of,
    history: newHistory(journal, rebuild, stopwatch),
    entriesOf: (kind, id, atMost) => entriesOf(memory, kind, id, atMost),
    clear: (accountId, sequence) => clear(memory, accountId, sequence),
    tidy: (atMs) => tidyTimers(timers, (id) => clockNow(accounts.get(id)!.state, atMs), atMs),
    unsaved: () => memory.unsaved,
    takeSnapshot: (sequence) => takeSnapshot(memory, sequence),
    keysToMerge: keys.toMerge,
    warmKeys: keys.warm,
    forgetStates: (isMeant) => {
      for (const accountId of memory.accounts.keys())
        if (isMeant(accountId as AccountId)) states.forget(accountId as AccountId)
    },
    forgetPayers: (beforeMs) => forgetPayers(memory, beforeMs, stopwatch),
    paging: () => ({ heldBytes: memory.pager.held, reads: memory.pager.reads }),
    rebuildEntry: rebuild,
    isUnder: (kind, id, all) => isUnder(memory, kind, id, all),
    tableOf: tables.of,
  }
}

const loadSnapshot = (memory: MemoryParts, store: Store): void => {
  const { accounts, tables, timers, tableSnapshots } = memory
  tableSnapshots.load(store.tableSnapshots(), store.keyRuns())
  for (const table of tables.all()) loadDue(timers, table)
  for (const { state } of accounts.values()) setAccountDue(timers, state)
}

const keep = (
  memory: MemoryParts,
  kind: ActorKind,
  id: string,
  kept: Versioned<ActorState>,
  part: PartOfCall,
): void => {
  memory.unsaved += 1
  if (kind !== 'account') {
    keepRow(memory, kind, id, kept as Versioned<Recent['state']>, part)
    return
  }
  const account = kept as Versioned<Account>
  memory.accounts.set(id, account)
  memory.changedAccounts.add(id)
  setAccountDue(memory.timers, account.state)
}

const findReply = (
  memory: MemoryParts,
  accountId: AccountId,
  key: string,
  nowMs: number,
  kind: ActorKind,
): IdempotencyRecord | undefined => {
  for (const sequence of memory.replies.find(hashOf(memory, accountId, key))) {
    const entry = memory.journal.at(sequence)
    if (entry.accountId !== accountId || entry.idempotency?.key !== key) continue
    // A Sandbox reset forgets keys along with charges.
    if (sequence <= (memory.cleared.get(accountId) ?? 0)) return undefined
    if (entry.atMs + engineBounds.idempotencyRetentionMs <= nowMs) return undefined
    return {
      fingerprint: entry.idempotency.fingerprint,
      events: entry.events,
      state: stateAt(memory, sequence, ...effectOf(entry, kind, isAside)),
      sequence,
    }
  }
  return undefined
}

/** An actor as an earlier entry left it. */
const stateAt = (
  { states, tables }: MemoryParts,
  sequence: number,
  kind: ActorKind,
  id: string,
): ActorState => {
  assert(kind !== 'account', 'accounts are known only as they are now')
  return states.asOf(tables.at(kind, tables.find(kind, id))!, sequence)
}

const rebuildEntry = (
  { accounts, states, tables }: MemoryParts,
  sequence: number,
  { accountId, atMs, events, traceparent }: Entry,
): FlushedEntry | null => {
  const steps: Step[] = []
  for (const event of events) {
    if (event.actor === 'account') {
      steps.push({ event, after: accounts.get(event.id)!.state })
      continue
    }
    const row = tables.at(event.actor, tables.find(event.actor, event.id))
    if (row === undefined) return null
    const before = stateAfter(steps, event.id) ?? states.before(row, sequence)
    steps.push({ event, after: evolve(before, event) })
  }
  return { sequence, accountId, atMs, steps, traceparent }
}

const entriesOf = (
  { tables, journal }: MemoryParts,
  kind: ListedKind,
  id: string,
  atMost: number,
): readonly Entry[] => {
  const found = tables.at(kind, tables.find(kind, id))
  if (found === undefined) return []
  return sequencesOf(found.table, found.row)
    .slice(-atMost)
    .map((sequence) => journal.at(sequence))
}

const hashOf = ({ seed }: MemoryParts, accountId: AccountId, key: string): number =>
  hash32(seed, accountId, key)

const lookup = <Kind extends ListedKind>(
  { states, tables, keys }: MemoryParts,
  kind: Kind,
  accountId: AccountId,
  key: string,
): readonly Found<ActorStates[Kind]>[] => {
  const table: Table | undefined = tables.of(accountId, kind)
  if (table === undefined) return []
  return keys
    .find(table.number, key, table.rows.count)
    .map((row) => {
      const { views, place } = oneRow(table.rows, row)
      return { ...states.of({ table, row }), createdSequence: views.createdSequence[place]! }
    })
    .filter((found) => hasKey(found, key)) as unknown as readonly Found<ActorStates[Kind]>[]
}

/** Whether an actor has a key: the hash of another may be the same. */
const hasKey = ({ kind, state }: Recent, key: string): boolean =>
  definitionOf(kind).lookupKeys!(state).includes(key)

const isUnder = (
  { tables, keys }: MemoryParts,
  kind: ListedKind,
  id: string,
  all: readonly string[],
): boolean => {
  const found = tables.at(kind, tables.find(kind, id))
  if (found === undefined) return false
  const { table, row } = found
  return all.every((key) => keys.find(table.number, key, table.rows.count).includes(row))
}

const awaitingProvider = function* ({ tables }: MemoryParts): Iterable<string> {
  for (const table of tables.all()) {
    const { bits, rowsPerSegment } = table.rows.schema
    for (const [segment, { awaiting }] of table.segmentStats.entries()) {
      if (awaiting === 0) continue
      const first = segment << bits
      const { awaitsProvider } = viewsAt(table.rows, first)
      for (let n = 0; n < Math.min(rowsPerSegment, table.rows.count - first); n++)
        if (awaitsProvider[n] === 1) yield idOf({ table, row: first + n })
    }
  }
}

const clear = (memory: MemoryParts, accountId: AccountId, sequence: number): void => {
  memory.unsaved += 1
  for (const table of memory.tables.drop(accountId)) {
    memory.tableSnapshots.drop(table)
  }
  memory.states.forget(accountId)
  memory.cleared.set(accountId, sequence)
}

const forgetPayers = (
  memory: MemoryParts,
  beforeMs: ReadonlyMap<AccountId, number>,
  stopwatch: () => number,
): Work<void> | null => {
  for (const [accountId, untilMs] of beforeMs) {
    const table = memory.tables.of(accountId, 'transaction')
    if (table !== undefined && table.payersForgottenMs < untilMs)
      return forgetPayersOf(memory, table, untilMs, newTimeSlice(stopwatch, bounds.sliceMs))
  }
  return null
}

const forgetPayersOf = function* (
  memory: MemoryParts,
  table: TransactionTable,
  untilMs: number,
  slice: TimeSlice,
): Work<void> {
  const { journal, tableSnapshots } = memory
  const onChange = (): void => {
    memory.unsaved += 1
    tableSnapshots.change(table)
  }
  const last = lastBefore(journal, untilMs)
  const isForgotten = (row: number): boolean => {
    const created = viewsAt(table.rows, row).createdSequence[row & table.rows.schema.mask]!
    if (created > last) return false
    const { state } = foldEntries(idOf({ table, row }), [created], (sequence) => journal.at(sequence))
    return rowOf(state as Transaction).payer === null
  }
  yield* scrubPayers(table, isForgotten, slice, onChange)
  if (table.isDropped) return
  table.payersForgottenMs = untilMs
  onChange()
}

const takeSnapshot = (memory: MemoryParts, sequence: number): SnapshotChanges => {
  const { accounts, changedAccounts, cleared, tableSnapshots } = memory
  const changed = [...changedAccounts].map((id) => [id, accounts.get(id)!] as const)
  changedAccounts.clear()
  memory.unsaved = 0
  return { sequence, accounts: changed, cleared: [...cleared], ...tableSnapshots.freeze() }
}
