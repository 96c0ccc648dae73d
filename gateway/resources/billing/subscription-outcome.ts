import Type, { type Static } from 'typebox'
import { invoiceNumber } from '../../../engine/billing/invoice/issue.ts'
import type {
  Subscription,
  SubscriptionPaid,
  SubscriptionPaymentFailed,
} from '../../../engine/billing/subscription/subscription.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { failureReason, subscriptionStatus } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  booleanOf,
  count,
  identity,
  instant,
  instantOrNull,
  nullable,
  pick,
  text,
  textOf,
} from '../fields.ts'
import type { Sample } from '../sample.ts'
import { invoice } from './invoice.ts'

/** The outcome of an invoice in events: it was paid, or an attempt failed. */

const fields = {
  ...identity('sub', 'subscription'),
  status: subscriptionStatus,
  planId: textOf('The plan, `pln_…`.'),
  customerId: textOf('The subscriber, `cus_…`.'),
  invoice: Type.Object(
    pick(invoice.properties, 'id', 'number', 'cycle', 'totalAmount', 'periodStart', 'periodEnd', 'paidAt'),
    { description: 'The invoice that this is about.' },
  ),
  transactionId: described(text, 'The charge, `txn_…`; null where there was nothing to pay.'),
  amount: amountOf('What was to be collected.'),
}

/** `data` of the event of a paid invoice. */
export const subscriptionPaidEvent = eventData('SubscriptionPaidEventData', 'An invoice was paid.', fields)

/** `data` of the event of an attempt that failed. */
export const subscriptionFailedEvent = eventData(
  'SubscriptionFailedEventData',
  'An attempt to collect an invoice failed, and what comes next.',
  {
    ...fields,
    failureReason,
    retryable: booleanOf('Whether the same card may be tried again.'),
    attemptNumber: count('Which attempt of its invoice failed, from 1.'),
    nextAttemptAt: nullable(instant, 'When the next automatic attempt is due; null: none is.'),
    final: booleanOf('Whether dunning has given up.'),
  },
)

type Outcome = SubscriptionPaid | SubscriptionPaymentFailed

/** The outcome of an invoice, as in its event. */
export const subscriptionOutcomeView = (
  { id, status, planId, customerId }: Pick<Subscription, 'id' | 'status' | 'planId' | 'customerId'>,
  outcome: Outcome,
): Static<typeof subscriptionPaidEvent> | Static<typeof subscriptionFailedEvent> => {
  const { invoice, transactionId, amountCents, atMs } = outcome
  const isPaid = outcome.type === 'SubscriptionPaid'
  const view = {
    id,
    object: 'subscription',
    status,
    planId,
    customerId,
    invoice: {
      id: invoice.id,
      number: invoiceNumber(invoice.number),
      cycle: invoice.cycle,
      totalAmount: String(invoice.totalCents),
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      paidAt: isPaid ? isoInstant(atMs) : null,
    },
    transactionId,
    amount: String(amountCents),
  } as const
  if (isPaid) return view
  return {
    failureReason: outcome.failureReason,
    retryable: outcome.retryable,
    attemptNumber: outcome.attemptNumber,
    nextAttemptAt: instantOrNull(outcome.nextAttemptAtMs),
    final: outcome.final,
    ...view,
  }
}

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
