import { dateIn } from '../calendar.ts'
import type { Draft } from '../draft.ts'
import { toCents } from '../money.ts'
import { firstPeriodAfter, periodAt } from '../recurring/periods.ts'
import type { Actor } from '../transaction/transaction.ts'
import type { Subscription } from './subscription.ts'

/**
 * Billing goes on with the next cycle after today (decisions, section 20), where a subscription becomes active after its
 * period: what passed while nobody was served is not asked for.
 */
export const catchUp = (draft: Draft, before: Subscription, by: Actor): void => {
  const subscription = draft.find('subscription', before.id)!
  const wasStopped = before.status === 'PENDING' || before.status === 'SUSPENDED'
  const today = dateIn(subscription.timeZone, draft.context.nowMs)
  if (!wasStopped || subscription.status !== 'ACTIVE') return
  const { period, ahead, plan } = subscription
  if (today < period.end || (ahead !== null && today < ahead.end)) return
  const { anchorOn } = ahead ?? period
  const number = firstPeriodAfter(anchorOn, plan, today) - 1
  draft.add({
    actor: 'subscription',
    type: 'PeriodStarted',
    id: subscription.id,
    by,
    atMs: draft.context.nowMs,
    period: {
      number,
      anchorOn,
      ...periodAt(anchorOn, plan, number),
      valueCents: toCents(0),
      invoiceId: null,
    },
  })
}
