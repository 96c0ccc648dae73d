import type { Work } from '../../engine/kernel/work.ts'
import {
  hasPartyId,
  type PartyIdName,
  rowOf,
  type TransactionRow,
} from '../../engine/payments/transaction/row.ts'
import type { TransactionFilter } from '../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { oneRow } from '../base/columns.ts'
import type { TimeSlice } from '../base/time-slice.ts'
import { filterMarked, filterWhere } from './filter-rows.ts'
import { numbersOfId } from './id-numbers.ts'
import type { NumberSet } from './number-set.ts'
import { rowsOfCustomers, rowsOfPayers } from './party-lists.ts'
import { payersNamed, payersSaying } from './payer-search.ts'
import type { TransactionViews } from './rows.ts'
import type { RowsToFilter } from './rows-to-filter.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { TransactionTable } from './table-type.ts'

/** The conditions of a filter that concern texts and ids: external id, customer, and anything a search may match. */
export type SearchTerms = {
  readonly areAny: boolean
  /** The only rows that may match, where keys tell; null otherwise. */
  readonly rows: ReadonlySet<number> | null
  /** Keeps those of the first `count` rows of a segment, which begins with row `first`, that may match. Returns how many. */
  readonly filter: (first: number, rows: RowsToFilter<TransactionViews>, count: number) => number
  /** Checks the state, because keys are found by hash; null if columns are certain. */
  readonly confirms: ((row: number) => boolean) | null
}

/** Lookups beyond the table itself. */
export type Surroundings = {
  /** The state of a row's actor, rebuilt from the journal if cold. */
  readonly stateOf: (row: number) => Transaction
  /** The row of the table that has this id. */
  readonly rowOfId: (id: string) => number | null
  /** The rows of the table that may have this external id, or id at another party. */
  readonly rowsOfKey: (key: string) => readonly number[]
  readonly slice: TimeSlice
}

/** Finds the payers that match, which takes time in proportion to all payers. */
export const findTerms = function* (
  table: TransactionTable,
  { externalIds, partyIds, customerId, customer, search }: TransactionFilter,
  { stateOf, rowOfId, rowsOfKey, slice }: Surroundings,
): Work<SearchTerms> {
  const named = customer === null ? null : yield* payersNamed(table.payers, customer, slice)
  const saying = search === null ? null : yield* payersSaying(table.payers, search, slice)
  const searchedRow = search === null ? null : rowOfId(search)
  /** Rows that may have the searched text as an id of theirs. */
  const searched = new Set(search === null ? [] : rowsOfKey(search))
  if (searchedRow !== null) searched.add(searchedRow)
  const external = externalIds.length === 0 ? null : new Set(externalIds.flatMap((id) => [...rowsOfKey(id)]))
  const others = Object.entries(partyIds) as readonly (readonly [PartyIdName, string])[]
  const rowsOfParties = others.map(([, id]) => new Set(rowsOfKey(id)))
  const customers = customerId === null ? null : yield* numbersOfId(table.customers, customerId, slice)
  const said = saying && rowsOfPayers(table, saying)
  const rows = smallest([
    external,
    ...rowsOfParties,
    customers && rowsOfCustomers(table, customers),
    named && rowsOfPayers(table, named),
    said && [...said, ...searched],
  ])

  const filter: SearchTerms['filter'] = (first, { views, places, rowAt }, all) => {
    let count = all
    if (external !== null) count = filterWhere((n) => external.has(first + rowAt(n)), places, count)
    for (const own of rowsOfParties) count = filterWhere((n) => own.has(first + rowAt(n)), places, count)
    if (customers !== null) count = filterOf(customers, views.customer, places, count)
    if (named !== null) count = filterOf(named, views.payer, places, count)
    if (saying === null) return count
    const { payer } = views
    if (searched.size === 0) return filterOf(saying, payer, places, count)
    return filterWhere((n) => saying.has(payer[n]!) || searched.has(first + rowAt(n)), places, count)
  }

  const isKeyed = external !== null || others.length > 0
  const confirms = (row: number): boolean => {
    let known: TransactionRow | null = null
    const rowOfState = (): TransactionRow => {
      known ??= rowOf(stateOf(row))
      return known
    }
    if (external !== null && !externalIds.includes(rowOfState().externalId ?? '')) return false
    if (!others.every(([name, id]) => hasPartyId(rowOfState(), name, id))) return false
    if (search === null || row === searchedRow) return true
    const { views, place } = oneRow(table.rows, row)
    if (saying!.has(views.payer[place]!)) return true
    return rowOfState().externalId === search || rowOfState().keys.includes(search)
  }

  return {
    areAny: isKeyed || customerId !== null || customer !== null || search !== null,
    rows,
    filter,
    confirms: isKeyed || search !== null ? confirms : null,
  }
}

/** Keeps rows whose number in a column is in a set. */
const filterOf = (
  { marks, mask, few, has }: NumberSet,
  column: Uint32Array,
  rows: SegmentRows,
  all: number,
): number => {
  const count = filterMarked(column, marks, mask, rows, all)
  return few === null ? count : filterWhere((n) => has(column[n]!), rows, count)
}

/** The fewest rows among those of which each has all matches. */
const smallest = (all: readonly (Iterable<number> | null)[]): ReadonlySet<number> | null => {
  const sets = all.flatMap((rows) => (rows === null ? [] : new Set(rows)))
  return sets.length === 0 ? null : sets.reduce((best, other) => (other.size < best.size ? other : best))
}
