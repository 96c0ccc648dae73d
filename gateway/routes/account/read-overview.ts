import Type from 'typebox'
import { overviewPeriodDaysMax } from '../../../engine/overview/queries.ts'
import { instantFields } from '../../../engine/payments/transaction/search.ts'
import { type CalendarDate, daysBetween } from '../../../engine/shared/calendar.ts'
import { queryRoute } from '../../api/route.ts'
import { isAllowed } from '../../identity/caller.ts'
import { overview } from '../../resources/account/overview.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'

export const getOverviewRoute = queryRoute({
  verb: 'GET',
  path: '/v1/overview',
  operationId: 'getOverview',
  summary: 'Overview of the company',
  description:
    'What payers paid by day and method, how many card authorisations were approved, and what is open now. By default the last 30 days. `mrrAmount`, `balance` and `failedDeliveries` are null for callers who may not read them.',
  tag: 'Dashboard',
  permission: 'transactions.read',
  product: null,
  parameters: Type.Object({
    from: Type.Optional(Type.String({ format: 'date', description: 'First day, in the company time zone.' })),
    to: Type.Optional(Type.String({ format: 'date', description: 'Last day, included.' })),
    dateField: Type.Optional(
      described(
        choice(...instantFields),
        'The day on which a payment counts in `volume` and `methods`: that of `approvedAt`, the default, or that of `createdAt`.',
      ),
    ),
  }),
  answer: overview.schema,
  read: ({ from, to, dateField = 'approvedAt' }) => {
    const period = { from: (from as CalendarDate) ?? null, to: (to as CalendarDate) ?? null, dateField }
    const days = period.from && period.to ? daysBetween(period.from, period.to) + 1 : 1
    return days >= 1 && days <= overviewPeriodDaysMax ? ({ ok: true, input: period } as const) : tooLong
  },
  query: (input, { accountId }) => ({ type: 'Overview', accountId, ...input }) as const,
  view: (found, _, { caller }) => ({
    body: overview.view(found, (permission) => isAllowed(caller, permission)),
  }),
})

const tooLong = refusedField('query.to', 'OUT_OF_RANGE', (say) =>
  say.withinDays('query.to', 'query.from', overviewPeriodDaysMax - 1),
)
