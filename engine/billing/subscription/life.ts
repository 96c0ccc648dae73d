import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { addDays, type CalendarDate, dateIn, daysBetween } from '../../shared/calendar.ts'
import type { InvoiceId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { daysToPay, periodAt } from '../catalog/periods.ts'
import { isSameCycle } from '../catalog/proration.ts'
import { dunningLater } from '../invoice/dunning.ts'
import type { CollectionAttempt } from '../invoice/invoice.ts'
import { cancelLiveCharge, undecidedAttempt } from '../invoice/live-charge.ts'
import { canCallOff, closeCharge } from '../mandate/charge.ts'
import { mandateChargeOf } from '../mandate/held.ts'
import { billCycle } from './bill.ts'
import { beginPeriod, changeSubscription } from './change.ts'
import { closeSubscription, voidInvoice } from './close.ts'
import type { CancelSubscription, PauseSubscription, ResumeSubscription } from './commands.ts'
import { collectedBy, isLastCycle } from './cycle.ts'
import {
  isFinal,
  isLate,
  type Subscription,
  type SubscriptionChanges,
  type SubscriptionStatus,
  subscriptionStatuses,
} from './subscription.ts'

const pausable: readonly SubscriptionStatus[] = ['TRIALING', 'ACTIVE', 'PAST_DUE']
const resumable: readonly SubscriptionStatus[] = ['PAUSED', 'SUSPENDED']
const cancellable = subscriptionStatuses.filter((status) => !isFinal({ status }))

/** Pauses billing and retries until it is resumed; open invoices stay payable. */
export const pauseSubscription = (
  draft: Draft,
  subscription: Subscription,
  { by }: PauseSubscription,
): Rejection | null => {
  const { id, status, unpaid } = subscription
  if (!pausable.includes(status)) return invalidState(subscription, pausable)
  for (const { id } of unpaid) {
    draft.add({ type: 'DunningPaused', ...factOf(draft, 'invoice', id) })
    callOffForPause(draft, id)
  }
  const changes = { status: 'PAUSED', pausedAtMs: draft.context.nowMs, pausedFrom: status } as const
  changeSubscription(draft, id, by, 'SubscriptionPaused', changes)
  return null
}

/** A charge by mandate is called off while the bank still does that, and a QR code follows it: the invoice stays payable. */
const callOffForPause = (draft: Draft, id: InvoiceId): void => {
  const { attempts } = draft.find('invoice', id)!
  const of = mandateChargeOf(draft, attempts.at(-1)?.transactionId ?? null)
  if (of !== null && canCallOff(draft, of)) closeCharge(draft, of, true)
}

/** Resumes a subscription. Paused time is never billed: if the period ended meanwhile, a new one begins today. */
export const resumeSubscription = (
  draft: Draft,
  subscription: Subscription,
  { by }: ResumeSubscription,
): Rejection | null => {
  const { status, timeZone, pausedAtMs, pausedFrom, period } = subscription
  if (!resumable.includes(status)) return invalidState(subscription, resumable)
  if (status === 'SUSPENDED') return beginAgain(draft, subscription, by)
  const today = dateIn(timeZone, draft.context.nowMs)
  // A Sandbox clock that was put back may show a day before the pause.
  const days = Math.max(0, daysBetween(dateIn(timeZone, pausedAtMs!), today))
  resumeDunning(draft, subscription, days)
  if (pausedFrom === 'TRIALING') return resumeTrial(draft, subscription, days, by)
  if (today >= period.end) return beginNewPeriod(draft, subscription, today, by)
  resumed(draft, subscription, by)
  return null
}

/** Cancels at once, or at the end of the period. */
export const cancelSubscription = (
  draft: Draft,
  subscription: Subscription,
  { reason, atPeriodEnd, by }: CancelSubscription,
): Rejection | null => {
  if (isFinal(subscription)) return invalidState(subscription, cancellable)
  const running = undecidedCard(draft, subscription)
  if (running !== null) return { reason: 'ATTEMPT_IN_PROGRESS', attemptId: running.id }
  const { id, status, timeZone, period, ahead, unpaid } = subscription
  const hasPeriod = status !== 'SCHEDULED' && dateIn(timeZone, draft.context.nowMs) < period.end
  if (!atPeriodEnd || !hasPeriod) {
    closeSubscription(draft, id, reason, by)
    return null
  }
  // A cycle that is already paid is served to its end.
  if (ahead !== null && unpaid.some(({ id }) => id === ahead.invoiceId))
    voidInvoice(draft, ahead.invoiceId!, by)
  changeSubscription(draft, id, by, 'CancellationScheduled', {
    cancelAtPeriodEnd: true,
    cancelReason: reason,
  })
  return null
}

/** An attempt whose card an acquirer is deciding on: its money may be on the way. */
const undecidedCard = (draft: Draft, { unpaid }: Subscription): CollectionAttempt | null => {
  for (const { id } of unpaid) {
    const attempt = undecidedAttempt(draft, draft.find('invoice', id)!)
    if (attempt?.method === 'CREDIT_CARD') return attempt
  }
  return null
}

const resumeDunning = (draft: Draft, { unpaid, timeZone }: Subscription, days: number): void => {
  const { nowMs: atMs } = draft.context
  for (const { id } of unpaid) {
    const invoice = draft.find('invoice', id)!
    if (invoice.pausedAtMs === null) continue
    const dunning = invoice.dunning && dunningLater(invoice.dunning, days, timeZone, atMs)
    draft.add({ actor: 'invoice', type: 'DunningPostponed', id, atMs, dunning })
  }
}

const resumeTrial = (draft: Draft, subscription: Subscription, days: number, by: Initiator): null => {
  const { period } = subscription
  const end = addDays(period.end, days)
  const changes = { trialEndsOn: end, period: { ...period, end, anchorOn: end } }
  resumed(draft, subscription, by, 'TRIALING', changes)
  return null
}

/** Starts a new cycle today. Uncollectible invoices stay so and no longer block the subscription. */
const beginAgain = (draft: Draft, subscription: Subscription, by: Initiator): Rejection | null => {
  const running = undecidedCard(draft, subscription)
  if (running !== null) return { reason: 'ATTEMPT_IN_PROGRESS', attemptId: running.id }
  const { id, ahead, timeZone, latestInvoice } = subscription
  const left = new Set(subscription.unpaid.map(({ id }) => id).filter((id) => id !== ahead?.invoiceId))
  for (const invoice of subscription.unpaid) {
    if (invoice.status === 'UNCOLLECTIBLE' || !left.has(invoice.id)) continue
    cancelLiveCharge(draft, invoice.id, by)
    draft.add({ type: 'InvoiceMarkedUncollectible', ...factOf(draft, 'invoice', invoice.id) })
  }
  const status = 'UNCOLLECTIBLE' as const
  changeSubscription(draft, id, by, 'CollectionStopped', {
    unpaid: subscription.unpaid.map((invoice) =>
      left.has(invoice.id) ? { ...invoice, status, isLeft: true } : invoice,
    ),
    latestInvoice:
      latestInvoice !== null && left.has(latestInvoice.id) ? { ...latestInvoice, status } : latestInvoice,
  })
  const today = dateIn(timeZone, draft.context.nowMs)
  return beginNewPeriod(draft, draft.find('subscription', id)!, today, by)
}

/** Starts the new period. A cycle billed ahead becomes that period if paid, and is voided if not. */
const beginNewPeriod = (
  draft: Draft,
  before: Subscription,
  today: CalendarDate,
  by: Initiator,
): Rejection | null => {
  const { ahead } = before
  const isUnpaid = ahead !== null && before.unpaid.some(({ id }) => id === ahead.invoiceId)
  if (isUnpaid) voidInvoice(draft, ahead.invoiceId!, by)
  const subscription = draft.find('subscription', before.id)!
  resumed(draft, subscription, by)
  const { id, scheduledChange } = subscription
  const change = scheduledChange !== null && scheduledChange.effectiveOn <= today ? scheduledChange : null
  const { planId, plan } = change ?? subscription
  const period = { number: 0, anchorOn: today, ...periodAt(today, plan, 0) }
  if (subscription.ahead !== null) {
    const { valueCents, invoiceId } = subscription.ahead
    beginPeriod(draft, id, by, { valueCents, invoiceId, ...period })
    return null
  }
  // No cycles are left: the subscription is complete once all are paid.
  if (isLastCycle(subscription)) return null
  const isAnew = change !== null && !isSameCycle(plan, subscription.plan)
  const dueDate = addDays(today, daysToPay[collectedBy(subscription)])
  return billCycle(draft, id, { planId, plan, period, isAnew }, dueDate, by, null)
}

const resumed = (
  draft: Draft,
  { id, unpaid }: Subscription,
  by: Initiator,
  status: SubscriptionStatus = isLate(unpaid) ? 'PAST_DUE' : 'ACTIVE',
  changes: SubscriptionChanges = {},
): void => {
  const running = { pausedAtMs: null, pausedFrom: null, status }
  changeSubscription(draft, id, by, 'SubscriptionResumed', { ...running, ...changes })
}

const invalidState = (
  { status }: Subscription,
  allowedStatuses: readonly SubscriptionStatus[],
): Rejection => ({ reason: 'INVALID_STATE', currentStatus: status, allowedStatuses })
