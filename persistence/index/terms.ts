import type { Work } from '../../engine/kernel/work.ts'
import { rowOf, type TransactionRow } from '../../engine/payments/transaction/row.ts'
import type { TransactionFilter } from '../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { viewsAt } from '../base/columns.ts'
import { hash53 } from '../base/hash.ts'
import type { TimeSlice } from '../base/time-slice.ts'
import { bloomFilterOf, mayHaveHash, mayHavePayer } from './bloom-filter.ts'
import { filterAmong, filterMarked, filterNumber, filterWhere } from './filter-rows.ts'
import { findIdNumber } from './id-numbers.ts'
import { type PayerSet, payersNamed, payersSaying } from './payer-search.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { TransactionTable } from './table-type.ts'

/** The conditions of a filter that concern texts and ids: external id, customer, and anything a search may match. */
export type SearchTerms = {
  readonly areAny: boolean
  /** Whether a segment certainly has no match. */
  readonly ruleOut: (segment: number) => boolean
  /** Keeps those of the first `count` rows of a segment that may match. Returns how many. */
  readonly filter: (segment: number, rows: SegmentRows, count: number) => number
  /** Checks the state, because columns only have hashes; null if they are certain. */
  readonly confirms: ((row: number) => boolean) | null
}

/** Lookups beyond the table itself. */
export type Surroundings = {
  /** The state of a row's actor, rebuilt from the journal if cold. */
  readonly stateOf: (row: number) => Transaction
  /** The row of the table that has this id. */
  readonly rowOfId: (id: string) => number | null
  readonly slice: TimeSlice
}

/** Finds the payers that match, which takes time in proportion to all payers. */
export const findTerms = function* (
  table: TransactionTable,
  { externalIds, customerId, customer, search }: TransactionFilter,
  { stateOf, rowOfId, slice }: Surroundings,
): Work<SearchTerms> {
  const { bits, mask } = table.rows.schema
  const named = customer === null ? null : yield* payersNamed(table.payers, customer, slice)
  const saying = search === null ? null : yield* payersSaying(table.payers, search, slice)
  const searchedRow = search === null ? null : rowOfId(search)
  const searchedHash = hash53(table.seed, search)
  const externalHashes = new Set(externalIds.map((externalId) => hash53(table.seed, externalId)))
  const asksExternal = externalIds.length > 0
  // Number 0 means no customer, and the largest number is never used.
  const customerNumber = customerId === null ? null : findIdNumber(table.customers, customerId) || 0xffffffff

  const hasSearchedRow = (segment: number): boolean =>
    searchedRow !== null && searchedRow >>> bits === segment

  const ruleOut = (segment: number): boolean => {
    if (!asksExternal && !named?.few && !saying?.few) return false
    const bloomFilter = bloomFilterOf(table, segment)
    if (bloomFilter === null) return false
    const isWithout = ({ few }: PayerSet): boolean =>
      few?.every((payer) => !mayHavePayer(bloomFilter, payer)) ?? false
    if (asksExternal && !some(externalHashes, (hash) => mayHaveHash(bloomFilter, hash))) return true
    if (named !== null && isWithout(named)) return true
    if (saying === null || hasSearchedRow(segment)) return false
    return isWithout(saying) && !mayHaveHash(bloomFilter, searchedHash)
  }

  const filter = (segment: number, rows: SegmentRows, all: number): number => {
    const { views } = table.rows.segments[segment]!
    let count = all
    if (asksExternal) count = filterAmong(views.externalId, externalHashes, rows, count)
    if (customerNumber !== null) count = filterNumber(views.customer, customerNumber, rows, count)
    if (named !== null) count = filterMarked(views.payer, named.marks, rows, count)
    return saying === null ? count : filterSaying(segment, saying.marks, rows, count)
  }

  /** Keeps rows whose payer matches the search, or that may match by their own ids. */
  const filterSaying = (segment: number, marks: Uint8Array, rows: SegmentRows, count: number): number => {
    const { payer, externalId, key0, key1 } = table.rows.segments[segment]!.views
    const bloomFilter = bloomFilterOf(table, segment)
    if (bloomFilter !== null && !hasSearchedRow(segment) && !mayHaveHash(bloomFilter, searchedHash))
      return filterMarked(payer, marks, rows, count)
    const place = hasSearchedRow(segment) ? searchedRow! & mask : -1
    return filterWhere(
      (n) =>
        marks[payer[n]!] === 1 ||
        externalId[n] === searchedHash ||
        key0[n] === searchedHash ||
        key1[n] === searchedHash ||
        n === place,
      rows,
      count,
    )
  }

  const confirms = (row: number): boolean => {
    let known: TransactionRow | null = null
    const rowOfState = (): TransactionRow => {
      known ??= rowOf(stateOf(row))
      return known
    }
    if (asksExternal && !externalIds.includes(rowOfState().externalId ?? '')) return false
    if (search === null || row === searchedRow) return true
    if (saying!.marks[viewsAt(table.rows, row).payer[row & mask]!] === 1) return true
    return rowOfState().externalId === search || rowOfState().keys.includes(search)
  }

  return {
    areAny: asksExternal || customerId !== null || customer !== null || search !== null,
    ruleOut,
    filter,
    confirms: !asksExternal && search === null ? null : confirms,
  }
}

const some = <Item>(items: Iterable<Item>, isMeant: (item: Item) => boolean): boolean => {
  for (const item of items) if (isMeant(item)) return true
  return false
}
