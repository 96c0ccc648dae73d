import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { InvoiceId, SubscriptionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { Proration } from '../catalog/proration.ts'
import { renewMandate } from '../mandate/offer.ts'
import { changeSubscription } from './change.ts'
import { voidInvoice } from './close.ts'
import { discountAfterChange } from './discount.ts'
import type { BillingPeriod, PendingChange, Subscription, SubscriptionChanges } from './subscription.ts'

/** A plan change that takes effect now. */
export type PlanSwap = Pick<PendingChange, 'planId' | 'plan' | 'period' | 'keepsCycle'> & {
  readonly proration: Proration | null
  /** The value left of the old plan beyond the new one's price. */
  readonly creditCents: Cents
}

/**
 * Puts the new plan in place. An unpaid invoice billed ahead at the old plan is voided and issued again when due. A
 * paid one stands where the cycle stays the same, and is credited where cycles start over or where it was for a plan
 * that no longer follows.
 */
export const swapPlan = (draft: Draft, id: SubscriptionId, swap: PlanSwap, by: Initiator): void => {
  const { planId, plan, keepsCycle, proration } = swap
  const before = draft.find('subscription', id)!
  const later = laterPeriods(before, swap.period, keepsCycle)
  const stands = keepsCycle && !isOfPlanToCome(before)
  let creditCents: number = swap.creditCents
  for (const { invoiceId, valueCents } of later) {
    const isUnpaid = before.unpaid.some((invoice) => invoice.id === invoiceId)
    if (isUnpaid) voidInvoice(draft, invoiceId!, by)
    else if (!stands && invoiceId !== null) creditCents += valueCents
  }
  const subscription = draft.find('subscription', id)!
  const dropsCounted = !stands && subscription.ahead !== null && subscription.ahead.number > 0
  const hasMovedOn = keepsCycle && before.period.number !== swap.period.number
  const changes: SubscriptionChanges = {
    planId,
    plan,
    period: hasMovedOn ? before.period : swap.period,
    ahead: stands ? subscription.ahead : null,
    cyclesBilled: keepsCycle ? subscription.cyclesBilled - (dropsCounted ? 1 : 0) : 0,
    creditCents: toCents(subscription.creditCents + creditCents),
    pendingChange: null,
    scheduledChange: null,
    ...discountAfterChange(draft, subscription, planId, plan),
  }
  draft.add({ type: 'PlanChangeApplied', by, proration, changes, ...factOf(draft, 'subscription', id) })
  renewMandate(draft, draft.find('subscription', id)!, by)
}

/** Whether the cycle billed ahead belongs to a scheduled plan, which the swap drops. */
const isOfPlanToCome = ({ ahead, scheduledChange }: Subscription): boolean =>
  ahead !== null && scheduledChange !== null && scheduledChange.effectiveOn <= ahead.start

/** Cycles of the old plan billed after the period that the change was priced for. */
const laterPeriods = (
  { period, ahead, pendingChange }: Subscription,
  swapped: BillingPeriod,
  keepsCycle: boolean,
): readonly BillingPeriod[] => {
  const billed = ahead === null ? [] : [ahead]
  // While the change waited for payment, another cycle of the old plan may have begun.
  const hasRenewed = pendingChange !== null && !keepsCycle && period.start > swapped.start
  return hasRenewed ? [...billed, period] : billed
}

/**
 * Holds a plan change until its invoice is paid, for as long as the charge can be (null: until the acquirer answers).
 */
export const awaitPendingChange = (
  draft: Draft,
  { id, pendingChange }: Subscription,
  invoiceId: InvoiceId,
  expiresAtMs: number | null,
  by: Initiator,
): void => {
  if (pendingChange?.invoiceId !== invoiceId || pendingChange.expiresAtMs === expiresAtMs) return
  changeSubscription(draft, id, by, 'PlanChangeAwaited', { pendingChange: { ...pendingChange, expiresAtMs } })
}

/** The invoice is paid: the plan change is applied. */
export const applyPendingChange = (draft: Draft, id: SubscriptionId, by: Initiator): void => {
  const change = draft.find('subscription', id)!.pendingChange!
  swapPlan(draft, id, { creditCents: toCents(0), ...change }, by)
}

/** The invoice is not paid: the plan stays and nothing is owed. */
export const dropPendingChange = (draft: Draft, invoiceId: InvoiceId, by: Initiator): void => {
  voidInvoice(draft, invoiceId, by)
  const { subscriptionId } = draft.find('invoice', invoiceId)!
  const { attempts } = draft.find('subscription', subscriptionId)!
  const changes = { pendingChange: null, attempts: attempts + 1 }
  changeSubscription(draft, subscriptionId, by, 'PlanChangeDropped', changes)
}
