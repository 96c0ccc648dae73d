import type { Listed } from '../../engine/queries.ts'

/** The envelope of every list (decisions, section 6). */
export const listView = <State>(
  { rows, total, asOf }: Omit<Listed<State>, 'nowMs'>,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
  view: (state: State) => object,
) => {
  const totalPages = total === 0 ? 0 : Math.ceil(total / pageSize)
  return {
    object: 'list',
    data: rows.map(view),
    pagination: { page, pageSize, total, totalPages, hasMore: page < totalPages, asOf: markerOf(asOf) },
  }
}

/** The same of a list without pages: everything is in one. */
export const wholeListView = <State>(listed: Listed<State>, view: (state: State) => object) =>
  listView(listed, { page: 1, pageSize: listed.total }, view)

/** Opaque to callers: the journal position that a list was read at. */
const markerOf = (sequence: number): string => `s_${sequence.toString(36)}`

/** The position that a marker stands for; null for what is not a marker. */
export const readMarker = (marker: string): number | null =>
  /^s_[0-9a-z]{1,11}$/.test(marker) ? Number.parseInt(marker.slice(2), 36) : null
