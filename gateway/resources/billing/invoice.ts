import Type from 'typebox'
import {
  type CollectionAttempt,
  type Invoice,
  type InvoiceLine,
  nextAttemptAtMs,
} from '../../../engine/billing/invoice/invoice.ts'
import { invoiceNumber } from '../../../engine/billing/invoice/issue.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { billingMethod, failureReason, invoiceStatus } from '../enumerations.ts'
import {
  amountOf,
  brlField,
  cents,
  count,
  createdAtField,
  date,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { paymentInstructions, paymentInstructionsView } from '../payments/payment-instructions.ts'
import { resource, same } from '../resource.ts'

const line = resource<InvoiceLine>('InvoiceLine', 'One line of an invoice.').with({
  type: [
    described(
      choice('PLAN', 'SETUP_FEE', 'PRORATION_CREDIT', 'PRORATION_CHARGE', 'DISCOUNT', 'CREDIT'),
      'PRORATION_…: what a change of plan gives back, and costs. DISCOUNT: the coupon. CREDIT: from `creditBalance`.',
    ),
    same,
  ],
  description: [textOf('The same for people.'), same],
  amount: [
    described(cents, 'Negative where it takes something off. In centavos, as digits.'),
    (l) => String(l.cents),
  ],
  periodStart: [described(date, 'The first day that it is for.'), same],
  periodEnd: [described(date, 'The first day that it is not for.'), same],
})

/** An invoice as of an instant, as lists show it (decisions, section 21). */
export const invoice = resource<Invoice, [number]>(
  'Invoice',
  'What a subscription asks its customer to pay.',
).with({
  ...identityFields('inv', 'invoice'),
  number: [
    Type.String({
      pattern: '^INV-[0-9]{6,}$',
      description: 'Counted for the company and environment.',
      examples: ['INV-000123'],
    }),
    (i) => invoiceNumber(i.number),
  ],
  kind: [described(choice('CYCLE', 'PRORATION'), 'PRORATION: for the difference of a change of plan.'), same],
  subscriptionId: [textOf('The subscription, `sub_…`.'), same],
  customerId: [textOf('The subscriber, `cus_…`.'), same],
  planId: [textOf('The plan, `pln_…`.'), same],
  cycle: [count('Which cycle it is for, from 1.'), same],
  method: [billingMethod, same],
  status: [invoiceStatus, same],
  currency: brlField,
  periodStart: [described(date, 'The first day that it is for.'), same],
  periodEnd: [described(date, 'The first day that it is not for.'), same],
  dueDate: [described(date, 'Until this day it should be paid.'), same],
  lines: [listOf(line.schema, 'What it is made of.'), (i) => i.lines.map(line.view)],
  subtotalAmount: [amountOf('Plan, setup fee and prorations.'), (i) => String(i.subtotalCents)],
  discountAmount: [amountOf('What the coupon takes off.'), (i) => String(i.discountCents)],
  creditAppliedAmount: [
    amountOf('What the subscription’s credit takes off.'),
    (i) => String(i.creditAppliedCents),
  ],
  totalAmount: [amountOf('What is to be paid.'), (i) => String(i.totalCents)],
  paidAmount: [amountOf('What was paid.'), (i) => String(i.paidCents)],
  couponId: [described(nullableText, 'The coupon, `cpn_…`.'), same],
  attemptCount: [count('How many attempts there were.'), (i) => i.attempts.length],
  nextAttemptAt: [
    nullableField(
      instant,
      'When the next automatic attempt is due, at the earliest when an open charge ends; null if none is.',
    ),
    (i, nowMs) => instantOrNull(nextAttemptAtMs(i, nowMs)),
  ],
  createdAt: createdAtField,
  paidAt: [nullableField(instant, 'When it was paid.'), (i) => instantOrNull(i.paidAtMs)],
  voidedAt: [nullableField(instant, 'When it became VOID.'), (i) => instantOrNull(i.voidedAtMs)],
  updatedAt: datedFields.updatedAt,
})

const attempt = resource<CollectionAttempt>('Attempt', 'One try to collect an invoice.').with({
  ...identityFields('att', 'attempt'),
  number: [count('Which attempt of its invoice, from 1.'), same],
  trigger: [
    described(
      choice('AUTOMATIC', 'DUNNING', 'MANUAL'),
      'AUTOMATIC: when it was issued. DUNNING: by the retry policy. MANUAL: by a request.',
    ),
    same,
  ],
  method: [billingMethod, same],
  transactionId: [described(nullableText, 'The charge, `txn_…`.'), same],
  amount: [amountOf('What it collects.'), (a) => String(a.amountCents)],
  status: [
    described(
      choice('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'),
      'CANCELLED: another attempt took its place, or the invoice is void.',
    ),
    same,
  ],
  failureReason: [nullableField(failureReason, 'Why it failed.'), same],
  retryable: [nullableField(Type.Boolean(), 'Whether the same card may be tried again.'), same],
  payment: [
    nullableField(paymentInstructions, 'How the payer pays it, by PIX or boleto.'),
    (a) => a.payment && paymentInstructionsView(a.transactionId!, a.payment),
  ],
  createdAt: createdAtField,
  finishedAt: [
    nullableField(instant, 'When it succeeded, failed or was cancelled.'),
    (a) => instantOrNull(a.finishedAtMs),
  ],
})

/** An invoice as of an instant with its attempts, as it is shown alone. */
export const invoiceDetail = resource<Invoice, [number]>(
  'InvoiceDetail',
  'An invoice with its attempts.',
).with({
  ...invoice.fields,
  attempts: [listOf(attempt.schema, 'Every attempt, oldest first.'), (i) => i.attempts.map(attempt.view)],
})
