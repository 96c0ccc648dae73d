import { planOf } from '../billing/catalog/decide-plan.ts'
import { billingMethods, type PlanTerms } from '../billing/catalog/plan.ts'
import { mandateOfferRefusal, offerForBeginning } from '../billing/mandate/offer.ts'
import { createPaidSubscription } from '../billing/subscription/create-paid.ts'
import { termsOf, usePlan } from '../billing/subscription/plan.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { cardOf } from '../payments/methods/card/card.ts'
import { executeOnTransaction } from '../payments/transaction/execute.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { SubscriptionId } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { releaseFor } from './coupon.ts'
import type { Offer } from './offer.ts'
import type { CheckoutSession } from './session.ts'

/** A card is verified by authorizing so much, which is given back at once, where nothing is due yet. */
export const verificationCents = toCents(100)

/** An offer with what is due when a payer accepts it. */
export type PricedOffer = { readonly offer: Offer; readonly amountCents: Cents }

/**
 * The offer of a plan, with a copy of its terms: what a page promises stands, whatever becomes of the plan. Nothing is due in a trial, so
 * only a card can begin one: no other method shows that a payer means it.
 */
export const offerOfPlan = (draft: Draft, asked: Offer): PricedOffer | Rejection => {
  const plan = asked.planId === null ? undefined : planOf(draft, asked.planId)
  if (plan === undefined) return { reason: 'REFERENCE_NOT_FOUND', field: 'planId' }
  if (!plan.active) return { reason: 'PLAN_INACTIVE' }
  const terms: PlanTerms = { ...termsOf(plan), trialDays: asked.trialDays ?? plan.trialDays }
  const hasTrial = terms.trialDays > 0
  const allowed = billingMethods.filter(
    (method) => plan.methods.includes(method) && (!hasTrial || method === 'CREDIT_CARD'),
  )
  const methods = allowed.filter((method) => asked.methods.includes(method))
  if (asked.pixAutomatic === true) {
    const refusal = mandateOfferRefusal(draft, plan)
    if (refusal !== null) return refusal
  }
  if (methods.length === 0) return { reason: 'METHOD_NOT_ACCEPTED', allowedMethods: allowed }
  return {
    offer: {
      ...asked,
      plan: terms,
      trialDays: terms.trialDays,
      methods,
      splitRuleId: terms.splitRuleId,
      description: asked.description ?? terms.name,
    },
    amountCents: toCents(hasTrial ? 0 : terms.amountCents + terms.setupFeeCents),
  }
}

/** Why a plan can be subscribed to no more. The plan of a charge that can be paid is kept: its money begins a subscription. */
export const holdPlan = (draft: Draft, { offer: { planId } }: CheckoutSession): Rejection | null => {
  if (planId === null) return null
  const plan = planOf(draft, planId)
  if (plan === undefined || !plan.active) return { reason: 'PLAN_INACTIVE' }
  usePlan(draft, plan)
  return null
}

/** Begins the subscription that a page was paid for, or whose card was verified; null for a payment. */
export const subscribe = (
  draft: Draft,
  session: CheckoutSession,
  paidBy: Transaction,
  by: Initiator,
): SubscriptionId | null => {
  const { offer, discount, customerId, customer } = session
  const { planId, plan, metadata } = offer
  if (planId === null || plan === undefined) return null
  if (discount !== null) releaseFor(draft, session.id, discount)
  const card = cardOf(paidBy)
  return createPaidSubscription(
    draft,
    {
      planId,
      plan,
      customerId,
      customer,
      method: paidBy.method as (typeof billingMethods)[number],
      card: card && {
        token: card.token,
        tokenFingerprint: card.tokenFingerprint,
        brand: card.brand,
        last4: card.last4,
        bin: card.bin,
        holderName: card.holderName,
      },
      couponId: discount?.couponId ?? null,
      metadata,
      mandateId: session.tries.at(-1)?.mandateId ?? null,
      paidBy: isVerification(session) ? null : paidBy,
    },
    by,
  )
}

/**
 * Offers a mandate by the code of a PIX that begins a subscription (rails, section 4, journey 3): it belongs to the charge, ends with it, and is taken over by the
 * subscription that its payment begins.
 */
export const offerWithFirstPayment = (
  draft: Draft,
  { id, offer, customer: typed, customerId, discount, tries }: CheckoutSession,
  transaction: Transaction,
  isAwaited: boolean,
  by: Initiator,
): void => {
  const { planId, plan, pixAutomatic } = offer
  if (planId === null || plan === undefined || pixAutomatic === false || transaction.method !== 'PIX') return
  const customer = customerId === null ? typed : (draft.find('customer', customerId)?.customer ?? null)
  if (customer === null) return
  const beginning = { plan, planId, customer, hasDiscount: discount !== null, isAwaited }
  const mandate = offerForBeginning(draft, beginning, transaction, by)
  if (mandate === null) return
  const { number } = tries.at(-1)!
  const at = factOf(draft, 'checkoutSession', id)
  draft.add({ type: 'SessionMandateOffered', number, mandateId: mandate.id, ...at })
}

/** Whether the card of the charge made last is only verified. */
export const isVerification = ({ tries }: Pick<CheckoutSession, 'tries'>): boolean =>
  tries.at(-1)?.totalCents === 0

/** Gives back what was authorized to verify a card. */
export const giveBack = (
  draft: Draft,
  { id: transactionId, accountId }: Transaction,
  by: Initiator,
): void => {
  const transaction = draft.find('transaction', transactionId)!
  const command = { type: 'CancelCharge', accountId, by, transactionId, family: null, reason: null } as const
  executeOnTransaction(draft, transaction, command)
}
