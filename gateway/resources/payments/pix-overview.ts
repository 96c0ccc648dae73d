import Type, { type Static } from 'typebox'
import type { PixOverview } from '../../../engine/payments/methods/pix/overview.ts'
import type { Tally } from '../../../engine/payments/transaction/search.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { amountOf, brlOnly, count, date, listOf, objectName, textOf } from '../fields.ts'

const tally = namedObject('Tally', 'How many, and what they come to.', {
  count: count('How many.'),
  amount: amountOf('What they come to.'),
})

const tallyView = ({ count, cents }: Tally): Static<typeof tally> => ({ count, amount: String(cents) })

const talliesView = <Name extends string>(tallies: Readonly<Record<Name, Tally>>) => {
  const views = Object.entries<Tally>(tallies).map(([name, each]) => [name, tallyView(each)] as const)
  return Object.fromEntries(views) as Record<Name, Static<typeof tally>>
}

/** The summary of PIX for a period (decisions, section 10). */
export const pixOverview = namedObject('PixOverview', 'What PIX came to in a period.', {
  object: objectName('pix_overview'),
  from: described(date, 'First day of the period.'),
  to: described(date, 'Last day of the period.'),
  timezone: textOf('The company’s time zone, in which days are counted.'),
  currency: brlOnly,
  charges: Type.Object(
    { created: tally, pending: tally, paid: tally, expired: tally, cancelled: tally, failed: tally },
    { description: 'Charges that were created in the period, by their current status.' },
  ),
  received: described(tally, 'PIX for charges that arrived in the period.'),
  deposits: described(tally, 'Your own deposits that arrived in the period.'),
  refunds: described(tally, 'Refunds of the period.'),
  returned: described(tally, 'What arrived and went back at once.'),
  med: Type.Object(
    { open: tally, accepted: tally, rejected: tally },
    { description: 'MEDs of the period, by their result.' },
  ),
  feeAmount: amountOf('Fees of what was received.'),
  netAmount: amountOf('What was received, less fees.'),
  averageTicket: amountOf('What a received PIX came to on average.'),
  conversionBps: count('Share of the created charges that were paid, in basis points.'),
  daily: listOf(
    Type.Object({
      date,
      receivedCount: count('How many arrived on this day.'),
      receivedAmount: amountOf('What they came to.'),
    }),
    'Every day of the period.',
  ),
})

/** The PIX totals of a period, overall and by day. */
export const pixOverviewView = (overview: PixOverview): Static<typeof pixOverview> => ({
  object: 'pix_overview',
  from: overview.from,
  to: overview.to,
  timezone: overview.timeZone,
  currency: 'BRL',
  charges: talliesView(overview.charges),
  received: tallyView(overview.received),
  deposits: tallyView(overview.deposits),
  refunds: tallyView(overview.refunds),
  returned: tallyView(overview.returned),
  med: talliesView(overview.med),
  feeAmount: String(overview.feeCents),
  netAmount: String(overview.received.cents - overview.feeCents),
  averageTicket: String(overview.averageTicketCents),
  conversionBps: overview.conversionBps,
  daily: overview.daily.map(({ date, received }) => ({
    date,
    receivedCount: received.count,
    receivedAmount: String(received.cents),
  })),
})
