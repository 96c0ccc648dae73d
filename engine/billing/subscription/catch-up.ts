import type { Draft } from '../../kernel/draft.ts'
import { dateIn } from '../../shared/calendar.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { toCents } from '../../shared/money.ts'
import { firstPeriodAfter, periodAt } from '../catalog/periods.ts'
import { beginPeriod } from './change.ts'
import type { BillingPeriod, Subscription } from './subscription.ts'

/**
 * Moves the first period, and the anchor with it, to today when the first invoice is paid after the period should have
 * begun (decisions, section 20): no day without service is charged, and none with service is left out. Null when
 * nothing moves.
 */
export const lateFirstPeriod = (
  { context }: Pick<Draft, 'context'>,
  { status, period, plan, timeZone }: Subscription,
): BillingPeriod | null => {
  const today = dateIn(timeZone, context.nowMs)
  if (status !== 'PENDING' || today <= period.start) return null
  const { start, end } = periodAt(today, plan, 0)
  return { ...period, anchorOn: today, start, end }
}

/**
 * Continues billing with the next cycle after today (decisions, section 20) when a suspended subscription becomes
 * active after its period: the days without service are not charged.
 */
export const catchUp = (draft: Draft, before: Subscription, by: Initiator): void => {
  const subscription = draft.find('subscription', before.id)!
  const today = dateIn(subscription.timeZone, draft.context.nowMs)
  if (before.status !== 'SUSPENDED' || subscription.status !== 'ACTIVE') return
  const { period, ahead, plan } = subscription
  if (today < period.end || (ahead !== null && today < ahead.end)) return
  const { anchorOn } = ahead ?? period
  const number = firstPeriodAfter(anchorOn, plan, today) - 1
  const unpaid = { valueCents: toCents(0), invoiceId: null }
  beginPeriod(draft, before.id, by, { number, anchorOn, ...periodAt(anchorOn, plan, number), ...unpaid })
}
