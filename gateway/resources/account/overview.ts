import Type from 'typebox'
import type { OverviewFound, PeriodTotals } from '../../../engine/overview/queries.ts'
import { paymentRails } from '../../../engine/payments/methods/index.ts'
import type { Tally } from '../../../engine/payments/transaction/search.ts'
import type { Permission } from '../../../engine/people/permission.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { paymentMethod as method } from '../enumerations.ts'
import {
  amountOf,
  brlField,
  count,
  date,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  objectField,
  textOf,
} from '../fields.ts'
import { part, resource, same } from '../resource.ts'

const paid = part<Tally>().with({
  count: [count('How many were paid.'), same],
  amount: [nonNegativeAmountOf('What they came to.'), ({ cents }) => String(cents)],
})

const paidByMethod = part<OverviewFound['methods'][number]>().with({ method: [method, same], ...paid.fields })
const paidOn = part<OverviewFound['days'][number]>().with({ date: [date, same], ...paid.fields })

const periodTotals = part<PeriodTotals>().with({
  ...paid.fields,
  attempts: [
    count('Card payments created in the period whose authorisation was approved or declined.'),
    same,
  ],
  approved: [count('How many of them were approved.'), same],
})

const previousPeriod = part<OverviewFound['previous']>().with({
  from: [described(date, 'Its first day.'), same],
  to: [described(date, 'Its last day.'), same],
  ...periodTotals.fields,
})

const paidOnDay = part<OverviewFound['volume'][number]>().with({ date: [date, same], ...paidByMethod.fields })

const balanceNow = part<OverviewFound['balances']>().with({
  available: [amountOf('What can be used.'), ({ available }) => String(available)],
  blocked: [amountOf('What a dispute or a transfer holds.'), ({ blocked }) => String(blocked)],
  receivable: [amountOf('What is still to be settled.'), ({ receivable }) => String(receivable)],
})

/** What a company's first page shows (dashboard, section 4.6), as far as the caller may read it. */
export const overview = resource<OverviewFound, [(permission: Permission) => boolean]>(
  'Overview',
  'Payments of a period, and what is open now.',
).with({
  ...objectField('overview'),
  from: [described(date, 'First day of the period.'), same],
  to: [described(date, 'Last day of the period.'), same],
  timezone: [textOf('The company’s time zone, in which days are counted.'), (o) => o.timeZone],
  currency: brlField,
  totals: [described(periodTotals.schema, 'The whole period.'), (o) => periodTotals.view(o.totals)],
  previous: [
    described(previousPeriod.schema, 'As many days before the period, to compare it with.'),
    (o) => previousPeriod.view(o.previous),
  ],
  days: [
    listOf(
      paidOn.schema,
      'What payers paid on each day, by all methods together. Cards count when they are approved, before their money comes. Every day of the period.',
    ),
    (o) => o.days.map(paidOn.view),
  ],
  hours: [
    listOf(
      paid.schema,
      'What payers paid in each hour of the company’s clocks, on all days together: 24 of them, that from midnight first.',
    ),
    (o) => o.hours.map(paid.view),
  ],
  volume: [
    listOf(
      paidOnDay.schema,
      'What payers paid on each day, by method: `paidAmount` of the payments in reais that were confirmed on it, even if refunded since. The sum of what `GET /v1/transactions` finds with the same dates and `dateField`. Days and methods without any are left out.',
    ),
    (o) => o.volume.map(paidOnDay.view),
  ],
  approval: [
    listOf(
      Type.Object({
        date,
        attempts: count('Card payments created on this day whose authorisation was approved or declined.'),
        approved: count('How many of them were approved, whether captured, voided or refunded since.'),
      }),
      'Every day of the period.',
    ),
    same,
  ],
  methods: [
    listOf(paidByMethod.schema, 'The methods of the period, most used first.'),
    (o) => o.methods.map(paidByMethod.view),
  ],
  connectedRails: [
    listOf(
      choice(...paymentRails, 'PAYOUT', 'KEYS'),
      'Where a bank or acquirer is connected in this environment: `PAYOUT` sends transfers, `KEYS` looks up PIX keys. Requests on the others are refused with 503.',
    ),
    same,
  ],
  mrrAmount: [
    nullableField(
      nonNegativeAmountOf('Monthly recurring revenue.'),
      'Monthly recurring revenue, in centavos; null without `subscriptions.read`.',
    ),
    (o, may) => (may('subscriptions.read') ? String(o.mrrCents) : null),
  ],
  balance: [
    nullableField(balanceNow.schema, 'The balance now; null without `balance.read`.'),
    (o, may) => (may('balance.read') ? balanceNow.view(o.balances) : null),
  ],
  openChargebacks: [count('Payments with a chargeback that is not decided.'), same],
  openMeds: [count('Payments with a MED that is not decided.'), same],
  pendingApprovals: [
    nullableField(count('Transfers'), 'Transfers that wait for an approval; null without `balance.read`.'),
    (o, may) => (may('balance.read') ? o.pendingApprovals : null),
  ],
  failedDeliveries: [
    nullableField(
      count('Deliveries'),
      'Webhook deliveries of the last 30 days that are not tried again; null without `webhooks.read`.',
    ),
    (o, may) => (may('webhooks.read') ? o.failedDeliveries : null),
  ],
})
