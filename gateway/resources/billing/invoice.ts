import Type, { type Static } from 'typebox'
import {
  type CollectionAttempt,
  type Invoice,
  nextAttemptAtMs,
} from '../../../engine/billing/invoice/invoice.ts'
import { invoiceNumber } from '../../../engine/billing/invoice/issue.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { billingMethod, failureReason, invoiceStatus } from '../enumerations.ts'
import {
  amountOf,
  brlOnly,
  cents,
  count,
  createdAt,
  date,
  dated,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nullable,
  text,
  textOf,
} from '../fields.ts'
import { paymentInstructions, paymentInstructionsView } from '../payments/payment-instructions.ts'

const line = namedObject('InvoiceLine', 'One line of an invoice.', {
  type: described(
    enumeration('PLAN', 'SETUP_FEE', 'PRORATION_CREDIT', 'PRORATION_CHARGE', 'DISCOUNT', 'CREDIT'),
    'PRORATION_…: what a change of plan gives back, and costs. DISCOUNT: the coupon. CREDIT: from `creditBalance`.',
  ),
  description: textOf('The same for people.'),
  amount: described(cents, 'Negative where it takes something off. In centavos, as digits.'),
  periodStart: described(date, 'The first day that it is for.'),
  periodEnd: described(date, 'The first day that it is not for.'),
})

/** An invoice as lists show it (decisions, section 21). */
export const invoice = namedObject('Invoice', 'What a subscription asks its customer to pay.', {
  ...identity('inv', 'invoice'),
  number: Type.String({
    pattern: '^INV-[0-9]{6,}$',
    description: 'Counted for the company and environment.',
    examples: ['INV-000123'],
  }),
  kind: described(enumeration('CYCLE', 'PRORATION'), 'PRORATION: for the difference of a change of plan.'),
  subscriptionId: textOf('The subscription, `sub_…`.'),
  customerId: textOf('The subscriber, `cus_…`.'),
  planId: textOf('The plan, `pln_…`.'),
  cycle: count('Which cycle it is for, from 1.'),
  method: billingMethod,
  status: invoiceStatus,
  currency: brlOnly,
  periodStart: described(date, 'The first day that it is for.'),
  periodEnd: described(date, 'The first day that it is not for.'),
  dueDate: described(date, 'Until this day it should be paid.'),
  lines: listOf(line, 'What it is made of.'),
  subtotalAmount: amountOf('Plan, setup fee and prorations.'),
  discountAmount: amountOf('What the coupon takes off.'),
  creditAppliedAmount: amountOf('What the subscription’s credit takes off.'),
  totalAmount: amountOf('What is to be paid.'),
  paidAmount: amountOf('What was paid.'),
  couponId: described(text, 'The coupon, `cpn_…`.'),
  attemptCount: count('How many attempts there were.'),
  nextAttemptAt: nullable(
    instant,
    'When the next automatic attempt is due, at the earliest when an open charge ends; null if none is.',
  ),
  createdAt,
  paidAt: nullable(instant, 'When it was paid.'),
  voidedAt: nullable(instant, 'When it became VOID.'),
  updatedAt: dated.updatedAt,
})

type View = Static<typeof invoice>

/** An invoice as of an instant, without its attempts. */
export const invoiceView = (invoice: Invoice, nowMs: number): View => ({
  id: invoice.id,
  object: 'invoice',
  number: invoiceNumber(invoice.number),
  kind: invoice.kind,
  subscriptionId: invoice.subscriptionId,
  customerId: invoice.customerId,
  planId: invoice.planId,
  cycle: invoice.cycle,
  method: invoice.method,
  status: invoice.status,
  currency: 'BRL',
  periodStart: invoice.periodStart,
  periodEnd: invoice.periodEnd,
  dueDate: invoice.dueDate,
  lines: invoice.lines.map(({ cents, ...line }) => ({ amount: String(cents), ...line })),
  subtotalAmount: String(invoice.subtotalCents),
  discountAmount: String(invoice.discountCents),
  creditAppliedAmount: String(invoice.creditAppliedCents),
  totalAmount: String(invoice.totalCents),
  paidAmount: String(invoice.paidCents),
  couponId: invoice.couponId,
  attemptCount: invoice.attempts.length,
  nextAttemptAt: instantOrNull(nextAttemptAtMs(invoice, nowMs)),
  createdAt: isoInstant(invoice.createdAtMs),
  paidAt: instantOrNull(invoice.paidAtMs),
  voidedAt: instantOrNull(invoice.voidedAtMs),
  updatedAt: isoInstant(invoice.updatedAtMs),
})

const attempt = namedObject('Attempt', 'One try to collect an invoice.', {
  ...identity('att', 'attempt'),
  number: count('Which attempt of its invoice, from 1.'),
  trigger: described(
    enumeration('AUTOMATIC', 'DUNNING', 'MANUAL'),
    'AUTOMATIC: when it was issued. DUNNING: by the retry policy. MANUAL: by a request.',
  ),
  method: billingMethod,
  transactionId: described(text, 'The charge, `txn_…`.'),
  amount: amountOf('What it collects.'),
  status: described(
    enumeration('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'),
    'CANCELLED: another attempt took its place, or the invoice is void.',
  ),
  failureReason: nullable(failureReason, 'Why it failed.'),
  retryable: nullable(Type.Boolean(), 'Whether the same card may be tried again.'),
  payment: nullable(paymentInstructions, 'How the payer pays it, by PIX or boleto.'),
  createdAt,
  finishedAt: nullable(instant, 'When it succeeded, failed or was cancelled.'),
})

const attemptView = (attempt: CollectionAttempt): AttemptView => ({
  id: attempt.id,
  object: 'attempt',
  number: attempt.number,
  trigger: attempt.trigger,
  method: attempt.method,
  transactionId: attempt.transactionId,
  amount: String(attempt.amountCents),
  status: attempt.status,
  failureReason: attempt.failureReason,
  retryable: attempt.retryable,
  payment: attempt.payment && paymentInstructionsView(attempt.transactionId!, attempt.payment),
  createdAt: isoInstant(attempt.createdAtMs),
  finishedAt: instantOrNull(attempt.finishedAtMs),
})

type AttemptView = Static<typeof attempt>

/** An invoice shown alone. */
export const invoiceDetail = namedObject('InvoiceDetail', 'An invoice with its attempts.', {
  ...invoice.properties,
  attempts: listOf(attempt, 'Every attempt, oldest first.'),
})

/** An invoice as of an instant, with its attempts. */
export const invoiceDetailView = (invoice: Invoice, nowMs: number): Static<typeof invoiceDetail> => ({
  attempts: invoice.attempts.map(attemptView),
  ...invoiceView(invoice, nowMs),
})
