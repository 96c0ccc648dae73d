import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import { boletoOf } from '../../payments/methods/boleto/boleto.ts'
import { cardOf } from '../../payments/methods/card/card.ts'
import { pixOf } from '../../payments/methods/pix/pix.ts'
import type { TransactionChange } from '../../payments/transaction/change.ts'
import type { FailureReason, Transaction } from '../../payments/transaction/transaction.ts'
import { dateIn } from '../../shared/calendar.ts'
import type { InvoiceId, TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import { policyFor } from '../catalog/dunning.ts'
import { closeCharge, endCharge, stepsByMandate } from '../mandate/charge.ts'
import { mandateChargeOf } from '../mandate/held.ts'
import { offerWithCharge } from '../mandate/offer.ts'
import type { PaymentData } from '../payment-means.ts'
import { catchUp, lateFirstPeriod } from '../subscription/catch-up.ts'
import { beginPeriod, changeSubscription } from '../subscription/change.ts'
import { latest, marked, withoutInvoice } from '../subscription/evolve.ts'
import { applyPendingChange, dropPendingChange } from '../subscription/pending-change.ts'
import { isLate, type Subscription, type UnpaidInvoice } from '../subscription/subscription.ts'
import { countTry } from './card-retries.ts'
import { type AfterFailure, dunningAfter } from './dunning.ts'
import { type CollectionAttempt, type Invoice, isPayable, nextAttemptAtMs } from './invoice.ts'
import { summaryOf } from './issue.ts'
import { markUncollectible } from './mark-uncollectible.ts'

/** Applies the facts of a charge that collects an invoice to the invoice and to its subscription. */
export const followCharge = (draft: Draft, { events }: TransactionChange): void => {
  const transaction = draft.find('transaction', events[0]!.id)!
  const invoiceId = transaction.invoiceId!
  for (const event of events) {
    switch (event.type) {
      case 'ChargeIssued':
      case 'BoletoIssued':
      case 'ChargeCodeReplaced':
        present(draft, invoiceId, transaction, event.by)
        break
      case 'AuthorizationPending':
      case 'ChargeScheduled':
        wait(draft, invoiceId, transaction, event.by)
        break
      case 'ChargePaid':
      case 'BoletoCleared':
      case 'CardApproved':
        receive(draft, invoiceId, transaction, event.by)
        endMandateCharge(draft, transaction, true)
        break
      case 'CardDeclined':
      case 'ChargeRefused':
      case 'ChargeExpired':
      case 'ChargeCancelled':
      case 'AuthorizationTimedOut':
      case 'ScheduledChargeFailed': {
        endMandateCharge(draft, transaction, false)
        if (event.type === 'CardDeclined') countTry(draft, cardOf(transaction)!.tokenFingerprint)
        const attempt = attemptOf(draft.find('invoice', invoiceId)!, transaction)
        // An attempt that was replaced, or failed before its charge ended, is already over.
        if (attempt.status === 'PENDING')
          failAttempt(draft, invoiceId, attempt.number, failureOf(transaction), event.by)
        break
      }
    }
  }
}

/** A charge by mandate that was paid is over at the bank, too. One that ended here is closed there, and what it brings is returned. */
const endMandateCharge = (draft: Draft, { id }: Transaction, isPaid: boolean): void => {
  const of = mandateChargeOf(draft, id)
  if (of === null) return
  if (isPaid) endCharge(draft, of, false)
  else closeCharge(draft, of, of.charge.isReplaced)
}

export type Failure = { readonly failureReason: FailureReason; readonly retryable: boolean }

/** Ends an attempt as failed: dunning begins, continues, or ends after its last attempt. */
export const failAttempt = (
  draft: Draft,
  invoiceId: InvoiceId,
  number: number,
  { failureReason, retryable }: Failure,
  by: Initiator,
): void => {
  const invoice = draft.find('invoice', invoiceId)!
  const subscription = draft.find('subscription', invoice.subscriptionId)!
  const attempt = invoice.attempts[number - 1]!
  const next = afterFailure(draft, invoice, subscription, attempt, retryable)
  const wasCancelled = failureReason === 'CANCELLED'
  const { dunning } = next
  const fact = factOf(draft, 'invoice', invoiceId)
  draft.add({ type: 'AttemptFailed', number, wasCancelled, failureReason, retryable, dunning, ...fact })
  // A plan change that is not paid never happened: nothing is owed.
  if (invoice.kind === 'PRORATION') {
    dropPendingChange(draft, invoiceId, by)
    return
  }
  const failed = draft.find('invoice', invoiceId)!
  const invoiceStatus = failed.status === 'UNCOLLECTIBLE' ? 'UNCOLLECTIBLE' : 'PAST_DUE'
  draft.add({
    type: 'SubscriptionPaymentFailed',
    by,
    status: statusOnceFailed(subscription, invoiceId, invoiceStatus),
    invoiceStatus,
    invoice: summaryOf(failed),
    transactionId: attempt.transactionId,
    amountCents: attempt.amountCents,
    failureReason,
    retryable,
    attemptNumber: number,
    nextAttemptAtMs: nextAttemptAtMs(failed, draft.context.nowMs),
    final: next.isExhausted || failed.status === 'UNCOLLECTIBLE',
    ...factOf(draft, 'subscription', subscription.id),
  })
  if (next.isExhausted) markUncollectible(draft, invoiceId, dunning!.policy, by)
}

/** Marks an invoice as paid, by a charge or because nothing was due. */
export const settleInvoice = (
  draft: Draft,
  invoiceId: InvoiceId,
  transactionId: TransactionId | null,
  amountCents: Cents,
  by: Initiator,
): void => {
  const { subscriptionId: id } = draft.find('invoice', invoiceId)!
  const subscription = draft.find('subscription', id)!
  const period = lateFirstPeriod(draft, subscription)
  if (period !== null) {
    const { start: periodStart, end: periodEnd } = period
    draft.add({ type: 'InvoiceMoved', periodStart, periodEnd, ...factOf(draft, 'invoice', invoiceId) })
  }
  draft.add({
    type: 'SubscriptionPaid',
    by,
    status: statusOncePaid(subscription, invoiceId),
    invoice: summaryOf(draft.find('invoice', invoiceId)!),
    transactionId,
    amountCents,
    ...factOf(draft, 'subscription', id),
  })
  if (period !== null) beginPeriod(draft, id, by, period)
  if (subscription.pendingChange?.invoiceId === invoiceId) applyPendingChange(draft, id, by)
  else catchUp(draft, subscription, by)
}

/** An invoice left behind when the subscription went on does not make it late again. */
const statusOnceFailed = (
  { status, unpaid }: Subscription,
  invoiceId: InvoiceId,
  invoiceStatus: UnpaidInvoice['status'],
): Subscription['status'] =>
  status === 'ACTIVE' && isLate(marked(unpaid, invoiceId, { status: invoiceStatus })) ? 'PAST_DUE' : status

/** A late or never paid subscription becomes active only once everything overdue is paid. */
const statusOncePaid = (subscription: Subscription, invoiceId: InvoiceId): Subscription['status'] => {
  const { status, unpaid } = subscription
  if (status === 'PENDING') return 'ACTIVE'
  if (status !== 'PAST_DUE' && status !== 'SUSPENDED') return status
  return isLate(withoutInvoice(unpaid, invoiceId)) ? status : 'ACTIVE'
}

const afterFailure = (
  draft: Draft,
  invoice: Invoice,
  subscription: Subscription,
  attempt: CollectionAttempt,
  retryable: boolean,
): AfterFailure => {
  const { dunning, status, pausedAtMs } = invoice
  const { timeZone, planId } = subscription
  const { nowMs } = draft.context
  // An uncollectible invoice stays uncollectible.
  if (invoice.kind === 'PRORATION' || status === 'UNCOLLECTIBLE') return { dunning, isExhausted: false }
  // A manual retry moves no step, but an end that waited for it comes now.
  if (attempt.trigger === 'MANUAL' && dunning !== null) {
    const isOver = dunning.isEnding && dunning.nextAtMs <= nowMs && pausedAtMs === null
    return { dunning, isExhausted: isOver }
  }
  const policy = dunning?.policy ?? policyFor(draft.account().dunning, planId)
  const failedOn = dunning?.failedOn ?? dateIn(timeZone, nowMs)
  const isSkipping = attempt.method === 'CREDIT_CARD' && !retryable
  const of = mandateChargeOf(draft, attempt.transactionId)
  const byMandate =
    of === null
      ? 0
      : (dunning?.byMandate ?? stepsByMandate(of, policy.retryDays, failedOn, invoice.periodEnd))
  const failure = {
    policy,
    failedOn,
    steps: dunning?.steps ?? 0,
    isSkipping,
    ...(byMandate > 0 && { byMandate }),
  }
  const next = dunningAfter(failure, timeZone, nowMs)
  // A paused subscription's invoice is not marked uncollectible.
  return next.isExhausted && pausedAtMs !== null ? { ...next, isExhausted: false } : next
}

const receive = (draft: Draft, invoiceId: InvoiceId, transaction: Transaction, by: Initiator): void => {
  const invoice = draft.find('invoice', invoiceId)!
  if (!isPayable(invoice)) {
    keepAsCredit(draft, invoice, transaction, by)
    return
  }
  const { paidCents } = transaction
  const { number, method, card } = attemptOf(invoice, transaction)
  draft.add({ type: 'AttemptSucceeded', number, paidCents, ...factOf(draft, 'invoice', invoiceId) })
  settleInvoice(draft, invoiceId, transaction.id, paidCents, by)
  const subscription = draft.find('subscription', invoice.subscriptionId)!
  // A charge of the subscription's own card names none, and the payer may have chosen other means since.
  if (card === null && (method === subscription.method || method === 'CREDIT_CARD')) return
  changeSubscription(draft, subscription.id, by, 'PaymentMeansChanged', { method, card })
}

/** Keeps money as credit when its invoice is no longer owed and it cannot be refunded automatically. */
const keepAsCredit = (draft: Draft, invoice: Invoice, { paidCents }: Transaction, by: Initiator): void => {
  const { id, creditCents } = draft.find('subscription', invoice.subscriptionId)!
  changeSubscription(draft, id, by, 'CreditGranted', { creditCents: toCents(creditCents + paidCents) })
}

/** Shows how to pay. The same code may also offer a mandate. */
const present = (draft: Draft, invoiceId: InvoiceId, transaction: Transaction, by: Initiator): void => {
  const invoice = draft.find('invoice', invoiceId)!
  const { subscriptionId } = invoice
  const { number, status } = attemptOf(invoice, transaction)
  // A bank may register a charge so late that another attempt has taken its place.
  if (status !== 'PENDING') return
  const { id: transactionId } = transaction
  const payment = paymentOf(transaction)
  const fact = factOf(draft, 'subscription', subscriptionId)
  draft.add(
    { type: 'AttemptPresented', number, payment, ...factOf(draft, 'invoice', invoiceId) },
    { type: 'PaymentInstructionsIssued', by, invoiceId, transactionId, payment, ...fact },
  )
  offerWithCharge(draft, transaction, by)
}

/**
 * Updates invoice and subscription together: a replay of the waiting request's idempotency key must find the state it
 * created.
 */
const wait = (
  draft: Draft,
  invoiceId: InvoiceId,
  { id: transactionId }: Transaction,
  by: Initiator,
): void => {
  const { subscriptionId: id } = draft.find('invoice', invoiceId)!
  const latestInvoice = latest(draft.find('subscription', id)!, invoiceId, { transactionId })
  draft.add({ type: 'AttemptAwaited', ...factOf(draft, 'invoice', invoiceId) })
  changeSubscription(draft, id, by, 'PaymentAwaited', { latestInvoice })
}

const paymentOf = (transaction: Transaction): PaymentData => {
  const boleto = boletoOf(transaction)
  return {
    copyPaste: pixOf(transaction)?.copyPaste ?? null,
    barCode: boleto?.numbers?.barCode ?? null,
    dueDate: boleto?.dueDate ?? null,
    expiresAtMs: transaction.expiresAtMs!,
  }
}

const failureOf = ({ failureReason, failureDetail }: Transaction): Failure => ({
  failureReason: failureReason!,
  retryable: failureDetail?.retryable ?? true,
})

const attemptOf = ({ attempts }: Invoice, { id }: Transaction): CollectionAttempt =>
  attempts.findLast(({ transactionId }) => transactionId === id)!
