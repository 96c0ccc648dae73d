import Type, { type Static, type TProperties } from 'typebox'
import { activeParameter, readActive, readWholeList, wholeListParameters } from './paging.ts'

/** What the routes of plans, coupons and dunning policies have in common. */
export const ofRecurring = { tag: 'Recurring', product: 'RECURRING' } as const
export const reads = { ...ofRecurring, verb: 'GET', scope: 'subscriptions.read' } as const
export const manages = { ...ofRecurring, scope: 'subscriptions.manage' } as const

/** An id in a body or a query. It is looked up: of its shape only the length is checked. */
export const anId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 40, format: 'text', description })

/** What lists of plans and coupons can be narrowed to, and what one adds to that. */
export const catalogParameters = <Extra extends TProperties>(searches: string, extra: Extra) =>
  wholeListParameters({
    active: activeParameter,
    q: Type.Optional(Type.String({ minLength: 2, maxLength: 100, description: `Searches ${searches}.` })),
    ...extra,
  })

export const readCatalogList = (
  query: Static<ReturnType<typeof catalogParameters<Record<never, never>>>>,
) => {
  const paging = readWholeList(query)
  if (!paging.ok) return paging
  const { active, q } = query
  const search = q?.trim() ?? null
  return { ok: true, input: { ...paging.input, active: readActive(active), search } } as const
}
