import type { Listed, Paging } from '../../engine/kernel/query.ts'
import { limits } from '../limits.ts'

/** The envelope of every list (decisions, section 6). */
export const listView = <State>(
  { rows, total, asOf }: Omit<Listed<State>, 'nowMs'>,
  { page, pageSize }: Pick<Paging, 'page' | 'pageSize'>,
  view: (state: State) => object,
) => {
  const totalPages = total === 0 ? 0 : Math.ceil(total / pageSize)
  return {
    object: 'list',
    data: rows.map(view),
    pagination: { page, pageSize, total, totalPages, hasMore: page < totalPages, asOf: markerOf(asOf) },
  }
}

/** The same of a list that is all in one page: the page is as large as the list, up to a bound. */
export const wholeListView = <State>(
  listed: Listed<State>,
  { page, pageSize }: Pick<Paging, 'page' | 'pageSize'>,
  view: (state: State) => object,
) => {
  const isWhole = pageSize === limits.wholeListRowsMax
  return listView(listed, { page, pageSize: isWhole ? Math.min(pageSize, listed.total) : pageSize }, view)
}

/** Opaque to callers: the journal position that a list was read at. */
const markerOf = (sequence: number): string => `s_${sequence.toString(36)}`

/** The position that a marker stands for; null for what is not a marker. */
export const readMarker = (marker: string): number | null =>
  /^s_[0-9a-z]{1,11}$/.test(marker) ? Number.parseInt(marker.slice(2), 36) : null
