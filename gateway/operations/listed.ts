import { bounds } from '../base/bounds.ts'
import { listView } from '../resources/list.ts'
import { type Input, numberOf } from './input.ts'

/** The members of an input that name a page. */
export const pagingMembers = ['page', 'pageSize'] as const

/** A page of directory entries, given oldest first, shown newest first. By default it holds all of them. */
export const listed = <Entry, View extends object>(
  input: Input,
  entries: readonly Entry[],
  view: (entry: Entry) => View,
) => {
  const page = numberOf(input.page ?? 1, 'page', 1, bounds.pageMax)
  const pageSize =
    input.pageSize === undefined
      ? Math.min(Math.max(entries.length, 1), bounds.wholeListRowsMax)
      : numberOf(input.pageSize, 'pageSize', 1, bounds.pageSizeMax)
  const rows = entries.toReversed().slice((page - 1) * pageSize, page * pageSize)
  return listView({ rows, total: entries.length, asOf: 0 }, { page, pageSize }, view)
}
