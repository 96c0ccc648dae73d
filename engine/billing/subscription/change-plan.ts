import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { addDays, type CalendarDate, dateIn } from '../../shared/calendar.ts'
import { toCents } from '../../shared/money.ts'
import { daysToPay, periodAt } from '../catalog/periods.ts'
import type { Plan } from '../catalog/plan.ts'
import { isSameCycle, isUpgrade, type Proration, prorate } from '../catalog/proration.ts'
import { collect, lapsesAtMs } from '../invoice/collect.ts'
import type { InvoiceLine } from '../invoice/invoice.ts'
import { issueInvoice } from '../invoice/issue.ts'
import { undecidedAttempt } from '../invoice/live-charge.ts'
import { settleInvoice } from '../invoice/outcome.ts'
import { voidInvoice } from './close.ts'
import type { ChangePlan } from './commands.ts'
import { nextDiscount } from './discount.ts'
import { type PlanSwap, swapPlan } from './pending-change.ts'
import { findPlanFor, termsOf, usePlan } from './plan.ts'
import type { BillingPeriod, Subscription } from './subscription.ts'

const changeable = ['ACTIVE', 'TRIALING', 'PAST_DUE'] as const

/** Changes the plan now or from the next period on (decisions, section 22). A preview takes the same path. */
export const changePlan = (draft: Draft, command: ChangePlan): Rejection | null => {
  const subscription = draft.find('subscription', command.subscriptionId)
  if (subscription === undefined) return { reason: 'NOT_FOUND', resource: 'subscription' }
  const { status } = subscription
  if (!changeable.some((one) => one === status))
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: changeable }
  const isHeld = command.planId === subscription.planId
  if (isHeld && subscription.scheduledChange === null) return { reason: 'SAME_PLAN' }
  if (isHeld) return clearChange(draft, subscription, command)
  const found = findPlanFor(draft, command.planId, subscription.method)
  if (!found.ok) return found.rejection
  const { plan } = found
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
  swapPlan(draft, subscription.id, { ...swap, creditCents: toCents(0) }, by)
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
    : { number: 0, anchorOn: today, ...periodAt(today, plan, 0), valueCents, invoiceId: null }
  const change = { planId: plan.id, plan: termsOf(plan), period: next, keepsCycle, proration }
  if (proration.netCents > 0) return askFirst(draft, subscription, change, today, by)
  swapPlan(draft, id, { ...change, creditCents: toCents(-proration.netCents) }, by)
  return null
}

/** An upgrade is paid for first; until then nothing changes. */
const askFirst = (
  draft: Draft,
  subscription: Subscription,
  change: Omit<PlanSwap, 'creditCents'> & { readonly proration: Proration },
  today: CalendarDate,
  by: ChangePlan['by'],
): Rejection | null => {
  const { id, method, timeZone, cyclesBilled, unpaid } = subscription
  const dueDate = addDays(today, daysToPay[method])
  const invoice = issueInvoice(draft, subscription, by, {
    kind: 'PRORATION',
    planId: change.planId,
    cycle: cyclesBilled,
    periodStart: today,
    periodEnd: change.period.end,
    dueDate,
    couponId: null,
    lines: linesOf(subscription, change, today),
  })
  const { totalCents, creditAppliedCents } = invoice
  draft.add({
    actor: 'subscription',
    type: 'PlanChangeAwaited',
    id,
    by,
    atMs: draft.context.nowMs,
    changes: {
      pendingChange: {
        ...change,
        invoiceId: invoice.id,
        expiresAtMs: lapsesAtMs(method, timeZone, dueDate),
      },
      unpaid: [...unpaid, { id: invoice.id, totalCents, status: 'OPEN', isLeft: false }],
      latestInvoice: {
        id: invoice.id,
        status: 'OPEN',
        totalCents,
        dueDate,
        transactionId: null,
        payment: null,
      },
      creditCents: toCents(subscription.creditCents - creditAppliedCents),
    },
  })
  if (totalCents > 0)
    return collect(draft, invoice.id, { trigger: 'AUTOMATIC', by, means: null, idempotency: null })
  settleInvoice(draft, invoice.id, null, totalCents, by)
  return null
}

const linesOf = (
  { plan: held }: Subscription,
  { plan, period, proration }: Omit<PlanSwap, 'creditCents'> & { readonly proration: Proration },
  today: CalendarDate,
): readonly InvoiceLine[] => {
  const dates = { periodStart: today, periodEnd: period.end }
  const { creditCents, chargeCents } = proration
  const credit: InvoiceLine = {
    type: 'PRORATION_CREDIT',
    description: `Unused time of ${held.name}`,
    cents: toCents(-creditCents),
    ...dates,
  }
  const charge: InvoiceLine = {
    type: 'PRORATION_CHARGE',
    description: `Remaining time of ${plan.name}`,
    cents: chargeCents,
    ...dates,
  }
  return creditCents === 0 ? [charge] : [credit, charge]
}

const scheduleChange = (
  draft: Draft,
  subscription: Subscription,
  plan: Plan,
  { by }: ChangePlan,
): Rejection | null => {
  const cleared = withdrawNext(draft, subscription, by)
  if (!cleared.ok) return cleared.rejection
  const { effectiveOn } = cleared
  draft.add({
    actor: 'subscription',
    type: 'PlanChangeScheduled',
    id: subscription.id,
    by,
    atMs: draft.context.nowMs,
    changes: { scheduledChange: { planId: plan.id, plan: termsOf(plan), effectiveOn } },
  })
  return null
}

const clearChange = (draft: Draft, subscription: Subscription, { by }: ChangePlan): Rejection | null => {
  const { id, ahead, scheduledChange } = subscription
  // The next invoice can stay unless it belongs to the scheduled plan.
  const isOfChange = ahead !== null && scheduledChange!.effectiveOn <= ahead.start
  const cleared = isOfChange ? withdrawNext(draft, subscription, by) : null
  if (cleared?.ok === false) return cleared.rejection
  const atMs = draft.context.nowMs
  const changes = { scheduledChange: null }
  draft.add({ actor: 'subscription', type: 'PlanChangeScheduled', id, by, atMs, changes })
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
):
  | { readonly ok: true; readonly effectiveOn: CalendarDate }
  | { readonly ok: false; readonly rejection: Rejection } => {
  if (ahead === null) return { ok: true, effectiveOn: period.end }
  const isUnpaid = unpaid.some(({ id }) => id === ahead.invoiceId)
  const attempt = isUnpaid ? undecidedAttempt(draft, draft.find('invoice', ahead.invoiceId!)!) : null
  if (attempt?.method === 'CREDIT_CARD')
    return { ok: false, rejection: { reason: 'ATTEMPT_IN_PROGRESS', attemptId: attempt.id } }
  if (isUnpaid && attempt === null) {
    voidInvoice(draft, ahead.invoiceId!, by)
    return { ok: true, effectiveOn: ahead.start }
  }
  if (scheduledChange !== null && scheduledChange.effectiveOn <= ahead.start) {
    const rejection = { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: [] } as const
    return { ok: false, rejection }
  }
  return { ok: true, effectiveOn: ahead.end }
}
