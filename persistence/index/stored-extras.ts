import { isStored, sealedHeadBytes } from '../base/column-code.ts'
import { type Columns, DamagedColumns, extraKey } from '../base/columns.ts'

/** What a snapshot stores beside a segment. */
export const readExtra = ({ paging }: Columns<unknown>, value: number, extra: number): Uint8Array => {
  const key = extraKey(value, extra)
  paging.pager.reads += 1
  const sealed = paging.pager.read(key)
  if (!isStored(sealed, key)) throw new DamagedColumns(key)
  return sealed.subarray(sealedHeadBytes)
}
