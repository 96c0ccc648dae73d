import { append, type Columns, schema, viewsAt } from './columns.ts'
import { newHashIndex } from './hash-index.ts'
import { hashAt, isIdAt, type PackedId, packId, writeId } from './packed-id.ts'

/** Numbers for ids that many rows name, from 1; 0 stands for none. */
export type IdNumbers = {
  readonly numberOf: (id: string | null) => number
  /** 0 where no row names it. */
  readonly find: (id: string) => number
}

type IdViews = { readonly id: Uint32Array }
export const idSchema = schema(4096, (take) => ({ id: take.uint32('id', 4) }))

export const newIdNumbers = (prefix: string, ids: Columns<IdViews>): IdNumbers => {
  const { mask } = idSchema
  const hashOf = (row: number): number => hashAt(viewsAt(ids, row).id, row & mask)
  const index = newHashIndex(hashOf, ids.count)
  for (let row = 0; row < ids.count; row++) index.add(hashOf(row), row)

  const rowOf = (packed: PackedId): number =>
    index.find(hashAt(packed, 0), (row) => isIdAt(viewsAt(ids, row).id, row & mask, packed))

  const numberOf = (id: string | null): number => {
    const packed = id === null ? null : packId(prefix, id)
    // What has not the shape of an id is not filtered by: nobody can ask for it either.
    if (packed === null) return 0
    const known = rowOf(packed)
    if (known !== -1) return known + 1
    const row = append(ids)
    writeId(viewsAt(ids, row).id, row & mask, packed)
    index.add(hashAt(packed, 0), row)
    return row + 1
  }

  const find = (id: string): number => {
    const packed = packId(prefix, id)
    return packed === null ? 0 : rowOf(packed) + 1
  }

  return { numberOf, find }
}
