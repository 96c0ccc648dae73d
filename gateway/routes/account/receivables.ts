import Type from 'typebox'
import { agendaDaysMax } from '../../../engine/payments/transaction/queries.ts'
import { addDays, type CalendarDate } from '../../../engine/shared/calendar.ts'
import { queryRoute, type Read } from '../../api/route.ts'
import {
  agenda,
  listedReceivableView,
  receivableList,
  scheduledSumView,
} from '../../resources/account/receivable.ts'
import { paymentMethod, providerId } from '../../resources/enumerations.ts'
import { listView } from '../../resources/list.ts'
import { described } from '../../schema/named-schema.ts'
import { oneOrMore } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const reads = { tag: 'Balance', product: null, verb: 'GET', permission: 'balance.read' } as const

const ofDays = `At most ${agendaDaysMax} days; by default 90 from today on.`

/** Refuses days that end before they begin, and too many. */
const readDays = <Input>(
  from: string | undefined,
  to: string | undefined,
  read: () => Read<Input>,
): Read<Input> => {
  if (from === undefined || to === undefined) return read()
  const last = addDays(from as CalendarDate, agendaDaysMax - 1)
  if (to >= from && to <= last) return read()
  return refusedField('query.to', 'OUT_OF_RANGE', (say) =>
    say.daysFrom('query.to', 'from', agendaDaysMax - 1),
  )
}

export const getAgendaRoute = queryRoute({
  ...reads,
  path: '/v1/receivables/agenda',
  operationId: 'getReceivablesAgenda',
  summary: 'Get the agenda of receivables',
  description: `Sums by day, payment method and provider of what comes into the balance with the batch of each day, shares of recipients included. PIX, boletos and stablecoins are in the balance once they are paid, and are not in it. ${ofDays}`,
  parameters: Type.Object({
    from: Type.Optional(Type.String({ format: 'date', description: 'First day, in the company time zone.' })),
    to: Type.Optional(Type.String({ format: 'date', description: 'Last day, included.' })),
  }),
  answer: agenda.schema,
  read: ({ from, to }) =>
    readDays(from, to, () => ({
      ok: true,
      input: { from: (from as CalendarDate) ?? null, to: (to as CalendarDate) ?? null },
    })),
  query: (input, { accountId }) => ({ type: 'ReadAgenda', accountId, ...input }) as const,
  view: (found) => ({ body: agenda.view(found) }),
})

export const listReceivablesRoute = queryRoute({
  ...reads,
  path: '/v1/receivables',
  operationId: 'listReceivables',
  summary: 'List receivables',
  description: `Lists the receivables that settle with the batches of these days, the earliest day first. \`totals\` are over everything that fits the filters, as the agenda has them. ${ofDays}`,
  parameters: pagingParameters({
    method: oneOrMore(paymentMethod),
    providerId: Type.Optional(described(providerId, 'Who processes the payment.')),
  }),
  answer: receivableList,
  read: (query) =>
    readDays(query.from, query.to, () =>
      readPaging(query, { methods: query.method ?? [], providerId: query.providerId ?? null }),
    ),
  query: (input, { accountId }) => ({ type: 'ListReceivables', accountId, ...input }) as const,
  view: (listed, input) => ({
    body: { ...listView(listed, input, listedReceivableView), totals: scheduledSumView(listed.totals) },
  }),
})
