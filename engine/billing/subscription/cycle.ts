import { batchAtMs } from '../../ledger/schedule.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { PlanId } from '../../shared/ids.ts'
import { type CollectionWay, dueDate, issueDate, periodAt } from '../catalog/periods.ts'
import type { PlanTerms } from '../catalog/plan.ts'
import { isSameCycle } from '../catalog/proration.ts'
import type { BillingPeriod, Subscription } from './subscription.ts'

/** Daily jobs run at six in the morning, together with the settlement batches (decisions, section 20). */
export const billingTimeOn = ({ timeZone }: Pick<Subscription, 'timeZone'>, date: CalendarDate): number =>
  batchAtMs(timeZone, date)

/** The first cycle without an invoice, and the plan that it is billed by. */
export type NextCycle = {
  readonly planId: PlanId
  readonly plan: PlanTerms
  readonly period: Pick<BillingPeriod, 'number' | 'anchorOn' | 'start' | 'end'>
  /** Whether cycles are counted from a new anchor, because the plan's cycle differs. */
  readonly isAnew: boolean
  /** The day on which its invoice is issued. */
  readonly issueOn: CalendarDate
}

/** The next cycle to bill. A plan with another cycle starts, and is anchored, where it takes effect. */
export const nextCycle = (subscription: Subscription): NextCycle => {
  const { scheduledChange: change, ahead } = subscription
  const { number, anchorOn, end } = ahead ?? subscription.period
  const start = number === -1 ? anchorOn : end
  const isTaken = ahead !== null && change !== null && change.effectiveOn <= ahead.start
  const held = isTaken ? change : subscription
  // The lead is that of the running cycle, whatever plan follows.
  const issueOn = issueDate(anchorOn, held.plan, number + 1, collectedBy(subscription))
  const { planId, plan } = change !== null && change.effectiveOn <= start ? change : held
  const isAnew = !isSameCycle(plan, held.plan)
  const index = isAnew ? 0 : number + 1
  const anchor = isAnew ? start : anchorOn
  const days = periodAt(anchor, plan, index)
  const period = { number: index, anchorOn: anchor, start: days.start, end: days.end }
  return { planId, plan, period, isAnew, issueOn }
}

/** The due date of the next cycle's invoice if it is issued on this day. */
export const invoiceDueDate = (subscription: Subscription, issuedOn: CalendarDate): CalendarDate => {
  const { anchorOn, number } = subscription.ahead ?? subscription.period
  return dueDate(anchorOn, subscription.plan, number + 1, collectedBy(subscription), issuedOn)
}

/** How its invoices are collected. */
export const collectedBy = ({ method, mandate }: Pick<Subscription, 'method' | 'mandate'>): CollectionWay =>
  method === 'PIX' && mandate?.status === 'ACTIVE' ? 'PIX_BY_MANDATE' : method

/** Whether all cycles of the plan are billed. */
export const isLastCycle = (
  subscription: Subscription,
  { plan, isAnew }: NextCycle = nextCycle(subscription),
): boolean => plan.maxCycles !== null && !isAnew && subscription.cyclesBilled >= plan.maxCycles

/** Whether nothing is owed; invoices left behind do not count. */
const isAllPaid = ({ status, unpaid }: Subscription): boolean =>
  status === 'ACTIVE' && unpaid.every(({ isLeft }) => isLeft)

/** When the clock changes a subscription next; null when only its invoices or a command can. */
export const nextJobAtMs = (subscription: Subscription): number | null => {
  const { status, startOn, period, ahead, cancelAtPeriodEnd } = subscription
  switch (status) {
    case 'SCHEDULED':
      return billingTimeOn(subscription, startOn)
    case 'TRIALING':
      return billingTimeOn(subscription, period.end)
    case 'ACTIVE':
    case 'PAST_DUE':
      if (ahead !== null) return billingTimeOn(subscription, ahead.start)
      if (cancelAtPeriodEnd) return billingTimeOn(subscription, period.end)
      return afterCycle(subscription)
    case 'PENDING':
    case 'PAUSED':
    case 'SUSPENDED':
      return cancelAtPeriodEnd ? billingTimeOn(subscription, period.end) : null
    default:
      return null
  }
}

/** When the next invoice is issued; null where none will be. */
export const nextBillingAtMs = (subscription: Subscription): number | null => {
  const { status, cancelAtPeriodEnd, startOn, trialEndsOn, period } = subscription
  if (cancelAtPeriodEnd) return null
  switch (status) {
    case 'SCHEDULED':
      return billingTimeOn(subscription, trialEndsOn ?? startOn)
    case 'TRIALING':
      return billingTimeOn(subscription, period.end)
    case 'ACTIVE':
    case 'PAST_DUE':
      return nextIssueAtMs(subscription)
    default:
      return null
  }
}

/** When the next cycle's invoice is issued, or after the last cycle, once all are paid, when the subscription is completed. */
const afterCycle = (subscription: Subscription): number | null =>
  nextIssueAtMs(subscription) ??
  (isAllPaid(subscription) ? billingTimeOn(subscription, subscription.period.end) : null)

/** When the next cycle's invoice is issued; null when all cycles are billed. */
const nextIssueAtMs = (subscription: Subscription): number | null => {
  const next = nextCycle(subscription)
  return isLastCycle(subscription, next) ? null : billingTimeOn(subscription, next.issueOn)
}
