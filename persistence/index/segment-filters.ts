import { addMember, type BloomFilter, mayHave, newBloomFilter } from '../base/bloom-filter.ts'
import type { Columns } from '../base/columns.ts'
import { mix } from '../base/hash.ts'
import type { PackedId } from '../base/packed-id.ts'
import { type Derived, derivedOr } from '../base/pager.ts'
import { readExtra } from './stored-extras.ts'

/**
 * Filters of full segments as a snapshot stores them beside the columns, each read when it is needed: of ids, so that of many companies' segments from
 * one time few are read for an id, and of payers, so that a search for a few of them skips nearly all segments.
 */

/** A filter of ids, to be stored. */
export const idFilterOf = (ids: Uint32Array, rows: number): Uint8Array => {
  const filter = newBloomFilter(rows, bitsPerMember)
  for (let n = 0; n < rows; n++) addMember(filter, ids[4 * n + 3]!, ids[4 * n + 2]!)
  return new Uint8Array(filter.buffer)
}

/** A filter of payers, to be stored. */
export const payerFilterOf = (payers: Uint32Array, rows: number): Uint8Array => {
  const filter = newBloomFilter(rows, bitsPerMember)
  for (let n = 0; n < rows; n++) if (payers[n] !== 0) addMember(filter, mix(payers[n]!), payers[n]!)
  return new Uint8Array(filter.buffer)
}

const bitsPerMember = 10

/** Whether the segment of a filter may have an id. */
export const mayHaveId = (filter: BloomFilter, packed: PackedId): boolean =>
  mayHave(filter, packed[3]!, packed[2]!)

/** Whether the segment of a filter may have a payer. */
export const mayHavePayer = (filter: BloomFilter, payer: number): boolean =>
  mayHave(filter, mix(payer), payer)

/** A segment's filter, read where it is not in memory; null while a snapshot does not have the segment as it is. */
export const storedFilter = (
  rows: Columns<unknown>,
  segment: number,
  extra: number,
  filter: Derived<BloomFilter>,
): BloomFilter | null => {
  const { stored, status } = rows.segments[segment]!
  const value = stored?.value ?? null
  if (value === null || status !== 'STORED') return null
  return derivedOr(
    rows.paging.pager,
    filter,
    () => new Uint32Array(new Uint8Array(readExtra(rows, value, extra)).buffer),
    ({ byteLength }) => byteLength,
  )
}
