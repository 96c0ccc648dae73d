import type { Work } from '../../engine/kernel/work.ts'
import { rowOf, type TransactionRow } from '../../engine/payments/transaction/row.ts'
import type { TransactionFilter } from '../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { BloomFilter } from '../base/bloom-filter.ts'
import { oneRow, viewsOf } from '../base/columns.ts'
import type { TimeSlice } from '../base/time-slice.ts'
import { filterMarked, filterWhere } from './filter-rows.ts'
import { numbersOfId } from './id-numbers.ts'
import { type NumberSet, numbersWithin } from './number-set.ts'
import { payersNamed, payersSaying } from './payer-search.ts'
import { mayHaveCustomer, mayHavePayer, storedFilter } from './segment-filters.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { TransactionTable } from './table-type.ts'

/** The conditions of a filter that concern texts and ids: external id, customer, and anything a search may match. */
export type SearchTerms = {
  readonly areAny: boolean
  /** The only rows that may match, where keys tell; null otherwise. */
  readonly rows: ReadonlySet<number> | null
  /** Whether a segment certainly has no match. */
  readonly ruleOut: (segment: number) => boolean
  /** Keeps those of the first `count` rows of a segment that may match. Returns how many. */
  readonly filter: (segment: number, rows: SegmentRows, count: number) => number
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
  { externalIds, customerId, customer, search }: TransactionFilter,
  { stateOf, rowOfId, rowsOfKey, slice }: Surroundings,
): Work<SearchTerms> {
  const { bits } = table.rows.schema
  const named = customer === null ? null : yield* payersNamed(table.payers, customer, slice)
  const saying = search === null ? null : yield* payersSaying(table.payers, search, slice)
  const searchedRow = search === null ? null : rowOfId(search)
  /** Rows that may have the searched text as an id of theirs. */
  const searched = new Set(search === null ? [] : rowsOfKey(search))
  if (searchedRow !== null) searched.add(searchedRow)
  const searchedSegments = new Set(Array.from(searched, (row) => row >>> bits))
  const external = externalIds.length === 0 ? null : new Set(externalIds.flatMap((id) => [...rowsOfKey(id)]))
  const customers = customerId === null ? null : yield* numbersOfId(table.customers, customerId, slice)
  const isNone = customers?.few?.length === 0 || named?.few?.length === 0
  const isKeyAlone = saying?.few?.length === 0
  const rows = isNone ? new Set<number>() : (external ?? (isKeyAlone ? searched : null))

  const ruleOut = (segment: number): boolean => {
    if (customers !== null && isWithoutCustomers(table, segment, customers)) return true
    if (named !== null && isWithoutPayers(table, segment, named)) return true
    return saying !== null && !searchedSegments.has(segment) && isWithoutPayers(table, segment, saying)
  }

  const filter = (segment: number, rows: SegmentRows, all: number): number => {
    const first = segment << bits
    const views = viewsOf(table.rows, segment)
    let count = all
    if (external !== null) count = filterWhere((n) => external.has(first + n), rows, count)
    if (customers !== null) count = filterOf(customers, views.customer, rows, count)
    if (named !== null) count = filterOf(named, views.payer, rows, count)
    if (saying === null) return count
    const { payer } = views
    if (!searchedSegments.has(segment)) return filterOf(saying, payer, rows, count)
    return filterWhere((n) => saying.has(payer[n]!) || searched.has(first + n), rows, count)
  }

  const confirms = (row: number): boolean => {
    let known: TransactionRow | null = null
    const rowOfState = (): TransactionRow => {
      known ??= rowOf(stateOf(row))
      return known
    }
    if (external !== null && !externalIds.includes(rowOfState().externalId ?? '')) return false
    if (search === null || row === searchedRow) return true
    const { views, place } = oneRow(table.rows, row)
    if (saying!.has(views.payer[place]!)) return true
    return rowOfState().externalId === search || rowOfState().keys.includes(search)
  }

  return {
    areAny: external !== null || customerId !== null || customer !== null || search !== null,
    rows,
    ruleOut,
    filter,
    confirms: external === null && search === null ? null : confirms,
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

const isWithoutPayers = (table: TransactionTable, segment: number, { few }: NumberSet): boolean => {
  if (few === null) return false
  const { minPayer, maxPayer } = table.segmentStats[segment]!
  return isWithout(table, segment, numbersWithin(few, minPayer, maxPayer), mayHavePayer)
}

const isWithoutCustomers = (table: TransactionTable, segment: number, { few }: NumberSet): boolean => {
  if (few === null) return false
  const { minCustomer, maxCustomer } = table.segmentStats[segment]!
  return isWithout(table, segment, numbersWithin(few, minCustomer, maxCustomer), mayHaveCustomer)
}

/** Whether a segment certainly has none of these numbers. */
const isWithout = (
  table: TransactionTable,
  segment: number,
  numbers: readonly number[],
  mayHave: (filter: BloomFilter, number: number) => boolean,
): boolean => {
  if (numbers.length === 0) return true
  // A filter is wrong once in a hundred times: of so many numbers it says nothing.
  if (numbers.length > askedMax) return false
  const filter = storedFilter(table.rows, segment, 2, table.segmentStats[segment]!.parties)
  return filter !== null && numbers.every((number) => !mayHave(filter, number))
}

const askedMax = 64
