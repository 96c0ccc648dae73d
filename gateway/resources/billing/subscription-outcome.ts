import { invoiceNumber } from '../../../engine/billing/invoice/issue.ts'
import type {
  Subscription,
  SubscriptionPaid,
  SubscriptionPaymentFailed,
} from '../../../engine/billing/subscription/subscription.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { failureReason, subscriptionStatus } from '../enumerations.ts'
import { eventResource } from '../event-data.ts'
import {
  amountOf,
  booleanOf,
  count,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { fieldsOf, part, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { invoice } from './invoice.ts'

/** The outcome of an invoice in events: it was paid, or an attempt failed. */

type Concerned = Pick<Subscription, 'id' | 'status' | 'planId' | 'customerId'>
type Outcome = SubscriptionPaid | SubscriptionPaymentFailed

const { properties: shown } = invoice.schema
const concernedInvoice = part<Outcome['invoice'], [number | null]>().with({
  id: [shown.id, same],
  number: [shown.number, ({ number }) => invoiceNumber(number)],
  cycle: [shown.cycle, same],
  totalAmount: [shown.totalAmount, ({ totalCents }) => String(totalCents)],
  periodStart: [shown.periodStart, same],
  periodEnd: [shown.periodEnd, same],
  paidAt: [shown.paidAt, (_, paidAtMs) => instantOrNull(paidAtMs)],
})

const fields = fieldsOf<Concerned, [Outcome]>().with({
  ...identityFields('sub', 'subscription'),
  status: [subscriptionStatus, same],
  planId: [textOf('The plan, `pln_…`.'), same],
  customerId: [textOf('The subscriber, `cus_…`.'), same],
  invoice: [
    described(concernedInvoice.schema, 'The invoice that this is about.'),
    (_, { type, invoice, atMs }) => concernedInvoice.view(invoice, type === 'SubscriptionPaid' ? atMs : null),
  ],
  transactionId: [
    described(nullableText, 'The charge, `txn_…`; null where there was nothing to pay.'),
    (_, { transactionId }) => transactionId,
  ],
  amount: [amountOf('What was to be collected.'), (_, { amountCents }) => String(amountCents)],
})

/** `data` of the event of a paid invoice. */
export const subscriptionPaidEvent = eventResource<Concerned, [SubscriptionPaid]>(
  'SubscriptionPaidEventData',
  'An invoice was paid.',
).with(fields)

/** `data` of the event of an attempt that failed. */
export const subscriptionFailedEvent = eventResource<Concerned, [SubscriptionPaymentFailed]>(
  'SubscriptionFailedEventData',
  'An attempt to collect an invoice failed, and what comes next.',
).with({
  ...fields,
  failureReason: [failureReason, (_, failed) => failed.failureReason],
  retryable: [booleanOf('Whether the same card may be tried again.'), (_, failed) => failed.retryable],
  attemptNumber: [count('Which attempt of its invoice failed, from 1.'), (_, failed) => failed.attemptNumber],
  nextAttemptAt: [
    nullableField(instant, 'When the next automatic attempt is due; null: none is.'),
    (_, failed) => instantOrNull(failed.nextAttemptAtMs),
  ],
  final: [booleanOf('Whether dunning has given up.'), (_, failed) => failed.final],
})

/** The outcome of an invoice, as in its event. */
export const subscriptionOutcomeView = (subscription: Concerned, outcome: Outcome): object =>
  outcome.type === 'SubscriptionPaid'
    ? subscriptionPaidEvent.view(subscription, outcome)
    : subscriptionFailedEvent.view(subscription, outcome)

const invoiceSample = ({ id, atMs, day }: Sample) =>
  ({
    actor: 'subscription',
    id: id('sub'),
    by: { kind: 'CLOCK', id: null },
    atMs,
    invoice: {
      id: id('inv'),
      number: 1,
      cycle: 1,
      totalCents: toCents(1000),
      periodStart: day(0),
      periodEnd: day(30),
    },
    transactionId: id('txn'),
    amountCents: toCents(1000),
  }) as const

/** A paid invoice; its sample event is rendered from it. */
export const subscriptionPaidSample = (sample: Sample): SubscriptionPaid => ({
  type: 'SubscriptionPaid',
  status: 'ACTIVE',
  ...invoiceSample(sample),
})

/** A failed attempt; its sample event is rendered from it. */
export const subscriptionFailedSample = (sample: Sample): SubscriptionPaymentFailed => ({
  type: 'SubscriptionPaymentFailed',
  status: 'PAST_DUE',
  invoiceStatus: 'PAST_DUE',
  failureReason: 'INSUFFICIENT_FUNDS',
  retryable: true,
  attemptNumber: 1,
  nextAttemptAtMs: sample.afterMs(24),
  final: false,
  ...invoiceSample(sample),
})
