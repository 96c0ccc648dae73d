import Type, { type Static } from 'typebox'
import type { OverviewFound } from '../../../engine/overview/queries.ts'
import type { Permission } from '../../../engine/people/permission.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { paymentMethod as method } from '../enumerations.ts'
import {
  amountOf,
  brlOnly,
  count,
  date,
  listOf,
  nonNegativeAmountOf,
  nullable,
  objectName,
  textOf,
} from '../fields.ts'

const paidCount = count('How many were paid.')
const paidAmount = nonNegativeAmountOf('What they came to.')

/** What a company's first page shows (dashboard, section 4.6). */
export const overview = namedObject('Overview', 'Payments of a period, and what is open now.', {
  object: objectName('overview'),
  from: described(date, 'First day of the period.'),
  to: described(date, 'Last day of the period.'),
  timezone: textOf('The company’s time zone, in which days are counted.'),
  currency: brlOnly,
  volume: listOf(
    Type.Object({ date, method, count: paidCount, amount: paidAmount }),
    'What was paid of the charges of each day, by method; without the days and methods that had none.',
  ),
  approval: listOf(
    Type.Object({
      date,
      attempts: count('Charges that were created on this day.'),
      approved: count('How many of them were paid.'),
    }),
    'Every day of the period.',
  ),
  methods: listOf(
    Type.Object({ method, count: paidCount, amount: paidAmount }),
    'The methods of the period, most used first.',
  ),
  mrrAmount: nullable(
    nonNegativeAmountOf('Monthly recurring revenue.'),
    'Monthly recurring revenue, in centavos; null without `subscriptions.read`.',
  ),
  balance: Type.Unsafe<BalanceView | null>({
    ...Type.Object({
      available: amountOf('What can be used.'),
      blocked: amountOf('What a dispute or a transfer holds.'),
      receivable: amountOf('What is still to be settled.'),
    }),
    type: ['object', 'null'],
    description: 'The balance now; null without `balance.read`.',
  }),
  openChargebacks: count('Payments with a chargeback that is not decided.'),
  openMeds: count('Payments with a MED that is not decided.'),
  pendingApprovals: nullable(
    count('Transfers'),
    'Transfers that wait for an approval; null without `balance.read`.',
  ),
  failedDeliveries: nullable(
    count('Deliveries'),
    'Webhook deliveries of the last 30 days that are not tried again; null without `webhooks.read`.',
  ),
})

type BalanceView = { readonly available: string; readonly blocked: string; readonly receivable: string }

/** Shows what the caller may read of it. */
export const overviewView = (
  found: OverviewFound,
  may: (permission: Permission) => boolean,
): Static<typeof overview> => ({
  object: 'overview',
  from: found.from,
  to: found.to,
  timezone: found.timeZone,
  currency: 'BRL',
  volume: found.volume.map(({ date, method, count, cents }) => ({
    date,
    method,
    count,
    amount: String(cents),
  })),
  approval: found.approval,
  methods: found.methods.map(({ method, count, cents }) => ({ method, count, amount: String(cents) })),
  mrrAmount: may('subscriptions.read') ? String(found.mrrCents) : null,
  balance: may('balance.read')
    ? {
        available: String(found.balances.available),
        blocked: String(found.balances.blocked),
        receivable: String(found.balances.receivable),
      }
    : null,
  openChargebacks: found.openChargebacks,
  openMeds: found.openMeds,
  pendingApprovals: may('balance.read') ? found.pendingApprovals : null,
  failedDeliveries: may('webhooks.read') ? found.failedDeliveries : null,
})
