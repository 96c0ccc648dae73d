import type { Draft } from '../../kernel/draft.ts'
import type { InvoiceId, SubscriptionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { Proration } from '../catalog/proration.ts'
import { voidInvoice } from './close.ts'
import { discountAfterChange } from './discount.ts'
import type { BillingPeriod, PendingChange, Subscription, SubscriptionChanges } from './subscription.ts'

/** A change of plan that takes effect now. */
export type PlanSwap = Pick<PendingChange, 'planId' | 'plan' | 'period' | 'keepsCycle'> & {
  readonly proration: Proration | null
  /** What the old plan's days are worth beyond the new one's. */
  readonly creditCents: Cents
}

/**
 * The subscription has another plan from now on. The next invoice is not one of the old plan: an unpaid one is void, and
 * issued anew as soon as it is due; a paid one stands where cycles go on as they were, and is credited otherwise: where they
 * begin anew, or where it was of a plan that was to come.
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
  const atMs = draft.context.nowMs
  draft.add({ actor: 'subscription', type: 'PlanChangeApplied', id, by, atMs, proration, changes })
}

/** Whether what was billed ahead is of a plan that was scheduled, and is not any more. */
const isOfPlanToCome = ({ ahead, scheduledChange }: Subscription): boolean =>
  ahead !== null && scheduledChange !== null && scheduledChange.effectiveOn <= ahead.start

/** Cycles of the old plan that were billed beyond the period that the change was reckoned for. */
const laterPeriods = (
  { period, ahead, pendingChange }: Subscription,
  swapped: BillingPeriod,
  keepsCycle: boolean,
): readonly BillingPeriod[] => {
  const billed = ahead === null ? [] : [ahead]
  // While a change waited to be paid another cycle of the old plan may have begun.
  const hasRenewed = pendingChange !== null && !keepsCycle && period.start > swapped.start
  return hasRenewed ? [...billed, period] : billed
}

/** Another charge asks for its invoice: it waits as long as that one can be paid (null: until a card's acquirer answers). */
export const awaitPendingChange = (
  draft: Draft,
  { id, pendingChange }: Subscription,
  invoiceId: InvoiceId,
  expiresAtMs: number | null,
  by: Initiator,
): void => {
  if (pendingChange?.invoiceId !== invoiceId || pendingChange.expiresAtMs === expiresAtMs) return
  const changes = { pendingChange: { ...pendingChange, expiresAtMs } }
  const atMs = draft.context.nowMs
  draft.add({ actor: 'subscription', type: 'PlanChangeAwaited', id, by, atMs, changes })
}

/** It is paid: what was asked for happens. */
export const applyPendingChange = (draft: Draft, id: SubscriptionId, by: Initiator): void => {
  const change = draft.find('subscription', id)!.pendingChange!
  swapPlan(draft, id, { ...change, creditCents: toCents(0) }, by)
}

/** It is not paid: nothing has changed, and nobody owes anything. */
export const dropPendingChange = (draft: Draft, invoiceId: InvoiceId, by: Initiator): void => {
  voidInvoice(draft, invoiceId, by)
  const { subscriptionId } = draft.find('invoice', invoiceId)!
  const { attempts } = draft.find('subscription', subscriptionId)!
  const changes = { pendingChange: null, attempts: attempts + 1 }
  const atMs = draft.context.nowMs
  draft.add({ actor: 'subscription', type: 'PlanChangeDropped', id: subscriptionId, by, atMs, changes })
}
