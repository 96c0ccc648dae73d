import type { PartOfCall, Versioned } from '../../engine/kernel/ports.ts'
import type { ActorKind, ActorStates, ListedKind } from '../../engine/kernel/registry.ts'
import type { Account } from '../../engine/ledger/account.ts'
import type { ReceivedPix } from '../../engine/payments/received/received.ts'
import { receivedRowOf } from '../../engine/payments/received/row.ts'
import { datedOf } from '../../engine/payments/transaction/dated.ts'
import { rowOf } from '../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { definitionOf, dueAtMsOf, idPrefixOf } from '../../engine/registry.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { viewsAt } from '../base/columns.ts'
import { type Keys, type KeysOptions, newKeys, secondKey } from '../base/keys/keys.ts'
import { packId } from '../base/packed-id.ts'
import { newPager } from '../base/pager.ts'
import { fillLabel, fillReceived, fillTransaction } from '../index/fill.ts'
import { newReversalIndex } from '../index/reversals.ts'
import type { LabelledViews } from '../index/rows.ts'
import { fillScheduled } from '../index/scheduled.ts'
import { change, insertRow } from '../index/table.ts'
import type { ReceivedTable, Row, Table, TransactionTable } from '../index/table-type.ts'
import { newTables, type Tables } from '../index/tables.ts'
import type { EntrySource } from '../journal/journal.ts'
import { newReplyRegister } from '../snapshot/reply-register.ts'
import { newStates, type Recent } from '../snapshot/states.ts'
import type { Store } from '../snapshot/store.ts'
import { newTableSnapshots } from '../snapshot/table-snapshots.ts'
import { newTimers, setDue } from './timers.ts'

/** The state that the parts of a memory share. */
export type MemoryParts = ReturnType<typeof newMemoryParts>

/** The parts of a memory that has the accounts of a snapshot and none of its tables yet. */
export const newMemoryParts = (
  store: Store,
  journal: EntrySource,
  hotStates: number,
  memoryBytes: number,
  keysOptions: KeysOptions = {},
) => {
  const accounts = new Map<string, Versioned<Account>>(store.accounts())
  const paging = { pager: newPager(memoryBytes, store.read, store.beside) }
  const keys: Keys = newKeys(store.seed, paging, () => tables.newNumber(), keysOptions)
  const tables: Tables = newTables(store.seed, paging, keys)
  const states = newStates(journal, hotStates)
  const replies = newReplyRegister(paging)
  return {
    seed: store.seed,
    journal,
    accounts,
    changedAccounts: new Set<string>(),
    /** The entries that reset the Sandbox of an account last. */
    cleared: new Map<AccountId, number>(store.cleared()),
    tables,
    states,
    timers: newTimers(tables, states, (id) => accounts.get(id)!.state),
    reversals: newReversalIndex(tables, keys),
    keys,
    pager: paging.pager,
    replies,
    tableSnapshots: newTableSnapshots(tables, replies, keys, paging),
    /** Entries up to here are replayed. */
    replayedTo: journal.appended(),
    /** How many changes are not in a snapshot yet. */
    unsaved: 0,
  }
}

/** An actor by its id: a kept state, or one that is rebuilt from its entries. */
export const findActor = <Kind extends ActorKind>(
  { accounts, states, tables }: MemoryParts,
  kind: Kind,
  id: string,
): Versioned<ActorStates[Kind]> | undefined => {
  let found: Versioned<unknown> | undefined
  if (kind === 'account') found = accounts.get(id)
  else {
    const recent = states.recent(id)
    const row = recent === undefined ? tables.at(kind, tables.find(kind, id)) : undefined
    found = recent === undefined ? row && states.of(row, id) : recent.kind === kind ? recent : undefined
  }
  return found as Versioned<ActorStates[Kind]> | undefined
}

/**
 * Writes an actor's state into the columns and lookups of its row, and adds the row for a new actor. Keeps the
 * state if it is needed soon.
 */
export const keepRow = (
  memory: MemoryParts,
  kind: ListedKind,
  id: string,
  { state, sequence }: Versioned<Recent['state']>,
  part: PartOfCall,
): void => {
  const { tables, reversals } = memory
  const definition = definitionOf(kind)
  const known = tables.find(kind, id)
  const isNew = known === -1
  const { table, row } = isNew ? newRow(memory, kind, id, state, sequence) : tables.at(kind, known)!
  const before = isNew ? null : stateBefore(memory, table, row, id, sequence)
  if (!isNew) change(table, row, sequence)
  fill(memory, table, row, state, isNew)
  const place = isNew ? tables.index(table, row) : known
  setAwaiting(table, row, definition.awaitsProvider?.(state) === true)
  setDue(memory.timers, table, row, place, dueAtMsOf(kind, state))
  if (definition.lookupKeys !== undefined) {
    const keys = keysOf(kind, state)
    const keysBefore = before === null ? none : keysOf(kind, before)
    for (const key of keys) if (!keysBefore.includes(key)) memory.keys.put(table.number, key, row)
    for (const key of keysBefore) if (!keys.includes(key)) memory.keys.remove(table.number, key, row)
  }
  for (const reversal of definition.reversals?.(state) ?? none)
    reversals.put(table as TransactionTable, row, reversal, sequence)
  memory.tableSnapshots.change(table)
  keepState(memory, id, { kind, state, sequence }, part, isNew)
}

const keysOf = (kind: ListedKind, state: Recent['state']): readonly string[] => {
  const { lookupKeys, isKnownByKey } = definitionOf(kind)
  const keys = lookupKeys!(state)
  return isKnownByKey ? [...keys, ...keys.map(secondKey)] : keys
}

/** The state that a change found, for a kind that is looked up by keys; its command has read it. */
const stateBefore = (
  { states }: MemoryParts,
  table: Table,
  row: number,
  id: string,
  sequence: number,
): Recent['state'] | null => {
  if (definitionOf(table.kind).lookupKeys === undefined) return null
  const known = states.recent(id)
  return known !== undefined && known.sequence < sequence ? known.state : states.glance({ table, row }).state
}

const setAwaiting = (table: Table, row: number, asks: boolean): void => {
  const { bits, mask } = table.rows.schema
  const column = viewsAt(table.rows, row).awaitsProvider
  const after = asks ? 1 : 0
  table.segmentStats[row >>> bits]!.awaiting += after - column[row & mask]!
  column[row & mask] = after
}

/**
 * The state of a new actor usually leaves memory with its request, and a state that waited for a provider leaves
 * with the answer. Exceptions are needed again soon: a delivery is attempted at once, and during a replay the next
 * entry is near.
 */
const keepState = (
  { states, replayedTo }: MemoryParts,
  id: string,
  kept: Recent,
  part: PartOfCall,
  isNew: boolean,
): void => {
  if (part === 'INTENT') states.keepUntilAnswer(id, kept)
  else if (definitionOf(kept.kind).isOver?.(kept.state)) states.drop(id)
  else if (kept.sequence <= replayedTo || kept.kind === 'delivery') states.keep(id, kept)
  else if (!(part === 'ANSWER' && states.dropAnswered(id)) && !isNew) states.keep(id, kept)
}

const newRow = (
  { tables }: MemoryParts,
  kind: ListedKind,
  id: string,
  state: Recent['state'],
  sequence: number,
): Row => {
  const packed = packId(idPrefixOf(kind), id)
  assert(packed !== null, `${id} has the shape of an id`)
  const table: Table = tables.open(state.accountId, kind)
  return { table, row: insertRow(table, packed, definitionOf(kind).createdAtMs(state), sequence) }
}

const fill = (
  memory: MemoryParts,
  table: Table,
  row: number,
  state: Recent['state'],
  isNew: boolean,
): void => {
  switch (table.kind) {
    case 'transaction':
      fillTransaction(table as TransactionTable, row, rowOf(state as Transaction), isNew)
      fillScheduled(table as TransactionTable, row, datedOf(state as Transaction))
      return
    case 'received': {
      const charge = findActor(memory, 'transaction', (state as ReceivedPix).transactionId)?.state
      const values = receivedRowOf(state as ReceivedPix, charge)
      fillReceived(table as ReceivedTable, row, values, labelOf('received', state))
      return
    }
    default:
      fillLabel(table as Table<LabelledViews>, row, labelOf(table.kind, state), isNew)
  }
}

/** The label of a kind that has one: all but transactions. */
const labelOf = (kind: ListedKind, state: Recent['state']): string => definitionOf(kind).label!(state)!

const none: readonly never[] = []
