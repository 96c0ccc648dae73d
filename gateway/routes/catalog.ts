import type { TProperties } from 'typebox'
import { searchParameter } from '../schema/schema.ts'
import { activeParameter, readActive, wholeListParameters } from './paging.ts'
import { searchTextOf } from './search-text.ts'

/** What the routes of plans, coupons and dunning policies share. */
const ofRecurring = { tag: 'Recurring', product: 'RECURRING' } as const
export const readScope = { ...ofRecurring, verb: 'GET', permission: 'subscriptions.read' } as const
export const manageScope = { ...ofRecurring, permission: 'subscriptions.manage' } as const

/** The filters of lists of plans and coupons, plus those of the list itself. */
export const catalogParameters = <Extra extends TProperties>(searches: string, extra: Extra) =>
  wholeListParameters({
    active: activeParameter,
    q: searchParameter(`Searches ${searches}.`),
    ...extra,
  })

/** Reads what lists of plans and of coupons are filtered by. */
export const catalogFilters = ({ active, q }: { active?: 'true' | 'false'; q?: string }) => ({
  active: readActive(active),
  search: searchTextOf(q),
})
