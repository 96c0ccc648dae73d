import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { InvoiceId, SubscriptionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { toCents } from '../../shared/money.ts'
import type { Invoice } from '../invoice/invoice.ts'
import { cancelLiveCharge } from '../invoice/live-charge.ts'
import { withdrawMandate } from '../mandate/offer.ts'
import { changeSubscription } from './change.ts'
import { latest, withoutInvoice } from './evolve.ts'
import { isLate, type Subscription, type SubscriptionChanges } from './subscription.ts'

/** Ends a subscription: open invoices are voided. A coupon that never brought a payment is released. */
export const closeSubscription = (draft: Draft, id: SubscriptionId, reason: string, by: Initiator): void => {
  for (const invoice of draft.find('subscription', id)!.unpaid)
    if (invoice.status !== 'UNCOLLECTIBLE') voidInvoice(draft, invoice.id, by)
  withdrawMandate(draft, draft.find('subscription', id)!)
  const { couponId, wasPaid } = draft.find('subscription', id)!
  const isReleased = couponId !== null && !wasPaid
  changeSubscription(draft, id, by, 'SubscriptionCancelled', {
    status: 'CANCELLED',
    cancelReason: reason,
    cancelledAtMs: draft.context.nowMs,
    pausedAtMs: null,
    pausedFrom: null,
    ahead: null,
    scheduledChange: null,
    pendingChange: null,
    pixAutomatic: null,
    ...(isReleased && { couponId: null, discount: null, discountCyclesLeft: null }),
  })
  if (isReleased)
    draft.add({ type: 'RedemptionReleased', redeemedBy: id, ...factOf(draft, 'coupon', couponId) })
}

/** Voids an invoice: the credit and the coupon cycle that it used become available again. */
export const voidInvoice = (draft: Draft, invoiceId: InvoiceId, by: Initiator): void => {
  cancelLiveCharge(draft, invoiceId, by)
  const invoice = draft.find('invoice', invoiceId)!
  const subscription = draft.find('subscription', invoice.subscriptionId)!
  draft.add({ type: 'InvoiceVoided', ...factOf(draft, 'invoice', invoiceId) })
  changeSubscription(draft, subscription.id, by, 'InvoiceWithdrawn', withdrawn(subscription, invoice))
}

const withdrawn = (subscription: Subscription, invoice: Invoice): SubscriptionChanges => {
  const { status, unpaid, creditCents, discount, discountCyclesLeft, cyclesBilled, ahead } = subscription
  const isAhead = ahead?.invoiceId === invoice.id
  // The first cycle of a future plan is not counted before it begins.
  const isCounted = invoice.kind === 'CYCLE' && !(isAhead && ahead.number === 0)
  const tookDiscount = discount !== null && discountCyclesLeft !== null && invoice.couponId !== null
  const others = withoutInvoice(unpaid, invoice.id)
  return {
    // Nothing else is overdue: the invoice that made it late is void.
    status: status === 'PAST_DUE' && !isLate(others) ? 'ACTIVE' : status,
    unpaid: others,
    latestInvoice: latest(subscription, invoice.id, { status: 'VOID' }),
    creditCents: toCents(creditCents + invoice.creditAppliedCents),
    cyclesBilled: isCounted ? Math.max(0, cyclesBilled - 1) : cyclesBilled,
    discountCyclesLeft: tookDiscount ? discountCyclesLeft + 1 : discountCyclesLeft,
    ahead: isAhead ? null : ahead,
  }
}
