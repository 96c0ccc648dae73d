import { stopMandate } from '../billing/mandate/offer.ts'
import { linkCustomer } from '../customers/link.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { plainTerms } from '../payments/methods/boleto/boleto.ts'
import type { CreateCharge } from '../payments/transaction/commands.ts'
import { createTransaction } from '../payments/transaction/create.ts'
import { noDetails } from '../payments/transaction/details.ts'
import { executeOnTransaction } from '../payments/transaction/execute.ts'
import { addDays, dateIn } from '../shared/calendar.ts'
import type { Customer } from '../shared/customer.ts'
import type { CheckoutSessionId } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import type { LeaveTry, Payment, PaySession } from './commands.ts'
import { redeemFor, releaseFor } from './coupon.ts'
import { guardCard, wasAttacked } from './guarded.ts'
import { type InstallmentPlan, installmentPlans } from './installments.ts'
import { isHeldByOthers, linkStatusAt } from './link.ts'
import {
  type CheckoutSession,
  isPayableSession,
  liveTry,
  methodsOf,
  priceCents,
  type Try,
} from './session.ts'
import { holdPlan, verificationCents } from './subscribing.ts'

/** A session makes at most so many charges (checkout, sections 2 and 5). */
const triesMax = 10

/** Makes a charge for a session. One by another method that could still be paid is cancelled first. */
export const paySession: Decider<PaySession> = (draft, command) => {
  const { checkoutSessionId, version, payment, by } = command
  const session = draft.find('checkoutSession', checkoutSessionId)
  if (session === undefined) return { reason: 'NOT_FOUND', resource: 'checkout_session' }
  if (session.version !== version) return { reason: 'PAGE_OUTDATED' }
  return pay(draft, session.id, payment, by)
}

/** Cancels the charge that waits, so that the payer can choose again. */
export const leaveTry: Decider<LeaveTry> = (draft, { checkoutSessionId, by }) => {
  const session = draft.find('checkoutSession', checkoutSessionId)
  if (session === undefined) return { reason: 'NOT_FOUND', resource: 'checkout_session' }
  return endLiveTry(draft, session, by)
}

/** Makes a charge for a session that is in the draft. */
export const pay = (
  draft: Draft,
  id: CheckoutSessionId,
  payment: Payment,
  by: Initiator,
): Rejection | null => {
  const before = draft.find('checkoutSession', id)!
  const refusal =
    closedRefusal(before) ??
    methodRefusal(before, payment) ??
    subscriberRefusal(before, payment) ??
    holdPlan(draft, before) ??
    makeRoom(draft, before, by)
  if (refusal !== null) return refusal
  const session = draft.find('checkoutSession', id)!
  if (session.tries.length >= triesMax) return { reason: 'TOO_MANY_TRIES' }
  const plan = planFor(session, payment)
  if (plan === null) return { reason: 'INSTALLMENTS_NOT_OFFERED' }
  const limit = payment.card === null ? null : guardCard(draft, session, payment.trier!)
  if (limit !== null) {
    // The payer gets the answer of a declined card: that we refused it, a tester must not learn.
    draft.add({ type: 'CardBlocked', limit, ...factOf(draft, 'checkoutSession', id) })
    return null
  }
  if (!isAuthenticated(draft, session, payment)) return { reason: 'CARD_NOT_AUTHENTICATED' }
  const held = holdLink(draft, session)
  if (held !== null) return held
  const customer = payerOf(session, payment.customer)
  const linked = linkCustomer(draft, { customer, customerId: session.customerId })
  if (!linked.ok) return linked.rejection
  const { customerId } = linked.payer
  const { discount } = session
  const redeemed = discount && redeemFor(draft, id, discount, { ...session, customerId })
  if (redeemed !== null) return redeemed
  draft.add({
    type: 'TryStarted',
    started: {
      number: session.tries.length + 1,
      method: payment.method,
      transactionId: payment.transactionId,
      installments: plan.installments,
      totalCents: plan.totalCents,
      interestCents: plan.interestCents,
    },
    customer,
    customerId: session.customerId,
    receiptEmail: payment.receiptEmail ?? session.receiptEmail,
    language: payment.language,
    customValues: { ...session.customValues, ...payment.customValues },
    ...factOf(draft, 'checkoutSession', id),
  })
  return createTransaction(draft, chargeOf(draft, session, payment, plan, customer, by))
}

const chargeOf = (
  draft: Draft,
  session: CheckoutSession,
  payment: Payment,
  plan: InstallmentPlan,
  customer: Customer | null,
  by: Initiator,
): CreateCharge => {
  const { accountId, linkId, offer, customerId, externalId } = session
  const { description, reference, metadata, splitRuleId } = offer
  const { interestCents, totalCents } = plan
  const isFree = totalCents === 0
  return {
    type: 'CreateCharge',
    accountId,
    by,
    transactionId: payment.transactionId,
    origin: linkId === null ? 'CHECKOUT' : 'LINK',
    amountCents: isFree ? verificationCents : totalCents,
    details: {
      ...noDetails,
      description,
      reference,
      externalId,
      metadata,
      checkout: { sessionId: session.id, linkId, interestCents },
    },
    customer: customerId === null ? customer : null,
    customerId,
    collects: null,
    splitRuleId: isFree ? null : splitRuleId,
    // Who subscribes is registered with the subscription, and not before.
    ...(offer.mode !== 'PAYMENT' && { registersPayer: false }),
    terms: termsOf(draft, session, payment, plan),
  }
}

const termsOf = (
  draft: Draft,
  { offer, expiresAtMs }: CheckoutSession,
  { method, card, crypto }: Payment,
  { installments, totalCents }: InstallmentPlan,
): CreateCharge['terms'] => {
  const { nowMs } = draft.context
  const secondsLeft = Math.max(60, Math.floor((expiresAtMs - nowMs) / 1000))
  switch (method) {
    case 'PIX':
      return { method, expiresInSeconds: Math.min(offer.pixExpiresInSeconds, secondsLeft), due: null }
    case 'BOLETO': {
      const today = dateIn(draft.account().profile.timeZone, nowMs)
      return { method, dueDate: addDays(today, offer.boletoDueDays), withPix: true, ...plainTerms }
    }
    case 'DEBIT_CARD':
      return { method, installments: 1, captures: true, card: card! }
    case 'CREDIT_CARD':
      return { method, installments, captures: offer.captures && totalCents > 0, card: card! }
    case 'CRYPTO':
      return {
        method,
        ...crypto!,
        isPricedInAsset: false,
        expiresInSeconds: Math.min(offer.pixExpiresInSeconds, Math.max(300, secondsLeft)),
      }
  }
}

/** What the merchant said of the payer is not asked, and what the page hides is not taken. */
const payerOf = ({ customer, offer }: CheckoutSession, typed: Customer | null): Customer | null => {
  if (customer === null || typed === null) return customer ?? typed
  const { collect } = offer
  return {
    name: customer.name || typed.name,
    document: customer.document ?? typed.document,
    documentType: customer.document === null ? typed.documentType : customer.documentType,
    email: customer.email ?? typed.email,
    phone: customer.phone ?? typed.phone,
    address: customer.address ?? (collect.address === 'HIDDEN' ? null : typed.address),
  }
}

/** Why a session cannot be paid any more. */
const closedRefusal = (session: CheckoutSession): Rejection | null => {
  if (isPayableSession(session)) return null
  return { reason: 'SESSION_CLOSED', status: session.status === 'COMPLETED' ? 'COMPLETED' : 'EXPIRED' }
}

const methodRefusal = (session: CheckoutSession, { method }: Payment): Rejection | null => {
  const allowed = methodsOf(session)
  return allowed.includes(method) ? null : { reason: 'SESSION_METHOD_NOT_OFFERED', allowed }
}

/** A subscription has a customer, whom the merchant has named or the payer names. */
const subscriberRefusal = (
  { offer, customer, customerId }: CheckoutSession,
  payment: Payment,
): Rejection | null =>
  offer.mode === 'PAYMENT' || (customerId ?? customer ?? payment.customer) !== null
    ? null
    : { reason: 'REFERENCE_NOT_FOUND', field: 'customer' }

/**
 * Whether a card may be tried as its bank has answered. A bank that says no is believed; one that could not be asked is enough, unless the
 * merchant wants an answer, the link was attacked before, or it is a debit card, which banks take without their holder's answer nowhere.
 */
const isAuthenticated = (
  draft: Draft,
  { offer, linkId }: CheckoutSession,
  { card, method }: Payment,
): boolean => {
  const asks = method === 'DEBIT_CARD' ? 'REQUIRED' : offer.threeDSecure
  if (card === null || asks === 'OFF') return true
  const status = card.threeDSecure?.status ?? 'UNAVAILABLE'
  if (status === 'AUTHENTICATED' || status === 'ATTEMPTED') return true
  if (status === 'NOT_AUTHENTICATED' || asks === 'REQUIRED') return false
  return !wasAttacked(draft, linkId)
}

const planFor = (session: CheckoutSession, { method, installments }: Payment): InstallmentPlan | null => {
  const { max } = session.offer.installments
  const terms = { ...session.offer.installments, max: method === 'CREDIT_CARD' ? max : 1 }
  return (
    installmentPlans(priceCents(session), terms).find((plan) => plan.installments === installments) ?? null
  )
}

/** Takes a place of a link with a limited number of payments. */
const holdLink = (draft: Draft, { id, linkId }: CheckoutSession): Rejection | null => {
  if (linkId === null) return null
  const link = draft.find('paymentLink', linkId)!
  const status = linkStatusAt(link, draft.context.nowMs)
  // Who has a page already may pay until the page's own time is over, but for a link that is sold out.
  if (status === 'EXHAUSTED') return { reason: 'LINK_CLOSED', status }
  if (isHeldByOthers(link, id)) return { reason: 'LINK_BUSY' }
  if (link.maxPayments !== null && !link.holds.includes(id))
    draft.add({ type: 'LinkHeld', sessionId: id, ...factOf(draft, 'paymentLink', linkId) })
  return null
}

/**
 * Ends the charge that could still be paid, so that never two can. Refused where its money may be on the way, or its rail cannot cancel it
 * yet.
 */
export const endLiveTry = (draft: Draft, session: CheckoutSession, by: Initiator): Rejection | null => {
  const live = liveTry(session)
  if (live === null) return null
  const transaction = draft.find('transaction', live.transactionId)!
  const { method } = live
  if (transaction.status !== 'PENDING') return { reason: 'PAYMENT_UNDER_WAY', method, untilMs: null }
  const untilMs = heldUntilMs(live)
  if (untilMs !== null && untilMs > draft.context.nowMs)
    return { reason: 'PAYMENT_UNDER_WAY', method, untilMs }
  const { accountId, transactionId } = { ...live, accountId: session.accountId }
  const command = { type: 'CancelCharge', accountId, by, transactionId, family: null, reason: null } as const
  const refused = executeOnTransaction(draft, transaction, command)
  return refused === null ? null : { reason: 'PAYMENT_UNDER_WAY', method, untilMs: null }
}

/** A boleto cannot be cancelled before its bank has registered it (rails, R27). */
const heldUntilMs = ({ method, startedAtMs }: Try): number | null =>
  method === 'BOLETO' ? startedAtMs + boletoHeldMs : null

const boletoHeldMs = 30 * 60_000

/** Ends the charge that could still be paid, before there is another one or another price. A bank has to say first that it was not paid. */
export const makeRoom = (draft: Draft, session: CheckoutSession, by: Initiator): Rejection | null => {
  const refusal = endLiveTry(draft, session, by)
  if (refusal !== null) return refusal
  const live = liveTry(draft.find('checkoutSession', session.id)!)
  return live === null ? null : { reason: 'PAYMENT_UNDER_WAY', method: live.method, untilMs: null }
}

/** Ends a try of a session: its coupon and its place at a link are free again, and the mandate that its code offered ends with it. */
export const endTry = (draft: Draft, id: CheckoutSessionId, one: Try, reason: Try['failureReason']): void => {
  if (one.mandateId !== undefined) stopMandate(draft, one.mandateId)
  const { discount, linkId } = draft.find('checkoutSession', id)!
  draft.add({
    type: 'TryEnded',
    number: one.number,
    failureReason: reason,
    ...factOf(draft, 'checkoutSession', id),
  })
  if (discount !== null) releaseFor(draft, id, discount)
  if (linkId !== null && draft.find('paymentLink', linkId)!.holds.includes(id))
    draft.add({ type: 'LinkReleased', sessionId: id, ...factOf(draft, 'paymentLink', linkId) })
}
