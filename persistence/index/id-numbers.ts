import type { Work } from '../../engine/kernel/work.ts'
import type { BloomFilter } from '../base/bloom-filter.ts'
import { append, type Columns, schema, viewsAt, viewsOf } from '../base/columns.ts'
import { hashAt, isIdAt, packId, writeId } from '../base/packed-id.ts'
import { type Derived, newDerived } from '../base/pager.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { type NumberSet, newNumberSet } from './number-set.ts'
import { addRecentNumber, findRecent, newRecentNumbers, type RecentNumbers } from './recent-numbers.ts'
import { mayHaveId, storedFilter } from './segment-filters.ts'

/** Numbers from 1 for ids that many rows name; 0 stands for none. An id may have several (see `recent-numbers.ts`). */
export type IdNumbers = {
  readonly prefix: string
  readonly ids: Columns<IdViews>
  readonly recent: RecentNumbers
  /** The filter of each full segment that was searched. */
  readonly filters: Derived<BloomFilter>[]
}

export type IdViews = { readonly id: Uint32Array }
export const idSchema = schema(4096, (take) => ({ id: take.uint32('id', 4) }))
const { mask } = idSchema

/** The numbers of stored ids of one prefix. */
export const newIdNumbers = (prefix: string, ids: Columns<IdViews>): IdNumbers => ({
  prefix,
  ids,
  recent: newRecentNumbers((row) => hashAt(viewsAt(ids, row).id, row & mask)),
  filters: [],
})

/** A number of an id, new if needed; 0 for a malformed one, which no filter can ask for either. */
export const numberOfId = ({ prefix, ids, recent }: IdNumbers, id: string | null): number => {
  const packed = id === null ? null : packId(prefix, id)
  if (packed === null) return 0
  const hash = hashAt(packed, 0)
  const known = findRecent(recent, ids.count, hash, (row) => isIdAt(viewsAt(ids, row).id, row & mask, packed))
  if (known !== -1) return known + 1
  const row = append(ids)
  writeId(viewsAt(ids, row).id, row & mask, packed)
  addRecentNumber(recent, ids.count, hash)
  return row + 1
}

/** All numbers of an id. */
export const numbersOfId = function* (
  { prefix, ids, filters }: IdNumbers,
  id: string,
  slice: TimeSlice,
): Work<NumberSet> {
  const found = newNumberSet(() => ids.count)
  const packed = packId(prefix, id)?.slice() ?? null
  for (let segment = 0; packed !== null && segment < ids.segments.length; segment++) {
    yield* yieldIfDue(slice)
    const kept = filters[segment] ?? newDerived()
    filters[segment] = kept
    const filter = storedFilter(ids, segment, 0, kept)
    if (filter !== null && !mayHaveId(filter, packed)) continue
    const first = segment << idSchema.bits
    const own = viewsOf(ids, segment).id
    const end = Math.min(idSchema.rowsPerSegment, ids.count - first)
    for (let n = 0; n < end; n++) if (isIdAt(own, n, packed)) found.add(first + n + 1)
  }
  return found.set()
}
