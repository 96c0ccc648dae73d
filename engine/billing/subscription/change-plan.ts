import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { addDays, type CalendarDate, dateIn } from '../../shared/calendar.ts'
import { toCents } from '../../shared/money.ts'
import { daysToPay, periodAt } from '../catalog/periods.ts'
import type { Plan } from '../catalog/plan.ts'
import { isSameCycle, isUpgrade, prorate } from '../catalog/proration.ts'
import { lapsesAtMs } from '../invoice/collect.ts'
import { type AskedLine, issueInvoice } from '../invoice/issue.ts'
import { undecidedAttempt } from '../invoice/live-charge.ts'
import { collectIssued } from './bill.ts'
import { changeSubscription } from './change.ts'
import { voidInvoice } from './close.ts'
import type { ChangePlan } from './commands.ts'
import { nextDiscount } from './discount.ts'
import { withIssued } from './evolve.ts'
import { swapPlan } from './pending-change.ts'
import { findPlanFor, termsOf, usePlan } from './plan.ts'
import type { BillingPeriod, PendingChange, Subscription } from './subscription.ts'

const changeable = ['ACTIVE', 'TRIALING', 'PAST_DUE'] as const

/** Changes the plan now or from the next period on (decisions, section 22). A preview takes the same path. */
export const changePlan = (
  draft: Draft,
  subscription: Subscription,
  command: ChangePlan,
): Rejection | null => {
  const { status } = subscription
  if (!changeable.some((one) => one === status))
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: changeable }
  const isHeld = command.planId === subscription.planId
  if (isHeld && subscription.scheduledChange === null) return { reason: 'SAME_PLAN' }
  if (isHeld) return clearChange(draft, subscription, command)
  const plan = findPlanFor(draft, command.planId, subscription.method)
  if ('reason' in plan) return plan
  if (status === 'TRIALING') {
    usePlan(draft, plan)
    return swapInTrial(draft, subscription, plan, command)
  }
  const today = dateIn(subscription.timeZone, draft.context.nowMs)
  const isNow =
    command.effective === 'NOW' || (command.effective === 'AUTO' && isUpgrade(plan, subscription.plan))
  const open = isNow ? openInvoice(subscription) : null
  if (open !== null) return { reason: 'INVOICE_OPEN', invoiceId: open }
  usePlan(draft, plan)
  // In the first hours of a new period its job has not run yet, so nothing of the old period is left to credit.
  if (!isNow || today >= subscription.period.end) return scheduleChange(draft, subscription, plan, command)
  return changeNow(draft, subscription, plan, today, command)
}

/** An unpaid invoice of the current period: its value cannot be credited. */
const openInvoice = ({ unpaid, ahead }: Subscription) =>
  unpaid.find(({ id, isLeft }) => !isLeft && id !== ahead?.invoiceId)?.id ?? null

const swapInTrial = (
  draft: Draft,
  subscription: Subscription,
  plan: Plan,
  { by }: ChangePlan,
): Rejection | null => {
  const { period } = subscription
  const swap = { planId: plan.id, plan: termsOf(plan), period, keepsCycle: true, proration: null }
  swapPlan(draft, subscription.id, { creditCents: toCents(0), ...swap }, by)
  return null
}

const changeNow = (
  draft: Draft,
  subscription: Subscription,
  plan: Plan,
  today: CalendarDate,
  { by }: ChangePlan,
): Rejection | null => {
  const { id, period } = subscription
  const keepsCycle = isSameCycle(plan, subscription.plan)
  const discountCents = nextDiscount(draft, subscription, plan.id, termsOf(plan)) ?? 0
  const valueCents = toCents(plan.amountCents - discountCents)
  const proration = prorate({
    period,
    // A Sandbox clock that was put back may show a day before the period.
    today: today < period.start ? period.start : today,
    oldValueCents: period.valueCents,
    newValueCents: valueCents,
    keepsCycle,
  })
  const next: BillingPeriod = keepsCycle
    ? { ...period, valueCents }
    : { number: 0, anchorOn: today, valueCents, invoiceId: null, ...periodAt(today, plan, 0) }
  const change = { planId: plan.id, plan: termsOf(plan), period: next, keepsCycle, proration }
  if (proration.netCents > 0) return askFirst(draft, subscription, change, today, by)
  swapPlan(draft, id, { creditCents: toCents(-proration.netCents), ...change }, by)
  return null
}

/** An upgrade is paid for first; until then nothing changes. */
const askFirst = (
  draft: Draft,
  subscription: Subscription,
  change: PricedChange,
  today: CalendarDate,
  by: ChangePlan['by'],
): Rejection | null => {
  const { id, method, timeZone, cyclesBilled } = subscription
  const dueDate = addDays(today, daysToPay[method])
  const invoice = issueInvoice(draft, subscription, by, {
    kind: 'PRORATION',
    planId: change.planId,
    cycle: cyclesBilled,
    periodStart: today,
    periodEnd: change.period.end,
    dueDate,
    couponId: null,
    lines: linesOf(subscription, change),
  })
  const expiresAtMs = lapsesAtMs(method, timeZone, dueDate)
  changeSubscription(draft, id, by, 'PlanChangeAwaited', {
    pendingChange: { invoiceId: invoice.id, expiresAtMs, ...change },
    creditCents: toCents(subscription.creditCents - invoice.creditAppliedCents),
    ...withIssued(subscription, invoice),
  })
  return collectIssued(draft, invoice, by, null)
}

type PricedChange = Omit<PendingChange, 'invoiceId' | 'expiresAtMs'>

const linesOf = ({ plan: held }: Subscription, { plan, proration }: PricedChange): readonly AskedLine[] => {
  const { creditCents, chargeCents } = proration
  const credit: AskedLine = {
    type: 'PRORATION_CREDIT',
    description: `Unused time of ${held.name}`,
    cents: toCents(-creditCents),
  }
  const charge: AskedLine = {
    type: 'PRORATION_CHARGE',
    description: `Remaining time of ${plan.name}`,
    cents: chargeCents,
  }
  return creditCents === 0 ? [charge] : [credit, charge]
}

const scheduleChange = (
  draft: Draft,
  subscription: Subscription,
  plan: Plan,
  { by }: ChangePlan,
): Rejection | null => {
  const effectiveOn = withdrawNext(draft, subscription, by)
  if (typeof effectiveOn === 'object') return effectiveOn
  const scheduledChange = { planId: plan.id, plan: termsOf(plan), effectiveOn }
  changeSubscription(draft, subscription.id, by, 'PlanChangeScheduled', { scheduledChange })
  return null
}

const clearChange = (draft: Draft, subscription: Subscription, { by }: ChangePlan): Rejection | null => {
  const { id, ahead, scheduledChange } = subscription
  // The next invoice can stay unless it belongs to the scheduled plan.
  if (ahead !== null && scheduledChange!.effectiveOn <= ahead.start) {
    const effectiveOn = withdrawNext(draft, subscription, by)
    if (typeof effectiveOn === 'object') return effectiveOn
  }
  changeSubscription(draft, id, by, 'PlanChangeScheduled', { scheduledChange: null })
  return null
}

/**
 * The first period that another plan can be billed for: the next one, whose unpaid invoice is voided, or else the one
 * after. A next period already paid at the price of a scheduled plan stands, so that plan begins first.
 */
const withdrawNext = (
  draft: Draft,
  { ahead, period, unpaid, status, scheduledChange }: Subscription,
  by: ChangePlan['by'],
): CalendarDate | Rejection => {
  if (ahead === null) return period.end
  const isUnpaid = unpaid.some(({ id }) => id === ahead.invoiceId)
  const attempt = isUnpaid ? undecidedAttempt(draft, draft.find('invoice', ahead.invoiceId!)!) : null
  if (attempt?.method === 'CREDIT_CARD') return { reason: 'ATTEMPT_IN_PROGRESS', attemptId: attempt.id }
  if (isUnpaid && attempt === null) {
    voidInvoice(draft, ahead.invoiceId!, by)
    return ahead.start
  }
  if (scheduledChange !== null && scheduledChange.effectiveOn <= ahead.start)
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: [] }
  return ahead.end
}
