import { type Attempt, type Invoice, nextAttemptAtMs } from '../../engine/billing/invoice/invoice.ts'
import { invoiceNumber } from '../../engine/billing/invoice/issue.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { paymentView } from './subscription.ts'
import { instant } from './transaction.ts'

/** An invoice as lists show it (decisions, section 21). */
export const invoiceView = (invoice: Invoice, nowMs: number) => ({
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
  lines: invoice.lines.map(({ type, description, cents, periodStart, periodEnd }) => ({
    type,
    description,
    amount: String(cents),
    periodStart,
    periodEnd,
  })),
  subtotalAmount: String(invoice.subtotalCents),
  discountAmount: String(invoice.discountCents),
  creditAppliedAmount: String(invoice.creditAppliedCents),
  totalAmount: String(invoice.totalCents),
  paidAmount: String(invoice.paidCents),
  couponId: invoice.couponId,
  attemptCount: invoice.attempts.length,
  nextAttemptAt: instant(nextAttemptAtMs(invoice, nowMs)),
  createdAt: isoInstant(invoice.createdAtMs),
  paidAt: instant(invoice.paidAtMs),
  voidedAt: instant(invoice.voidedAtMs),
  updatedAt: isoInstant(invoice.updatedAtMs),
})

/** With its attempts. */
export const invoiceDetailView = (invoice: Invoice, nowMs: number) => ({
  ...invoiceView(invoice, nowMs),
  attempts: invoice.attempts.map(attemptView),
})

const attemptView = (attempt: Attempt) => ({
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
  payment: attempt.payment && paymentView(attempt.transactionId!, attempt.payment),
  createdAt: isoInstant(attempt.createdAtMs),
  finishedAt: instant(attempt.finishedAtMs),
})
