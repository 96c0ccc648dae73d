import type { Idempotency } from '../../kernel/command.ts'
import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { plainTerms } from '../../payments/methods/boleto/boleto.ts'
import { effectiveDueDate } from '../../payments/methods/boleto/payable.ts'
import type { CreateCharge } from '../../payments/transaction/commands.ts'
import { createTransaction } from '../../payments/transaction/create.ts'
import { noDetails } from '../../payments/transaction/details.ts'
import { addDays, type CalendarDate, dateIn, endOfDay, nextBusinessDay } from '../../shared/calendar.ts'
import { type InvoiceId, randomAlphanumerics, type TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { daysToPay } from '../catalog/periods.ts'
import type { BillingMethod } from '../catalog/plan.ts'
import { chargeMandate, type MandateTerms, mandateFor } from '../mandate/charge.ts'
import type { BillingCard } from '../payment-means.ts'
import { changeSubscription } from '../subscription/change.ts'
import { awaitPendingChange } from '../subscription/pending-change.ts'
import type { Subscription } from '../subscription/subscription.ts'
import type { CollectionAttempt } from './invoice.ts'
import { invoiceNumber } from './issue.ts'
import { failAttempt } from './outcome.ts'

/** What triggers a collection, and with which means of payment. */
export type Collecting = {
  readonly trigger: CollectionAttempt['trigger']
  readonly by: Initiator
  /** Null for the subscription's own means. */
  readonly means: { readonly method: BillingMethod; readonly card: BillingCard | null } | null
  readonly idempotency: Idempotency | null
  /** By QR code even where there is a mandate: it was tried. */
  readonly isByCode?: true
}

/**
 * Makes an attempt: a new charge that replaces the previous one. When the clock triggers it and no charge can be made,
 * the attempt counts as failed: otherwise the same work would stay due for ever.
 */
export const collect = (draft: Draft, invoiceId: InvoiceId, collecting: Collecting): Rejection | null => {
  const { context } = draft
  const invoice = draft.find('invoice', invoiceId)!
  const subscription = draft.find('subscription', invoice.subscriptionId)!
  const { trigger, by, means, idempotency, isByCode = false } = collecting
  const { method, card } = means ?? subscription
  const today = dateIn(subscription.timeZone, context.nowMs)
  const isDatedAnew = trigger !== 'AUTOMATIC' || (isByCode && invoice.dueDate < today)
  const dueDate = isDatedAnew ? addDays(today, daysToPay[method]) : invoice.dueDate
  const mandate =
    trigger === 'AUTOMATIC' && means === null && !isByCode
      ? mandateFor(draft, subscription, invoice, dueDate)
      : null
  const byMandate = mandate && { mandateId: mandate.id, txid: randomAlphanumerics(32, context.entropy) }
  const number = invoice.attempts.length + 1
  const fact = factOf(draft, 'invoice', invoiceId)
  const attempt = {
    id: contextId(context, 'att'),
    number,
    trigger,
    method,
    card: means?.card ?? null,
    transactionId: contextId(context, 'txn'),
    amountCents: invoice.totalCents,
    failsAtMs: method === 'BOLETO' ? failsAtMs(subscription.timeZone, dueDate) : null,
  }
  const refusal = draft.attempt(() => {
    draft.add({ type: 'AttemptStarted', attempt, ...fact })
    if (method === 'CREDIT_CARD') forgetCode(draft, subscription, invoiceId, attempt.transactionId, by)
    const lapses = lapsesAtMs(method, subscription.timeZone, dueDate)
    awaitPendingChange(draft, subscription, invoiceId, lapses, by)
    if (mandate !== null) {
      const dueOn = dueDate
      chargeMandate(draft, mandate, invoice, { ...byMandate!, transactionId: attempt.transactionId, dueOn })
    }
    return createTransaction(draft, {
      type: 'CreateCharge',
      accountId: subscription.accountId,
      by,
      transactionId: attempt.transactionId,
      origin: 'SUBSCRIPTION',
      amountCents: invoice.totalCents,
      details: {
        ...noDetails,
        description: subscription.plan.name.slice(0, 140),
        reference: invoiceNumber(invoice.number),
        metadata: subscription.metadata,
      },
      customer: null,
      customerId: subscription.customerId,
      collects: { subscriptionId: subscription.id, invoiceId, attempt: subscription.attempts + 1 },
      splitRuleId: subscription.plan.splitRuleId,
      terms: termsOf(method, card, dueDate, byMandate),
      ...(idempotency && { idempotency }),
    })
  })
  if (refusal === null || by.kind !== 'CLOCK') return refusal
  draft.add({ type: 'AttemptStarted', attempt: { ...attempt, transactionId: null }, ...fact })
  failAttempt(draft, invoiceId, number, { failureReason: 'PROVIDER_ERROR', retryable: true }, by)
  return null
}

/** A card replaces a charge with a QR code or bar code: the payer must not be able to pay the old one as well. */
const forgetCode = (
  draft: Draft,
  { id, latestInvoice }: Subscription,
  invoiceId: InvoiceId,
  transactionId: TransactionId,
  by: Initiator,
): void => {
  if (latestInvoice?.id !== invoiceId || latestInvoice.payment === null) return
  const changes = { latestInvoice: { ...latestInvoice, transactionId, payment: null } }
  changeSubscription(draft, id, by, 'PaymentAwaited', changes)
}

const termsOf = (
  method: BillingMethod,
  card: BillingCard | null,
  dueDate: CalendarDate,
  byMandate: MandateTerms | null,
): CreateCharge['terms'] => {
  switch (method) {
    case 'PIX':
      return {
        method,
        expiresInSeconds: null,
        due: { date: dueDate },
        ...(byMandate && { byMandate }),
      }
    case 'CREDIT_CARD':
      return { method, installments: 1, captures: true, card: card! }
    case 'BOLETO':
      return { method, dueDate, withPix: false, ...plainTerms }
  }
}

/** The time until which an invoice waits for a charge of this method; null for a card, which answers at once. */
export const lapsesAtMs = (method: BillingMethod, timeZone: string, dueDate: CalendarDate): number | null => {
  if (method === 'CREDIT_CARD') return null
  return method === 'PIX' ? endOfDay(timeZone, nextBusinessDay(dueDate)) : failsAtMs(timeZone, dueDate)
}

/** A boleto paid on its last day clears a business day later, so two are allowed (decisions, section 21). */
const failsAtMs = (timeZone: string, dueDate: CalendarDate): number => {
  const first = nextBusinessDay(addDays(effectiveDueDate(dueDate), 1))
  return endOfDay(timeZone, nextBusinessDay(addDays(first, 1)))
}
