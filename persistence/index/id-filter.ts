import { addMember, type BloomFilter, mayHave, newBloomFilter } from '../base/bloom-filter.ts'
import type { PackedId } from '../base/packed-id.ts'

/** A filter of a segment's ids as stored beside it: of many companies' segments from one time, few are read for an id. */
export const idFilterOf = (ids: Uint32Array, rows: number): Uint8Array => {
  const filter = newBloomFilter(rows, bitsPerId)
  for (let n = 0; n < rows; n++) addMember(filter, ids[4 * n + 3]!, ids[4 * n + 2]!)
  return new Uint8Array(filter.buffer)
}

/** Whether the segment of a filter may have an id. */
export const mayHaveId = (filter: BloomFilter, packed: PackedId): boolean =>
  mayHave(filter, packed[3]!, packed[2]!)

const bitsPerId = 10
