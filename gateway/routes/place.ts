import type { Listed } from '../../engine/kernel/query.ts'

/** Where the piece of an export begins: the journal position at which the first was read, and which page comes next. */
export const readPlace = (cursor: string | null): { readonly asOf: number | null; readonly page: number } => {
  if (cursor === null) return { asOf: null, page: 1 }
  const [asOf, page] = cursor.split(' ')
  return { asOf: Number(asOf), page: Number(page) }
}

/** Where the piece after this one begins; null after the last one. */
export const nextPlace = (
  cursor: string | null,
  { total, asOf }: Pick<Listed<unknown>, 'total' | 'asOf'>,
  rows: number,
): string | null => {
  const { page } = readPlace(cursor)
  return page * rows < total ? `${asOf} ${page + 1}` : null
}
