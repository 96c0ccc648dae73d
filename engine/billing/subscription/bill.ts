import type { Idempotency } from '../../kernel/command.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { type CalendarDate, dateIn } from '../../shared/calendar.ts'
import type { SubscriptionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { PlanTerms } from '../catalog/plan.ts'
import { collect } from '../invoice/collect.ts'
import type { Invoice } from '../invoice/invoice.ts'
import { type AskedLine, issueInvoice } from '../invoice/issue.ts'
import { settleInvoice } from '../invoice/outcome.ts'
import { renewMandate, withdrawMandate } from '../mandate/offer.ts'
import { beginPeriod, changeSubscription } from './change.ts'
import { closeSubscription } from './close.ts'
import type { BillSubscription } from './commands.ts'
import { invoiceDueDate, isLastCycle, type NextCycle, nextCycle } from './cycle.ts'
import { discountAfterChange, nextDiscount } from './discount.ts'
import type { BillingPeriod, Subscription } from './subscription.ts'

/** Does a subscription's due work: ends its trial, issues the first or next invoice, or ends it. */
export const billSubscription = (
  draft: Draft,
  subscription: Subscription,
  { by }: BillSubscription,
): Rejection | null => {
  const { id, status, trialEndsOn, ahead, cancelAtPeriodEnd } = subscription
  switch (status) {
    case 'SCHEDULED':
      if (trialEndsOn === null) return billNext(draft, subscription, by, null)
      changeSubscription(draft, id, by, 'TrialStarted', { status: 'TRIALING' })
      return null
    case 'TRIALING':
      return cancelAtPeriodEnd ? close(draft, subscription, by) : billNext(draft, subscription, by, null)
    case 'ACTIVE':
    case 'PAST_DUE':
      if (ahead !== null) return startPeriod(draft, subscription, ahead, by)
      if (cancelAtPeriodEnd) return close(draft, subscription, by)
      if (!isLastCycle(subscription)) return billNext(draft, subscription, by, null)
      complete(draft, subscription, by)
      return null
    case 'PENDING':
    case 'PAUSED':
    case 'SUSPENDED':
      return close(draft, subscription, by)
    default:
      return null
  }
}

/** Completes a subscription: every cycle of its plan is paid and over. */
const complete = (draft: Draft, { id, mandate }: Subscription, by: Initiator): void => {
  withdrawMandate(draft, { mandate })
  const changes = { status: 'COMPLETED', pausedAtMs: null, pausedFrom: null, scheduledChange: null } as const
  changeSubscription(draft, id, by, 'SubscriptionCompleted', changes)
}

/** Issues the invoice of the next cycle, and collects it. */
export const billNext = (
  draft: Draft,
  subscription: Subscription,
  by: Initiator,
  idempotency: Idempotency | null,
): Rejection | null => {
  const dueDate = invoiceDueDate(subscription, dateIn(subscription.timeZone, draft.context.nowMs))
  return billCycle(draft, subscription.id, nextCycle(subscription), dueDate, by, idempotency)
}

/** Issues a cycle's invoice and collects it, or settles it at once when nothing is due. */
export const billCycle = (
  draft: Draft,
  id: SubscriptionId,
  cycle: Omit<NextCycle, 'issueOn'>,
  dueDate: CalendarDate,
  by: Initiator,
  idempotency: Idempotency | null,
): Rejection | null => collectIssued(draft, issueCycle(draft, id, cycle, dueDate, by), by, idempotency)

/** Issues a cycle's invoice, without collecting it. */
export const issueCycle = (
  draft: Draft,
  id: SubscriptionId,
  cycle: Omit<NextCycle, 'issueOn'>,
  dueDate: CalendarDate,
  by: Initiator,
): Invoice => {
  const { planId, plan, isAnew } = cycle
  const held = draft.find('subscription', id)!
  const today = dateIn(held.timeZone, draft.context.nowMs)
  const isFirst = held.period.number === -1
  const isAhead = !isFirst && today < cycle.period.start
  if (!isAhead && held.scheduledChange !== null && plan === held.scheduledChange.plan)
    takeScheduledPlan(draft, held, isAnew ? 0 : held.cyclesBilled, by)
  const subscription = draft.find('subscription', id)!
  const { cyclesBilled, discountCyclesLeft } = subscription
  const discount = nextDiscount(draft, subscription, planId, plan)
  const discountCents = discount ?? toCents(0)
  const invoice = issueInvoice(draft, subscription, by, {
    kind: 'CYCLE',
    planId,
    cycle: isAnew ? 1 : cyclesBilled + 1,
    periodStart: cycle.period.start,
    periodEnd: cycle.period.end,
    dueDate,
    couponId: discount === null ? null : subscription.couponId,
    lines: linesOf(plan, discountCents, isFirst),
  })
  const period: BillingPeriod = {
    valueCents: toCents(plan.amountCents - discountCents),
    invoiceId: invoice.id,
    ...cycle.period,
  }
  draft.add({
    type: 'SubscriptionBilled',
    by,
    status: isFirst ? 'PENDING' : subscription.status,
    invoiceId: invoice.id,
    totalCents: invoice.totalCents,
    dueDate,
    period,
    isAhead,
    // The first cycle of a future plan is counted when it begins.
    cyclesBilled: isAhead && isAnew ? cyclesBilled : cyclesBilled + 1,
    discountCyclesLeft:
      discount !== null && discountCyclesLeft !== null ? discountCyclesLeft - 1 : discountCyclesLeft,
    creditCents: toCents(subscription.creditCents - invoice.creditAppliedCents),
    ...factOf(draft, 'subscription', id),
  })
  return invoice
}

/** Collects an invoice that was just issued, or settles it when nothing is due. */
export const collectIssued = (
  draft: Draft,
  { id, totalCents }: Invoice,
  by: Initiator,
  idempotency: Idempotency | null,
): Rejection | null => {
  if (totalCents > 0) return collect(draft, id, { trigger: 'AUTOMATIC', by, means: null, idempotency })
  settleInvoice(draft, id, null, totalCents, by)
  return null
}

const startPeriod = (
  draft: Draft,
  subscription: Subscription,
  period: BillingPeriod,
  by: Initiator,
): null => {
  const { id, scheduledChange } = subscription
  beginPeriod(draft, id, by, period)
  if (scheduledChange === null || scheduledChange.effectiveOn > period.start) return null
  takeScheduledPlan(draft, subscription, period.number === 0 ? 1 : subscription.cyclesBilled, by)
  return null
}

const takeScheduledPlan = (
  draft: Draft,
  subscription: Subscription,
  cyclesBilled: number,
  by: Initiator,
): void => {
  const { planId, plan } = subscription.scheduledChange!
  const discount = discountAfterChange(draft, subscription, planId, plan)
  draft.add({
    type: 'PlanChangeApplied',
    by,
    proration: null,
    changes: { planId, plan, cyclesBilled, scheduledChange: null, ...discount },
    ...factOf(draft, 'subscription', subscription.id),
  })
  renewMandate(draft, draft.find('subscription', subscription.id)!, by)
}

const close = (draft: Draft, { id, cancelReason }: Subscription, by: Initiator): null => {
  closeSubscription(draft, id, cancelReason ?? '', by)
  return null
}

const linesOf = (
  { name, amountCents, setupFeeCents }: PlanTerms,
  discountCents: Cents,
  isFirst: boolean,
): readonly AskedLine[] => {
  const lines: AskedLine[] = [{ type: 'PLAN', description: name, cents: amountCents }]
  if (isFirst && setupFeeCents > 0)
    lines.push({ type: 'SETUP_FEE', description: 'Setup fee', cents: setupFeeCents })
  if (discountCents > 0)
    lines.push({ type: 'DISCOUNT', description: 'Coupon', cents: toCents(-discountCents) })
  return lines
}
