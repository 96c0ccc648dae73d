import { wayOf } from '../../connections/way.ts'
import { registerCustomer } from '../../customers/link.ts'
import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { barCodeCentsMax } from '../../payments/methods/boleto/bar-code.ts'
import { methodOf } from '../../payments/methods/index.ts'
import { addDays, type CalendarDate, dateIn, daysBetween } from '../../shared/calendar.ts'
import type { Customer } from '../../shared/customer.ts'
import type { CustomerId, SubscriptionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { toCents } from '../../shared/money.ts'
import { periodAt } from '../catalog/periods.ts'
import type { Plan, PlanTerms } from '../catalog/plan.ts'
import { couponRefusal, redemptionsOf } from '../catalog/redemption.ts'
import type { WantedMandate } from '../mandate/mandate.ts'
import { mandateRefusal, offerAlone } from '../mandate/offer.ts'
import { billNext } from './bill.ts'
import type { CreateSubscription } from './commands.ts'
import { findPlanFor, termsOf, usePlan } from './plan.ts'
import type { BillingPeriod, NewSubscription, Subscription } from './subscription.ts'

/** How far ahead a subscription may begin (decisions, section 20). */
const startDaysMax = 730

/** Creates a subscription. If it begins today without a trial, the first invoice is issued and collected at once. */
export const createSubscription = (draft: Draft, command: CreateSubscription): Rejection | null => {
  const { subscriptionId: id, method, card, by } = command
  const plan = findPlanFor(draft, command.planId, method)
  if ('reason' in plan) return plan
  if (command.missingProduct !== null)
    return { reason: 'PRODUCT_NOT_ACTIVE', product: command.missingProduct }
  const account = draft.account()
  const { timeZone } = account.profile
  const { rail } = methodOf({ method })
  if (wayOf(draft.context.institution, account, rail) === null) return { reason: 'PROVIDER_ABSENT', rail }
  const today = dateIn(timeZone, draft.context.nowMs)
  const startOn = command.startOn ?? today
  if (startOn < today) return { reason: 'START_IN_THE_PAST' }
  if (daysBetween(today, startOn) > startDaysMax) return { reason: 'START_TOO_FAR', days: startDaysMax }
  const payer = payerOf(draft, command)
  if (payer === null) return { reason: 'REFERENCE_NOT_FOUND', field: 'customerId' }
  if (method === 'BOLETO' && payer.customer.document === null) return { reason: 'CUSTOMER_DOCUMENT_REQUIRED' }
  if (method === 'BOLETO' && plan.amountCents + plan.setupFeeCents > barCodeCentsMax)
    return { reason: 'AMOUNT_ABOVE_METHOD_LIMIT', limitCents: toCents(barCodeCentsMax) }
  const pixAutomatic = wantedMandate(command, plan, startOn > today)
  const refusal = pixAutomatic === null ? null : mandateRefusal(draft, plan, payer.customer)
  if (refusal !== null) return refusal
  const redeemed = redeem(draft, command, plan, payer.customerId)
  if ('reason' in redeemed) return redeemed
  usePlan(draft, plan)
  const subscription = addSubscription(draft, id, by, {
    planId: plan.id,
    plan: termsOf(plan),
    customerId: payer.customerId,
    customer: payer.customer,
    method,
    card,
    startOn,
    metadata: command.metadata,
    pixAutomatic,
    ...redeemed,
  })
  offerAlone(draft, subscription, by)
  if (startOn > today || subscription.trialEndsOn !== null) return null
  return billNext(draft, draft.find('subscription', id)!, by, command.idempotency ?? null)
}

/** The mandate that was requested: how its payer is asked follows from what is known of them, and from whether something is due now. */
const wantedMandate = (
  { pixAutomatic = null, idempotency }: CreateSubscription,
  { trialDays }: Plan,
  isLater: boolean,
): WantedMandate | null => {
  if (pixAutomatic === null) return null
  const { payerAccount } = pixAutomatic
  const byItself = isLater || trialDays > 0 ? 'QR' : 'QR_WITH_PAYMENT'
  const journey = pixAutomatic.journey ?? (payerAccount === null ? byItself : 'NOTIFICATION')
  return { journey, payerAccount, idempotency: idempotency ?? null }
}

/** Adds a subscription to the draft, before its first invoice. */
export const addSubscription = (
  draft: Draft,
  id: SubscriptionId,
  by: Initiator,
  begun: Omit<NewSubscription, 'accountId' | 'status' | 'timeZone' | 'trialEndsOn' | 'period'>,
): Subscription => {
  const account = draft.account()
  const { timeZone } = account.profile
  const { plan, startOn } = begun
  const isLater = startOn > dateIn(timeZone, draft.context.nowMs)
  const trialEndsOn = plan.trialDays > 0 ? addDays(startOn, plan.trialDays) : null
  draft.add({
    type: 'SubscriptionCreated',
    by,
    subscription: {
      accountId: account.id,
      status: isLater ? 'SCHEDULED' : trialEndsOn === null ? 'PENDING' : 'TRIALING',
      timeZone,
      trialEndsOn,
      period: beforeFirst(plan, startOn, trialEndsOn),
      ...begun,
    },
    ...factOf(draft, 'subscription', id),
  })
  return draft.find('subscription', id)!
}

/** The unpaid time before the first cycle: the trial, or a placeholder until the first cycle begins. */
const beforeFirst = (
  plan: PlanTerms,
  startOn: CalendarDate,
  trialEndsOn: CalendarDate | null,
): BillingPeriod => ({
  number: -1,
  anchorOn: trialEndsOn ?? startOn,
  start: startOn,
  end: trialEndsOn ?? periodAt(startOn, plan, 0).end,
  valueCents: toCents(0),
  invoiceId: null,
})

/** The customer is always registered (decisions, section 8): found by id or document, or registered now. */
export const payerOf = (
  draft: Draft,
  { customerId, customer }: Pick<CreateSubscription, 'customerId' | 'customer'>,
): { readonly customerId: CustomerId; readonly customer: Customer } | null => {
  if (customerId !== null) {
    const entry = draft.find('customer', customerId)
    return entry === undefined ? null : { customerId, customer: entry.customer }
  }
  const described = customer!
  const known = described.document === null ? undefined : draft.lookupId('customer', described.document)
  if (known !== undefined) return { customerId: known, customer: described }
  const id = contextId(draft.context, 'cus')
  draft.add(registerCustomer(draft, id, { customer: described, externalId: null, metadata: {} }))
  return { customerId: id, customer: described }
}

/** Commands of an account never interleave, so the last redemption goes to one subscription only. */
const redeem = (
  draft: Draft,
  { couponCode, subscriptionId }: CreateSubscription,
  plan: Plan,
  customerId: CustomerId,
): Pick<Subscription, 'couponId' | 'discount' | 'discountCyclesLeft'> | Rejection => {
  if (couponCode === null) return { couponId: null, discount: null, discountCyclesLeft: null }
  const coupon = draft.lookup('coupon', couponCode.toUpperCase()).at(-1)
  const { nowMs } = draft.context
  const redemptionsByCustomer = coupon === undefined ? 0 : redemptionsOf(coupon.id, customerId, draft.lookup)
  const use = { planId: plan.id, amountCents: plan.amountCents, redemptionsByCustomer, nowMs }
  const why = couponRefusal(coupon, use)
  if (why !== null) return { reason: 'COUPON_INVALID', why }
  const { id, percentBps, amountOffCents, cycles } = coupon!
  draft.add({ type: 'CouponRedeemed', redeemedBy: subscriptionId, ...factOf(draft, 'coupon', id) })
  return { couponId: id, discount: { percentBps, amountOffCents, cycles }, discountCyclesLeft: cycles }
}
