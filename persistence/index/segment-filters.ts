import { addMember, type BloomFilter, mayHave, newBloomFilter } from '../base/bloom-filter.ts'
import type { Columns } from '../base/columns.ts'
import type { PackedId } from '../base/packed-id.ts'
import { type Derived, derivedOr } from '../base/pager.ts'
import { readExtra } from './stored-extras.ts'

/**
 * Filters of full segments as a snapshot stores them beside the columns, each read when it is needed: of ids, so that of many companies' segments from
 * one time few are read for an id.
 */

/** A filter of ids, to be stored. */
export const idFilterOf = ({ id }: { readonly id: Uint32Array }, rows: number): Uint8Array => {
  const filter = newBloomFilter(rows, bitsPerMember)
  for (let n = 0; n < rows; n++) addMember(filter, id[4 * n + 3]!, id[4 * n + 2]!)
  return new Uint8Array(filter.buffer)
}

const bitsPerMember = 10

/** Whether the segment of a filter may have an id. */
export const mayHaveId = (filter: BloomFilter, packed: PackedId): boolean =>
  mayHave(filter, packed[3]!, packed[2]!)

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
