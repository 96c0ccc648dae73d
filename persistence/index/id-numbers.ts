import { append, type Columns, schema, viewsAt, viewsOf } from '../base/columns.ts'
import { hashAt, isIdAt, packId, writeId } from '../base/packed-id.ts'
import { addRecentNumber, findRecent, newRecentNumbers, type RecentNumbers } from './recent-numbers.ts'

/** Numbers from 1 for ids that many rows name; 0 stands for none. An id may have several (see `recent-numbers.ts`). */
export type IdNumbers = {
  readonly prefix: string
  readonly ids: Columns<IdViews>
  readonly recent: RecentNumbers
}

type IdViews = { readonly id: Uint32Array }
export const idSchema = schema(4096, (take) => ({ id: take.uint32('id', 4) }))
const { mask } = idSchema

/** The numbers of stored ids of one prefix. */
export const newIdNumbers = (prefix: string, ids: Columns<IdViews>): IdNumbers => ({
  prefix,
  ids,
  recent: newRecentNumbers((row) => hashAt(viewsAt(ids, row).id, row & mask)),
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
export const numbersOfId = ({ prefix, ids }: IdNumbers, id: string): readonly number[] => {
  const packed = packId(prefix, id)
  if (packed === null) return []
  const numbers: number[] = []
  for (let segment = 0; segment < ids.segments.length; segment++) {
    const first = segment << idSchema.bits
    const own = viewsOf(ids, segment).id
    const end = Math.min(idSchema.rowsPerSegment, ids.count - first)
    for (let n = 0; n < end; n++) if (isIdAt(own, n, packed)) numbers.push(first + n + 1)
  }
  return numbers
}
