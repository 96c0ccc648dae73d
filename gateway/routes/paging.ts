import Type, { type Static, type TProperties } from 'typebox'
import type { Paging } from '../../engine/kernel/query.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { Read } from '../api/route.ts'
import { bounds } from '../base/bounds.ts'
import { readMarker } from '../resources/list.ts'
import { choice, wholeNumber } from '../schema/schema.ts'
import { refusedField } from './charge-input.ts'

/** The query parameters of every paged list, plus those of the list itself. */
export const pagingParameters = <Extra extends TProperties>(
  extra: Extra,
  pageSize = `Rows of a page. Default ${bounds.pageSizeDefault}.`,
) =>
  Type.Object({
    page: Type.Optional(wholeNumber(1, bounds.pageMax, 'Which page. The first is 1, the default.')),
    pageSize: Type.Optional(wholeNumber(1, bounds.pageSizeMax, pageSize)),
    asOf: Type.Optional(
      Type.String({
        description:
          'The marker `pagination.asOf` of page 1: hides what was created since, so that pages do not shift.',
      }),
    ),
    from: Type.Optional(Type.String({ format: 'date', description: 'First day, in the company time zone.' })),
    to: Type.Optional(Type.String({ format: 'date', description: 'Last day, in the company time zone.' })),
    ...extra,
  })

/** The parameters of a list that comes in one page unless smaller pages are asked for (decisions, section 6). */
export const wholeListParameters = <Extra extends TProperties>(extra: Extra) =>
  pagingParameters(extra, `Rows of a page. Without it a page has up to ${bounds.wholeListRowsMax}.`)

export const unpaginated = `Lists all of them in one page, newest first; more than ${bounds.wholeListRowsMax} take several pages.`

type PagingTexts = Static<ReturnType<typeof pagingParameters<Record<never, never>>>>

/** Reads the page of a list that comes in one page by default, with the filters of the list. */
export const readWholeList = <Filters extends object>(query: PagingTexts, filters: Filters) =>
  readPaging(query, filters, bounds.wholeListRowsMax)

/** Reads the page of a list, with the filters of the list. Refuses markers that we did not make. */
export const readPaging = <Filters extends object>(
  query: PagingTexts,
  filters: Filters,
  pageSizeDefault: number = bounds.pageSizeDefault,
): Read<Paging & Filters> => {
  const asOf = query.asOf === undefined ? null : readMarker(query.asOf)
  if (query.asOf !== undefined && asOf === null)
    return refusedField('query.asOf', 'INVALID_VALUE', (say) => say.notAMarker('query.asOf'))
  return {
    ok: true,
    input: {
      page: query.page ?? 1,
      pageSize: query.pageSize ?? pageSizeDefault,
      asOf,
      from: (query.from as CalendarDate | undefined) ?? null,
      to: (query.to as CalendarDate | undefined) ?? null,
      ...filters,
    },
  }
}

export const activeParameter = Type.Optional({ ...choice('true', 'false'), description: 'By default both.' })

/** Null if both active and inactive ones are wanted. */
export const readActive = (active: 'true' | 'false' | undefined): boolean | null =>
  active === undefined ? null : active === 'true'
