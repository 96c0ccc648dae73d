import Type, { type TSchema } from 'typebox'
import type { Listed, Paging } from '../../engine/kernel/query.ts'
import { bounds } from '../base/bounds.ts'
import { named, namedObject, schemaNamed } from '../schema/named-schema.ts'
import { booleanOf, count, listOf, objectName, textOf } from './fields.ts'

const pagination = namedObject('Pagination', 'Where this page stands in its list.', {
  page: count('This page; the first is 1.'),
  pageSize: count('How many rows a page has.'),
  total: count('How many rows all pages have together.'),
  totalPages: count('How many pages there are; 0 where no row fits.'),
  hasMore: booleanOf('Whether there is a page after this one.'),
  asOf: textOf('Send it back as `asOf` with the next pages: rows that are created meanwhile stay out.'),
})

/** The envelope of every list (decisions, section 6). */
export const listFields = <Row extends TSchema>(row: Row) => ({
  object: objectName('list'),
  data: listOf(row, 'The rows of this page.'),
  pagination,
})

/** The schema of a list, named after its rows; each kind of row has one. */
export const listOfRows = (row: TSchema): TSchema => {
  const title = `${(row as TSchema & { readonly title: string }).title}List`
  return schemaNamed(title) ?? named(title, Type.Object(listFields(row)))
}

/** One page, each of its rows shown by `view`. */
export const listView = <State, View extends object>(
  { rows, total, asOf }: Omit<Listed<State>, 'nowMs'>,
  { page, pageSize }: Pick<Paging, 'page' | 'pageSize'>,
  view: (state: State) => View,
) => {
  const totalPages = total === 0 ? 0 : Math.ceil(total / pageSize)
  return {
    object: 'list',
    data: rows.map(view),
    pagination: { page, pageSize, total, totalPages, hasMore: page < totalPages, asOf: markerOf(asOf) },
  } as const
}

/** A list in one page, which is as large as the list, up to a limit. */
export const wholeListView = <State>(
  listed: Listed<State>,
  { page, pageSize }: Pick<Paging, 'page' | 'pageSize'>,
  view: (state: State) => object,
) => {
  const isWhole = pageSize === bounds.wholeListRowsMax
  return listView(listed, { page, pageSize: isWhole ? Math.min(pageSize, listed.total) : pageSize }, view)
}

/** A marker, opaque to callers: the journal position at which a list was read. */
const markerOf = (sequence: number): string => `s_${sequence.toString(36)}`

/** The position behind a marker; null if the text is not a marker. */
export const readMarker = (marker: string): number | null =>
  /^s_[0-9a-z]{1,11}$/.test(marker) ? Number.parseInt(marker.slice(2), 36) : null
