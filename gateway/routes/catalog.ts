import type { Static, TProperties } from 'typebox'
import { searchParameter } from '../http/schema.ts'
import { activeParameter, readActive, readWholeList, wholeListParameters } from './paging.ts'

/** What the routes of plans, coupons and dunning policies share. */
export const ofRecurring = { tag: 'Recurring', product: 'RECURRING' } as const
export const readScope = { ...ofRecurring, verb: 'GET', scope: 'subscriptions.read' } as const
export const manageScope = { ...ofRecurring, scope: 'subscriptions.manage' } as const

/** The filters of lists of plans and coupons, plus those of the list itself. */
export const catalogParameters = <Extra extends TProperties>(searches: string, extra: Extra) =>
  wholeListParameters({
    active: activeParameter,
    q: searchParameter(`Searches ${searches}.`),
    ...extra,
  })

/** Reads the filters of a list of plans or coupons, which is not paged unless pages are asked for. */
export const readCatalogList = (
  query: Static<ReturnType<typeof catalogParameters<Record<never, never>>>>,
) => {
  const paging = readWholeList(query)
  if (!paging.ok) return paging
  const { active, q } = query
  const search = q?.trim() ?? null
  return { ok: true, input: { ...paging.input, active: readActive(active), search } } as const
}
