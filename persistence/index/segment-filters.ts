import { addMember, type BloomFilter, mayHave, newBloomFilter } from '../base/bloom-filter.ts'
import type { Columns } from '../base/columns.ts'
import { mix } from '../base/hash.ts'
import type { PackedId } from '../base/packed-id.ts'
import { type Derived, derivedOr } from '../base/pager.ts'
import type { TransactionViews } from './rows.ts'
import { readExtra } from './stored-extras.ts'

/**
 * Filters of full segments as a snapshot stores them beside the columns, each read when it is needed: of ids, so that of many companies' segments from
 * one time few are read for an id, and of payers and customers, so that a search for a few of
 * them skips nearly all segments.
 */

/** A filter of ids, to be stored. */
export const idFilterOf = ({ id }: { readonly id: Uint32Array }, rows: number): Uint8Array => {
  const filter = newBloomFilter(rows, bitsPerMember)
  for (let n = 0; n < rows; n++) addMember(filter, id[4 * n + 3]!, id[4 * n + 2]!)
  return new Uint8Array(filter.buffer)
}

/** A filter of the payers and the customers of transactions, to be stored. */
export const partyFilterOf = ({ payer, customer }: TransactionViews, rows: number): Uint8Array => {
  let members = 0
  for (let n = 0; n < rows; n++) members += Number(payer[n] !== 0) + Number(customer[n] !== 0)
  const filter = newBloomFilter(members, bitsPerMember)
  for (let n = 0; n < rows; n++) {
    if (payer[n] !== 0) addMember(filter, mix(payer[n]!), payer[n]!)
    if (customer[n] !== 0) addMember(filter, mix(~customer[n]!), ~customer[n]!)
  }
  return new Uint8Array(filter.buffer)
}

const bitsPerMember = 10

/** Whether the segment of a filter may have an id. */
export const mayHaveId = (filter: BloomFilter, packed: PackedId): boolean =>
  mayHave(filter, packed[3]!, packed[2]!)

/** Whether the segment of a filter may have a payer. */
export const mayHavePayer = (filter: BloomFilter, payer: number): boolean =>
  mayHave(filter, mix(payer), payer)

/** Whether the segment of a filter may have a customer. */
export const mayHaveCustomer = (filter: BloomFilter, customer: number): boolean =>
  mayHave(filter, mix(~customer), ~customer)

/** A segment's filter, read where it is not in memory; null while a snapshot does not have the segment as it is. */
export const storedFilter = (
  rows: Columns<unknown>,
  segment: number,
  extra: number,
  filter: Derived<BloomFilter>,
): BloomFilter | null => {
  const value = storedValueOf(rows, segment)
  if (value === null) return null
  return derivedOr(
    rows.paging.pager,
    filter,
    () => readFilter(rows, value, extra),
    ({ byteLength }) => byteLength,
  )
}

/** What a snapshot has of a full segment; null while it does not have the segment as it is. */
export const storedValueOf = (
  { segments, count, schema }: Columns<unknown>,
  segment: number,
): number | null => {
  if (count < (segment + 1) * schema.rowsPerSegment) return null
  const { stored, status } = segments[segment]!
  return status === 'STORED' ? (stored?.value ?? null) : null
}

/** A filter that is stored beside a segment. */
export const readFilter = (rows: Columns<unknown>, value: number, extra: number): BloomFilter =>
  new Uint32Array(new Uint8Array(readExtra(rows, value, extra)).buffer)
