import Type from 'typebox'
import { overviewDaysMax } from '../../../../engine/payments/methods/pix/overview.ts'
import { type CalendarDate, daysBetween } from '../../../../engine/shared/calendar.ts'
import { queryRoute } from '../../../api/route.ts'
import { pixOverview } from '../../../resources/payments/pix-overview.ts'
import { refusedField } from '../../charge-input.ts'
import { pixReads } from '../../groups.ts'

export const getPixOverviewRoute = queryRoute({
  ...pixReads,
  path: '/v1/pix/overview',
  operationId: 'getPixOverview',
  summary: 'Summary of PIX for a period',
  description:
    'Charges count on the day they were created, money on the day it came. By default this month so far.',
  parameters: Type.Object({
    from: Type.Optional(Type.String({ format: 'date', description: 'First day, in the company time zone.' })),
    to: Type.Optional(Type.String({ format: 'date', description: 'Last day, included.' })),
  }),
  answer: pixOverview.schema,
  read: ({ from, to }) => {
    const period = { from: (from as CalendarDate) ?? null, to: (to as CalendarDate) ?? null }
    if (period.from !== null && period.to !== null) {
      const days = daysBetween(period.from, period.to) + 1
      if (days < 1 || days > overviewDaysMax) {
        return refusedField('query.to', 'OUT_OF_RANGE', (say) =>
          say.withinDays('query.to', 'query.from', overviewDaysMax - 1),
        )
      }
    }
    return { ok: true, input: period } as const
  },
  query: (input, { accountId }) => ({ type: 'OverviewPix', accountId, ...input }) as const,
  view: (overview) => ({ body: pixOverview.view(overview) }),
})
