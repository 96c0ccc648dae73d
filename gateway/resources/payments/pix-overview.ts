import Type, { type Static } from 'typebox'
import type { PixOverview } from '../../../engine/payments/methods/pix/overview.ts'
import type { Tally } from '../../../engine/payments/transaction/search.ts'
import { described } from '../../schema/named-schema.ts'
import { amountOf, brlField, count, date, listOf, objectField, textOf } from '../fields.ts'
import { part, resource, same } from '../resource.ts'

const tally = resource<Tally>('Tally', 'How many, and what they come to.').with({
  count: [count('How many.'), same],
  amount: [amountOf('What they come to.'), ({ cents }) => String(cents)],
})

const talliesView = <Name extends string>(tallies: Readonly<Record<Name, Tally>>) => {
  const views = Object.entries<Tally>(tallies).map(([name, each]) => [name, tally.view(each)] as const)
  return Object.fromEntries(views) as Record<Name, Static<typeof tally.schema>>
}

const day = part<PixOverview['daily'][number]>().with({
  date: [date, same],
  receivedCount: [count('How many arrived on this day.'), ({ received }) => received.count],
  receivedAmount: [amountOf('What they came to.'), ({ received }) => String(received.cents)],
})

const one = tally.schema

/** The PIX totals of a period, overall and by day (decisions, section 10). */
export const pixOverview = resource<PixOverview>('PixOverview', 'What PIX came to in a period.').with({
  ...objectField('pix_overview'),
  from: [described(date, 'First day of the period.'), same],
  to: [described(date, 'Last day of the period.'), same],
  timezone: [textOf('The company’s time zone, in which days are counted.'), ({ timeZone }) => timeZone],
  currency: brlField,
  charges: [
    Type.Object(
      { created: one, pending: one, paid: one, expired: one, cancelled: one, failed: one },
      { description: 'Charges that were created in the period, by their current status.' },
    ),
    ({ charges }) => talliesView(charges),
  ],
  received: [
    described(one, 'PIX that arrived in the period and stayed, your own deposits among them.'),
    (p) => tally.view(p.received),
  ],
  deposits: [described(one, 'Your own deposits that arrived in the period.'), (p) => tally.view(p.deposits)],
  refunds: [described(one, 'Refunds of the period.'), ({ refunds }) => tally.view(refunds)],
  returned: [described(one, 'What arrived and went back at once.'), ({ returned }) => tally.view(returned)],
  med: [
    Type.Object(
      { open: one, accepted: one, rejected: one },
      { description: 'MEDs of the period, by their result.' },
    ),
    ({ med }) => talliesView(med),
  ],
  feeAmount: [amountOf('Fees of what was received.'), ({ feeCents }) => String(feeCents)],
  netAmount: [
    amountOf('What was received, less fees; refunds are not taken off.'),
    (p) => String(p.received.cents - p.feeCents),
  ],
  averageTicket: [amountOf('What a received PIX came to on average.'), (p) => String(p.averageTicketCents)],
  conversionBps: [
    count('Share of the created charges that were paid, in basis points; 0 where none was created.'),
    same,
  ],
  daily: [listOf(day.schema, 'Every day of the period.'), ({ daily }) => daily.map(day.view)],
})
