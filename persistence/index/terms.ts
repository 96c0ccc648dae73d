import type { Work } from '../../engine/kernel/work.ts'
import { rowOf, type TransactionRow } from '../../engine/payments/transaction/row.ts'
import type { TransactionFilter } from '../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { bloomFilterOf, mayHaveHash, mayHavePayer } from './bloom-filter.ts'
import { viewsAt } from './columns.ts'
import type { SegmentRows } from './group-sums.ts'
import { hash53 } from './hash.ts'
import { findIdNumber } from './id-numbers.ts'
import { keepEqual, keepMarked, keepNumber, keepWhere } from './keep.ts'
import { type PayerSet, payersNamed, payersSaying } from './payer-search.ts'
import type { TransactionTable } from './table-type.ts'
import type { Pace } from './time-slice.ts'

/** What a filter asks for by words: ids of others, the customer, and whatever a search may mean. */
export type Terms = {
  readonly areAny: boolean
  /** Whether a segment is known to have nothing that is asked for. */
  readonly ruleOut: (segment: number) => boolean
  /** Keeps of the first `count` rows of a segment those that may be meant. Answers how many. */
  readonly keep: (segment: number, rows: SegmentRows, count: number) => number
  /** Looks at the state, because columns have only hashes; null where they tell for certain. */
  readonly confirms: ((row: number) => boolean) | null
}

/** What the table itself does not tell. */
export type Surroundings = {
  /** The state of a row's actor, folded where it is cold. */
  readonly stateOf: (row: number) => Transaction
  /** The row of the table that has this id. */
  readonly rowOfId: (id: string) => number | null
  readonly pace: Pace
}

/** Finds out which payers are meant: that takes as long as there are payers. */
export const findTerms = function* (
  table: TransactionTable,
  { externalId, customerId, customer, search }: TransactionFilter,
  { stateOf, rowOfId, pace }: Surroundings,
): Work<Terms> {
  const { bits, mask } = table.rows.schema
  const named = customer === null ? null : yield* payersNamed(table.payers, customer, pace)
  const saying = search === null ? null : yield* payersSaying(table.payers, search, pace)
  const searchedRow = search === null ? null : rowOfId(search)
  const searchedHash = hash53(table.seed, search)
  const externalHash = hash53(table.seed, externalId)
  // Number 0 stands for no customer: nobody has the last one of all.
  const customerNumber = customerId === null ? null : findIdNumber(table.customers, customerId) || 0xffffffff

  const hasSearchedRow = (segment: number): boolean =>
    searchedRow !== null && searchedRow >>> bits === segment

  const ruleOut = (segment: number): boolean => {
    if (externalId === null && !named?.few && !saying?.few) return false
    const sieve = bloomFilterOf(table, segment)
    if (sieve === null) return false
    const isWithout = ({ few }: PayerSet): boolean =>
      few?.every((payer) => !mayHavePayer(sieve, payer)) ?? false
    if (externalId !== null && !mayHaveHash(sieve, externalHash)) return true
    if (named !== null && isWithout(named)) return true
    if (saying === null || hasSearchedRow(segment)) return false
    return isWithout(saying) && !mayHaveHash(sieve, searchedHash)
  }

  const keep = (segment: number, rows: SegmentRows, all: number): number => {
    const { views } = table.rows.segments[segment]!
    let count = all
    if (externalId !== null) count = keepEqual(views.externalId, externalHash, rows, count)
    if (customerNumber !== null) count = keepNumber(views.customer, customerNumber, rows, count)
    if (named !== null) count = keepMarked(views.payer, named.marks, rows, count)
    return saying === null ? count : keepSaying(segment, saying.marks, rows, count)
  }

  /** Whom a payer is found by, or maybe what the row itself goes by. */
  const keepSaying = (segment: number, marks: Uint8Array, rows: SegmentRows, count: number): number => {
    const { payer, externalId, key0, key1 } = table.rows.segments[segment]!.views
    const sieve = bloomFilterOf(table, segment)
    if (sieve !== null && !hasSearchedRow(segment) && !mayHaveHash(sieve, searchedHash))
      return keepMarked(payer, marks, rows, count)
    const place = hasSearchedRow(segment) ? searchedRow! & mask : -1
    return keepWhere(
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
    if (externalId !== null && rowOfState().externalId !== externalId) return false
    if (search === null || row === searchedRow) return true
    if (saying!.marks[viewsAt(table.rows, row).payer[row & mask]!] === 1) return true
    return rowOfState().externalId === search || rowOfState().keys.includes(search)
  }

  return {
    areAny: externalId !== null || customerId !== null || customer !== null || search !== null,
    ruleOut,
    keep,
    confirms: externalId === null && search === null ? null : confirms,
  }
}
