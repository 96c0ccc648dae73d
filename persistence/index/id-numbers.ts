import { append, type Columns, schema, viewsAt } from '../base/columns.ts'
import { addHashed, findHashed, type HashIndex, hashIndexOf } from '../base/hash-index.ts'
import { hashAt, isIdAt, type PackedId, packId, writeId } from '../base/packed-id.ts'

/** Numbers from 1 for ids that many rows name; 0 stands for none. */
export type IdNumbers = {
  readonly prefix: string
  readonly ids: Columns<IdViews>
  readonly index: HashIndex
}

type IdViews = { readonly id: Uint32Array }
export const idSchema = schema(4096, (take) => ({ id: take.uint32('id', 4) }))
const { mask } = idSchema

/** Indexes the stored ids of one prefix. */
export const newIdNumbers = (prefix: string, ids: Columns<IdViews>): IdNumbers => {
  const hashOf = (row: number): number => hashAt(viewsAt(ids, row).id, row & mask)
  return { prefix, ids, index: hashIndexOf(hashOf, ids.count) }
}

/** The number of an id, new if needed; 0 for a malformed one, which no filter can ask for either. */
export const numberOfId = (numbers: IdNumbers, id: string | null): number => {
  const packed = id === null ? null : packId(numbers.prefix, id)
  if (packed === null) return 0
  const known = rowOf(numbers, packed)
  if (known !== -1) return known + 1
  const { ids, index } = numbers
  const row = append(ids)
  writeId(viewsAt(ids, row).id, row & mask, packed)
  addHashed(index, hashAt(packed, 0), row)
  return row + 1
}

/** The number of an id; 0 if no row names it. */
export const findIdNumber = (numbers: IdNumbers, id: string): number => {
  const packed = packId(numbers.prefix, id)
  return packed === null ? 0 : rowOf(numbers, packed) + 1
}

const rowOf = ({ ids, index }: IdNumbers, packed: PackedId): number =>
  findHashed(index, hashAt(packed, 0), (row) => isIdAt(viewsAt(ids, row).id, row & mask, packed))
