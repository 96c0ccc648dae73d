import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Transaction } from '../../payments/transaction/transaction.ts'
import { dateIn } from '../../shared/calendar.ts'
import type { Customer } from '../../shared/customer.ts'
import type { CouponId, CustomerId, MandateId, PlanId, SubscriptionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { BillingMethod, PlanTerms } from '../catalog/plan.ts'
import { settleInvoice } from '../invoice/outcome.ts'
import { heldOf, type Mandate } from '../mandate/mandate.ts'
import { stopMandate } from '../mandate/offer.ts'
import type { BillingCard } from '../payment-means.ts'
import { billNext, issueCycle } from './bill.ts'
import { changeSubscription } from './change.ts'
import { addSubscription, payerOf } from './create.ts'
import { nextCycle } from './cycle.ts'
import type { Subscription } from './subscription.ts'

/** What a payer agreed to on a page, and has paid for. */
export type PaidBeginning = {
  readonly planId: PlanId
  /** As the page promised it, whatever became of the plan since. */
  readonly plan: PlanTerms
  readonly customerId: CustomerId | null
  readonly customer: Customer | null
  readonly method: BillingMethod
  readonly card: BillingCard | null
  readonly couponId: CouponId | null
  readonly metadata: Metadata
  /** The mandate that the code of that payment also offered, under the id of the subscription; null without one. */
  readonly mandateId: MandateId | null
  /** What paid the first invoice; null where a card was only verified, because nothing is due yet. */
  readonly paidBy: Transaction | null
}

/** Begins a subscription that is paid for already, with its customer and its first invoice. The money is here: nothing is refused. */
export const createPaidSubscription = (
  draft: Draft,
  { planId, plan, customerId, customer, method, card, couponId, metadata, mandateId, paidBy }: PaidBeginning,
  by: Initiator,
): SubscriptionId => {
  const mandate = mandateId === null ? undefined : draft.find('mandate', mandateId)
  const id = mandate?.subscriptionId ?? contextId(draft.context, 'sub')
  const subscription = addSubscription(draft, id, by, {
    planId,
    plan,
    ...payerOf(draft, { customerId, customer })!,
    method,
    card,
    startOn: dateIn(draft.account().profile.timeZone, draft.context.nowMs),
    metadata,
    pixAutomatic: null,
    ...redeemedBy(draft, id, couponId),
  })
  if (mandate !== undefined) takeMandate(draft, subscription, mandate, by)
  if (paidBy !== null) billPaid(draft, draft.find('subscription', id)!, paidBy, by)
  else if (subscription.trialEndsOn === null) billNext(draft, subscription, by, null)
  return id
}

/** The subscription has the mandate from now on. One whose code its payer never saw was paid without, and cannot be authorized any more. */
const takeMandate = (draft: Draft, { id }: Subscription, mandate: Mandate, by: Initiator): void => {
  changeSubscription(draft, id, by, 'MandateChanged', { mandate: heldOf(mandate) })
  if (mandate.copyPaste === null) stopMandate(draft, mandate.id)
}

/** Issues the first invoice, and settles it with the charge that was made before there was one. */
const billPaid = (draft: Draft, subscription: Subscription, paidBy: Transaction, by: Initiator): void => {
  const { id, method, startOn } = subscription
  const invoice = issueCycle(draft, id, nextCycle(subscription), startOn, by)
  const { id: transactionId, paidCents } = paidBy
  const at = factOf(draft, 'invoice', invoice.id)
  const attempt = {
    id: contextId(draft.context, 'att'),
    number: 1,
    trigger: 'AUTOMATIC',
    method,
    card: null,
    transactionId,
    amountCents: invoice.totalCents,
    failsAtMs: null,
  } as const
  draft.add(
    { type: 'AttemptStarted', attempt, ...at },
    { type: 'AttemptSucceeded', number: 1, paidCents, ...at },
  )
  settleInvoice(draft, invoice.id, transactionId, paidCents, by)
}

/** The page has checked the coupon when the charge was made, and kept a place for it since. */
const redeemedBy = (
  draft: Draft,
  id: SubscriptionId,
  couponId: CouponId | null,
): Pick<Subscription, 'couponId' | 'discount' | 'discountCyclesLeft'> => {
  const coupon = couponId === null ? undefined : draft.find('coupon', couponId)
  if (coupon === undefined) return { couponId: null, discount: null, discountCyclesLeft: null }
  const { percentBps, amountOffCents, cycles } = coupon
  draft.add({ type: 'CouponRedeemed', redeemedBy: id, ...factOf(draft, 'coupon', coupon.id) })
  return { couponId: coupon.id, discount: { percentBps, amountOffCents, cycles }, discountCyclesLeft: cycles }
}
