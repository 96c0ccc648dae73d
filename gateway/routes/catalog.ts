import Type, { type Static, type TProperties } from 'typebox'
import type { CalendarDate } from '../../engine/calendar.ts'
import type { Paging } from '../../engine/queries.ts'
import { word } from '../http/schema.ts'

/** What the routes of plans, coupons and dunning policies have in common. */
export const ofRecurring = { tag: 'Recurring', product: 'RECURRING' } as const
export const reads = { ...ofRecurring, verb: 'GET', scope: 'subscriptions.read' } as const
export const manages = { ...ofRecurring, scope: 'subscriptions.manage' } as const

/** An id in a body or a query. It is looked up: of its shape only the length is checked. */
export const anId = (description: string) => Type.String({ minLength: 1, maxLength: 40, description })

/** What a list without pages can be narrowed to, and what it adds to that. */
export const wholeListParameters = <Extra extends TProperties>(searches: string, extra: Extra) =>
  Type.Object({
    active: Type.Optional({ ...word('true', 'false'), description: 'By default both.' }),
    from: Type.Optional(
      Type.String({ format: 'date', description: 'First day of creation, in the company time zone.' }),
    ),
    to: Type.Optional(Type.String({ format: 'date', description: 'Last day of creation, included.' })),
    q: Type.Optional(Type.String({ minLength: 2, maxLength: 100, description: `Searches ${searches}.` })),
    ...extra,
  })

type Texts = Static<ReturnType<typeof wholeListParameters<Record<never, never>>>>

/** Everything in one page (decisions, section 6). */
export const readWholeList = ({
  active,
  from,
  to,
  q,
}: Texts): Paging & { readonly active: boolean | null; readonly search: string | null } => ({
  page: 1,
  pageSize: Number.MAX_SAFE_INTEGER,
  asOf: null,
  from: (from as CalendarDate | undefined) ?? null,
  to: (to as CalendarDate | undefined) ?? null,
  active: active === undefined ? null : active === 'true',
  search: q?.trim() ?? null,
})
