import { effectOf } from '../../engine/kernel/apply.ts'
import { clockNow } from '../../engine/kernel/clock.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { Found, Memory, PartOfCall, Versioned } from '../../engine/kernel/ports.ts'
import type { ActorKind, ActorState, ActorStates, ListedKind } from '../../engine/kernel/registry.ts'
import { type FlushedEntry, type Step, stateAfter } from '../../engine/kernel/step.ts'
import { finish } from '../../engine/kernel/work.ts'
import type { Account } from '../../engine/ledger/account.ts'
import type { ReceivedPix } from '../../engine/payments/received/received.ts'
import { receivedRowOf } from '../../engine/payments/received/row.ts'
import { rowOf } from '../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import {
  awaitsProvider,
  createdAtMsOf,
  dueAtMsOf,
  evolve,
  idPrefixOf,
  isAside,
  isOver,
  labelOf,
  lookupKeysOf,
  reversalIdsOf,
} from '../../engine/registry.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { limits as engineLimits } from '../../engine/shared/limits.ts'
import { limits } from '../base/limits.ts'
import { viewsAt } from '../index/columns.ts'
import { fillLabel, fillReceived, fillTransaction } from '../index/fill.ts'
import { hash32 } from '../index/hash.ts'
import { findLookup, firstLookup, hasLookup, putLookup } from '../index/lookups.ts'
import { packId } from '../index/packed-id.ts'
import { newReversalIndex } from '../index/reversals.ts'
import type { LabelledViews } from '../index/rows.ts'
import { change, insertRow } from '../index/table.ts'
import type { ReceivedTable, Table, TransactionTable } from '../index/table-type.ts'
import { idOf, newTables, type Row } from '../index/tables.ts'
import type { EntrySource } from '../journal/journal.ts'
import { newReplyRegister } from '../snapshot/reply-register.ts'
import type { SnapshotChanges } from '../snapshot/snapshot.ts'
import { newStates, type Recent } from '../snapshot/states.ts'
import type { Store } from '../snapshot/store.ts'
import { newTableSnapshots } from '../snapshot/table-snapshots.ts'
import { newHistory } from './history.ts'
import { newQuestions } from './questions.ts'
import { newTimers } from './timers.ts'

/**
 * What a shard remembers: every account, columns about every other actor, and the states of the actors used last. Any
 * other state is rebuilt from the journal on demand, so memory is bounded however long the history.
 */
export type StoredMemory = Memory & {
  /** How many changes are not in a snapshot yet. */
  readonly unsaved: () => number
  /** Takes everything not in a snapshot yet, as of `sequence`. The caller must write it, or reopen the memory. */
  readonly takeSnapshot: (sequence: number) => SnapshotChanges
  /** Hands out due deliveries again, for a shard that this node owns again. */
  readonly rearm: () => void
  /** Drops timers that are no longer due, for a replica that only follows. */
  readonly tidy: (atMs: number) => void
  /** An entry as it was applied; null if a Sandbox reset has forgotten its actors. Accounts are as they are now. */
  readonly rebuildEntry: (sequence: number, entry: Entry) => FlushedEntry | null
  /** The columns themselves, for comparison. */
  readonly tableOf: (accountId: AccountId, kind: ListedKind) => Table | undefined
}

export type MemoryOptions = {
  /** How many states are kept besides the accounts'. */
  readonly hotStates?: number | undefined
  /** Milliseconds of which only differences matter: tells long work when to yield. */
  readonly stopwatch?: () => number
}

/** Opens a memory from a snapshot. The caller replays the rest of the journal. */
export const openMemory = (
  store: Store,
  journal: EntrySource,
  { hotStates = limits.hotStates, stopwatch = () => performance.now() }: MemoryOptions = {},
): StoredMemory => {
  const accounts = new Map<string, Versioned<Account>>(store.accounts())
  const changedAccounts = new Set<string>()
  const cleared = new Map<AccountId, number>(store.cleared())
  const tables = newTables(store.seed)
  const states = newStates(journal, hotStates)
  const timers = newTimers(tables, states, (id) => accounts.get(id)!.state)
  const reversals = newReversalIndex(tables)
  const replies = newReplyRegister()
  const tableSnapshots = newTableSnapshots(tables, replies)
  const questions = newQuestions(tables, states, journal, stopwatch)
  /** Entries up to here are replayed. */
  const replayedTo = journal.appended()
  let unsaved = 0

  for (const tableSnapshot of store.tableSnapshots()) tableSnapshots.load(tableSnapshot)
  tables.indexAll(timers.load)
  for (const table of tables.all())
    if (table.kind === 'transaction') reversals.load(table as TransactionTable)
  for (const { state } of accounts.values()) timers.setAccount(state)

  const find = <Kind extends ActorKind>(kind: Kind, id: string): Versioned<ActorStates[Kind]> | undefined => {
    const kept = kind === 'account' ? accounts.get(id) : findListed(kind, id)
    return kept as unknown as Versioned<ActorStates[Kind]> | undefined
  }

  const findListed = (kind: ListedKind, id: string): Recent | undefined => {
    const recent = states.recent(id)
    if (recent !== undefined) return recent.kind === kind ? recent : undefined
    const row = tables.at(kind, tables.find(kind, id))
    return row && states.of(row, id)
  }

  const keep: Memory['keep'] = (kind, id, { state, sequence }, part) => {
    unsaved += 1
    if (kind !== 'account') {
      keepListed(kind, id, state as Recent['state'], sequence, part)
      return
    }
    accounts.set(id, { state: state as Account, sequence })
    changedAccounts.add(id)
    timers.setAccount(state as Account)
  }

  const keepListed = (
    kind: ListedKind,
    id: string,
    state: Recent['state'],
    sequence: number,
    part: PartOfCall,
  ): void => {
    const known = tables.find(kind, id)
    const isNew = known === -1
    const { table, row } = isNew ? newRow(kind, id, state, sequence) : tables.at(kind, known)!
    if (!isNew) change(table, row, sequence)
    fill(table, row, state, isNew)
    const place = isNew ? tables.index(table, row) : known
    const asks = awaitsProvider(kind, state)
    viewsAt(table.rows, row).awaitsProvider[row & table.rows.schema.mask] = asks ? 1 : 0
    timers.set(table, row, place, dueAtMsOf(kind, state))
    for (const key of lookupKeysOf(kind, state))
      if (isNew || !hasLookup(table.lookups, key, row)) putLookup(table.lookups, key, row)
    for (const reversalId of reversalIdsOf(kind, state))
      reversals.put(table as TransactionTable, row, reversalId, sequence)
    tableSnapshots.change(table)
    // A new actor's state usually leaves memory with its request, and one that waited for a provider with the answer. Exceptions are
    // needed again soon: a delivery is attempted at once, and during a replay the next entry is near.
    const kept = { kind, state, sequence }
    if (part === 'INTENT') states.keepUntilAnswer(id, kept)
    else if (isOver(kind, state)) states.drop(id)
    else if (sequence <= replayedTo || kind === 'delivery') states.keep(id, kept)
    else if (!(part === 'ANSWER' && states.dropAnswered(id)) && !isNew) states.keep(id, kept)
  }

  const newRow = (kind: ListedKind, id: string, state: Recent['state'], sequence: number): Row => {
    const packed = packId(idPrefixOf(kind), id)
    assert(packed !== null, `${id} has the shape of an id`)
    const table: Table = tables.open(state.accountId, kind)
    return { table, row: insertRow(table, packed, createdAtMsOf(kind, state), sequence) }
  }

  const fill = (table: Table, row: number, state: Recent['state'], isNew: boolean): void => {
    switch (table.kind) {
      case 'transaction':
        fillTransaction(table as TransactionTable, row, rowOf(state as Transaction), isNew)
        return
      case 'received': {
        const charge = find('transaction', (state as ReceivedPix).transactionId)?.state
        const now = receivedRowOf(state as ReceivedPix, charge)
        fillReceived(table as ReceivedTable, row, now, labelOf('received', state)!)
        return
      }
      default:
        fillLabel(table as Table<LabelledViews>, row, labelOf(table.kind, state)!, isNew)
    }
  }

  const findReply: Memory['findReply'] = (accountId, key, nowMs, kind) => {
    for (const sequence of replies.find(hashOf(accountId, key))) {
      const entry = journal.at(sequence)
      if (entry.accountId !== accountId || entry.idempotency?.key !== key) continue
      // A Sandbox reset forgets keys along with charges.
      if (sequence <= (cleared.get(accountId) ?? 0)) return undefined
      if (entry.atMs + engineLimits.idempotencyRetentionMs <= nowMs) return undefined
      return {
        fingerprint: entry.idempotency.fingerprint,
        events: entry.events,
        state: stateAt(sequence, ...effectOf(entry, kind, isAside)),
        sequence,
      }
    }
    return undefined
  }

  /** An actor as an earlier entry left it. */
  const stateAt = (sequence: number, kind: ActorKind, id: string): ActorState => {
    assert(kind !== 'account', 'accounts are known only as they are now')
    return states.asOf(tables.at(kind, tables.find(kind, id))!, sequence)
  }

  const rebuildEntry = (
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

  const hashOf = (accountId: AccountId, key: string): number => hash32(store.seed, accountId, key)

  const lookup = <Kind extends ListedKind>(
    kind: Kind,
    accountId: AccountId,
    key: string,
  ): readonly Found<ActorStates[Kind]>[] => {
    const table: Table | undefined = tables.of(accountId, kind)
    if (table === undefined) return []
    return [...new Set(findLookup(table.lookups, key))]
      .sort((a, b) => a - b)
      .map((row) => ({
        ...states.of({ table, row }),
        createdSequence: viewsAt(table.rows, row).createdSequence[row & table.rows.schema.mask]!,
      }))
      .filter(({ state }) => lookupKeysOf(kind, state).includes(key)) as unknown as readonly Found<
      ActorStates[Kind]
    >[]
  }

  const lookupId: Memory['lookupId'] = (kind, accountId, key) => {
    const table: Table | undefined = tables.of(accountId, kind)
    const row = table === undefined ? -1 : firstLookup(table.lookups, key)
    return row === -1 ? undefined : idOf({ table: table!, row })
  }

  const awaitingProvider = function* (): Iterable<string> {
    for (const table of tables.all()) {
      for (let row = 0; row < table.rows.count; row++)
        if (viewsAt(table.rows, row).awaitsProvider[row & table.rows.schema.mask] === 1)
          yield idOf({ table, row })
    }
  }

  const clear = (accountId: AccountId, sequence: number): void => {
    unsaved += 1
    for (const table of tables.drop(accountId)) {
      tableSnapshots.drop(table)
      if (table.kind === 'transaction') reversals.forget(table as TransactionTable)
    }
    states.forget(accountId)
    cleared.set(accountId, sequence)
  }

  const takeSnapshot = (sequence: number): SnapshotChanges => {
    const changed = [...changedAccounts].map((id) => [id, accounts.get(id)!] as const)
    changedAccounts.clear()
    unsaved = 0
    return { sequence, accounts: changed, cleared: [...cleared], ...tableSnapshots.freeze() }
  }

  return {
    find,
    keep,
    findReply,
    keepReply: (accountId, key, sequence, atMs) => {
      unsaved += 1
      replies.put(hashOf(accountId, key), sequence, atMs)
    },
    dueTimer: timers.dueTimer,
    accountsDue: timers.accountsDue,
    isAttemptDue: timers.isAttemptDue,
    takeDueAttempts: timers.takeDueAttempts,
    ...questions,
    list: (accountId, kind, filter) => finish(questions.listing(accountId, kind, filter)),
    lookup,
    lookupId,
    awaitingProvider,
    transactionOfReversal: (reversalId) => {
      const owner = reversals.transactionRowOf(reversalId)
      return owner && (states.of(owner) as unknown as Versioned<Transaction>)
    },
    reversals: reversals.of,
    history: newHistory(journal, rebuildEntry, stopwatch),
    clear,
    rearm: timers.rearm,
    tidy: (atMs) => timers.tidy((id) => clockNow(accounts.get(id)!.state, atMs), atMs),
    unsaved: () => unsaved,
    takeSnapshot,
    rebuildEntry,
    tableOf: tables.of,
  }
}
