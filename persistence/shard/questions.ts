import type { ListFilter, ListPage, Memory } from '../../engine/kernel/ports.ts'
import type { ActorStates, ListedKind } from '../../engine/kernel/registry.ts'
import type { Work } from '../../engine/kernel/work.ts'
import { datedOf } from '../../engine/payments/transaction/dated.ts'
import type {
  FoundTransactions,
  GroupFigures,
  ReceivedFigures,
  Tally,
  TransactionFilter,
  TransactionPage,
} from '../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { viewsAt } from '../base/columns.ts'
import type { Keys } from '../base/keys/keys.ts'
import { newTimeSlice, type TimeSlice } from '../base/time-slice.ts'
import { groupOf } from '../index/group-code.ts'
import { type GroupSum, newGroupSums } from '../index/group-sums.ts'
import { openDisputesIn, periodFigures } from '../index/period-figures.ts'
import { receivedCode } from '../index/rows.ts'
import { scanBy, scanByTime } from '../index/scan.ts'
import { scheduledFigures, scheduledPage } from '../index/scheduled.ts'
import { selectTransactions } from '../index/select-transactions.ts'
import { selectLabelled, selectReceived } from '../index/selection.ts'
import type { TableOf } from '../index/table.ts'
import type { ReceivedTable, Row, Table, TransactionTable } from '../index/table-type.ts'
import { idOf, type Tables } from '../index/tables.ts'
import { createdAtOf } from '../index/time-order.ts'
import type { EntrySource } from '../journal/journal.ts'
import type { States } from '../snapshot/states.ts'
import { newStatePacker } from './packed-states.ts'

/**
 * Queries about many actors, answered from columns in slices. Between slices other work may change rows, add new ones
 * (which no scan sees: it knows how many there were) or clear the account, in which case the query starts over.
 */
export type Questions = Pick<
  Memory,
  | 'transactions'
  | 'periodFigures'
  | 'scheduledFigures'
  | 'scheduledReceivables'
  | 'openDisputes'
  | 'receivedFigures'
  | 'listing'
>

/** The data that queries read. */
type Source = {
  readonly tables: Tables
  readonly states: States
  readonly keys: Keys
  readonly journal: Pick<EntrySource, 'batchAt'>
  readonly stopwatch: () => number
}

/** Answers list queries from these tables. */
export const newQuestions = (source: Source): Questions => ({
  transactions: (accountId, filter, page) =>
    fromTable(source, accountId, 'transaction', (table, slice) =>
      transactionsIn(source, table, filter, page, slice),
    ),
  periodFigures: (accountId, instants, dateField) =>
    fromTable(source, accountId, 'transaction', function* (table, slice) {
      // Null when the table was dropped: then the query starts over.
      return table === undefined ? [] : (yield* periodFigures(table, instants, dateField, slice))!
    }),
  scheduledFigures: (accountId, period) =>
    fromTable(source, accountId, 'transaction', function* (table, slice) {
      if (table === undefined) return []
      return (yield* scheduledFigures(table, period, stateIn(source, table), slice))!
    }),
  scheduledReceivables: (accountId, filter, page) =>
    fromTable(source, accountId, 'transaction', function* (table, slice) {
      if (table === undefined) return { rows: [], total: 0 }
      const found = yield* scheduledPage(table, filter, page, stateIn(source, table), slice)
      if (found === null) return { rows: [], total: 0 }
      const rows = found.places.map(({ row, ordinal }) => {
        const transaction = source.states.of({ table, row }).state as Transaction
        return { transaction, receivable: datedOf(transaction)[ordinal]! }
      })
      return { rows, total: found.total }
    }),
  openDisputes: (accountId, prefix) => {
    const table = source.tables.of(accountId, 'transaction')
    return table === undefined ? 0 : openDisputesIn(table, prefix)
  },
  receivedFigures: (accountId, fromMs, toMs) =>
    fromTable(source, accountId, 'received', (table, slice) => receivedIn(table, fromMs, toMs, slice)),
  listing: (accountId, kind, filter) =>
    fromTable(source, accountId, kind, (table, slice) => listingIn(source, table, filter, slice)),
})

/** The states of a table's transactions, which are not kept for being read here. */
const stateIn =
  ({ states }: Source, table: TransactionTable) =>
  (row: number): Transaction =>
    states.glance({ table, row }).state as Transaction

/** Queries an account's table, and starts over when the account was cleared meanwhile. */
const fromTable = function* <Kind extends ListedKind, Value>(
  { tables, stopwatch }: Source,
  accountId: AccountId,
  kind: Kind,
  ask: (table: TableOf[Kind] | undefined, slice: TimeSlice) => Work<Value>,
): Work<Value> {
  const slice = newTimeSlice(stopwatch, bounds.sliceMs)
  for (;;) {
    const table = tables.of(accountId, kind)
    const value = yield* ask(table, slice)
    if (!(table as Table | undefined)?.isDropped) return value
  }
}

const transactionsIn = function* (
  { tables, states, keys, journal }: Source,
  table: TransactionTable | undefined,
  filter: TransactionFilter,
  { order, start, limit, tells, packs }: TransactionPage,
  slice: TimeSlice,
): Work<FoundTransactions> {
  const packer = packs ? newStatePacker(journal) : null
  if (table === undefined) return { ...nothing, packed: packer?.pack() ?? null }
  const sums = newGroupSums((code) => filter.fits(groupOf(table.labels, code)), 5)
  const after = 'after' in start ? start.after : null
  const selection = yield* selectTransactions(table, filter, order, after, sums, tells === 'figures', {
    stateOf: (row) => states.glance({ table, row }).state as Transaction,
    rowOfId: (id) => rowIn(table, tables.at('transaction', tables.find('transaction', id))),
    rowsOfKey: (key) => keys.find(table.number, key, table.rows.count),
    slice,
  })
  const shown: Transaction[] = []
  let count = 0
  let last: number | null = null
  // Pages that people browse are asked for again; the pieces of an export, which continue each other, are not.
  const stateOf = 'offset' in start && limit <= bounds.keptPageMax ? states.of : states.glance
  const show = (row: number): void => {
    if (packer === null) shown.push(stateOf({ table, row }).state as Transaction)
    else if (packer.isFull()) return
    else packer.add(table, row)
    count += 1
    last = row
  }
  const offset = 'offset' in start ? start.offset : 0
  const total = yield* scanBy({ table, selection, slice, show }, order, {
    start: offset,
    end: limit === 0 ? 0 : offset + limit,
    countsAll: tells !== 'nothing',
  })
  return {
    states: shown,
    packed: packer?.pack() ?? null,
    next: last === null || (count < limit && !packer?.isFull()) ? null : positionOf(table, last, order.by),
    total: tells === 'nothing' ? 0 : total,
    groups: tells === 'figures' ? sums.groups().map((sum) => groupFigures(table, sum)) : [],
  }
}

const receivedIn = function* (
  table: ReceivedTable | undefined,
  fromMs: number,
  toMs: number,
  slice: TimeSlice,
): Work<ReceivedFigures> {
  const sums = newGroupSums(() => true, 2)
  if (table !== undefined) {
    const selection = selectReceived(table, fromMs, toMs, sums)
    yield* scanByTime({ table, selection, slice, show: () => undefined }, true, noRows)
  }
  return receivedFiguresOf(sums.groups())
}

const listingIn = function* <Kind extends ListedKind>(
  { states }: Source,
  table: Table | undefined,
  filter: ListFilter<ActorStates[Kind]>,
  slice: TimeSlice,
): Work<ListPage<ActorStates[Kind]>> {
  const shown: ActorStates[Kind][] = []
  if (table === undefined) return { states: shown, total: 0 }
  const { offset, limit } = filter
  const glance = (row: number) => states.glance({ table, row }).state as ActorStates[Kind]
  const selection = selectLabelled(table, filter, glance)
  const stateOf = limit <= bounds.keptPageMax ? states.of : states.glance
  const show = (row: number): void => {
    shown.push(stateOf({ table, row }).state as ActorStates[Kind])
  }
  const page = { start: offset, end: offset + limit, countsAll: true }
  const total = yield* scanByTime({ table, selection, slice, show }, true, page)
  return { states: shown, total }
}

const nothing: Omit<FoundTransactions, 'packed'> = { states: [], next: null, total: 0, groups: [] }
const noRows = { start: 0, end: 0, countsAll: true }

const rowIn = (table: Table, found: Row | undefined): number | null =>
  found !== undefined && found.table === table ? found.row : null

const positionOf = (table: TransactionTable, row: number, by: 'createdAt' | 'amount') => ({
  at:
    by === 'createdAt'
      ? createdAtOf(table, row)
      : viewsAt(table.rows, row).amountCents[row & table.rows.schema.mask]!,
  id: idOf({ table, row }),
})

const groupFigures = ({ labels }: TransactionTable, { code, count, sums }: GroupSum): GroupFigures => {
  const [amountCents, paidCents, feeCents, refundedCents, disputedCents] = sums as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  return { ...groupOf(labels, code), count, amountCents, paidCents, feeCents, refundedCents, disputedCents }
}

const receivedFiguresOf = (groups: readonly GroupSum[]): ReceivedFigures => {
  const ofCodes = (...codes: readonly number[]) => groups.filter(({ code }) => codes.includes(code))
  const tally = (some: readonly GroupSum[]): Tally => ({
    count: some.reduce((sum, { count }) => sum + count, 0),
    cents: some.reduce((sum, { sums }) => sum + sums[0]!, 0n),
  })
  const deposits = ofCodes(receivedCode(false, true))
  const received = [...ofCodes(receivedCode(false, false)), ...deposits]
  return {
    received: tally(received),
    deposits: tally(deposits),
    returned: tally(ofCodes(receivedCode(true, false))),
    feeCents: received.reduce((sum, { sums }) => sum + sums[1]!, 0n),
  }
}
