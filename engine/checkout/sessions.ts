import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { isByCard } from '../payments/methods/card/terms.ts'
import { type CheckoutSessionId, environmentOf } from '../shared/ids.ts'
import type { DiscountSession, ExpireSession, LapseSession, OpenSession, ProlongSession } from './commands.ts'
import { discountFor } from './coupon.ts'
import { insecureUrl, type Offer } from './offer.ts'
import { endLiveTry, makeRoom } from './pay.ts'
import {
  type CheckoutSession,
  isPayableSession,
  liveTry,
  type NewSession,
  prolongedUntilMs,
} from './session.ts'
import { offerOfPlan, type PricedOffer } from './subscribing.ts'

/** Opens a session for a payer whom the merchant sends to its page. */
export const openCheckoutSession: Decider<OpenSession> = (draft, command) => {
  const { checkoutSessionId, session, lifeMs, couponCode } = command
  const expiresAtMs = draft.context.nowMs + lifeMs
  return open(draft, checkoutSessionId, { ...session, linkId: null, expiresAtMs }, couponCode)
}

/** Opens a session, of a link or of the merchant. */
export const open = (
  draft: Draft,
  id: CheckoutSessionId,
  session: Omit<NewSession, 'accountId' | 'discount'>,
  couponCode: string | null,
): Rejection | null => {
  const { customerId } = session
  if (customerId !== null && draft.find('customer', customerId) === undefined)
    return { reason: 'REFERENCE_NOT_FOUND', field: 'customerId' }
  const priced = priceOffer(draft, session)
  if ('reason' in priced) return priced
  const opened = { ...session, ...priced }
  const discount = couponCode === null ? null : discountFor(draft, couponCode, opened)
  if (discount !== null && 'reason' in discount) return discount
  const accountId = draft.account().id
  draft.add({
    type: 'SessionOpened',
    session: { accountId, ...opened, discount },
    ...factOf(draft, 'checkoutSession', id),
  })
  return null
}

/** An offer with its price, which a plan decides; or why the offer cannot be made. What a link has promised is not decided anew. */
export const priceOffer = (draft: Draft, { offer, amountCents }: PricedOffer): PricedOffer | Rejection => {
  const refused = offerRefusal(draft, offer)
  if (refused !== null) return refused
  const isPriced = offer.mode === 'PAYMENT' || offer.plan !== undefined
  return isPriced ? { offer, amountCents } : offerOfPlan(draft, offer)
}

/** Why an offer cannot be made: a rule that is not there, or an address that payers would be sent to without TLS. */
const offerRefusal = (draft: Draft, offer: Offer): Rejection | null => {
  if (!draft.context.institution.hasPages) return { reason: 'PAGES_NOT_SET_UP' }
  if (offer.splitRuleId !== null && draft.find('splitRule', offer.splitRuleId) === undefined)
    return { reason: 'REFERENCE_NOT_FOUND', field: 'splitRuleId' }
  const isProduction = environmentOf(draft.account().id) === 'PRODUCTION'
  const field = isProduction ? insecureUrl(offer) : null
  return field === null ? null : { reason: 'INSECURE_URL', field }
}

/** The payer uses a coupon, another one, or none any more. A charge with the price of before is cancelled first. */
export const discountSession: Decider<DiscountSession> = (draft, { checkoutSessionId, couponCode, by }) => {
  const session = draft.find('checkoutSession', checkoutSessionId)
  if (session === undefined) return absent
  if (!isPayableSession(session)) return closed(session)
  if (!session.offer.allowsCoupons) return { reason: 'COUPONS_NOT_TAKEN' }
  const discount = couponCode === null ? null : discountFor(draft, couponCode, session)
  if (discount !== null && 'reason' in discount) return discount
  const refusal = makeRoom(draft, session, by)
  if (refusal !== null) return refusal
  draft.add({ type: 'SessionDiscounted', discount, ...factOf(draft, 'checkoutSession', checkoutSessionId) })
  return null
}

/** The merchant ends a session. A charge that cannot be cancelled any more decides whether it was paid. */
export const expireSession: Decider<ExpireSession> = (draft, { checkoutSessionId, by }) => {
  const session = draft.find('checkoutSession', checkoutSessionId)
  if (session === undefined) return absent
  if (!isPayableSession(session))
    return { reason: 'INVALID_STATE', currentStatus: session.status, allowedStatuses: ['OPEN', 'PROCESSING'] }
  finish(draft, session, by)
  return null
}

/** The time of a session is over. It does what is due, so it refuses nothing. */
export const lapseSession: Decider<LapseSession> = (draft, { checkoutSessionId, by }) => {
  const session = draft.find('checkoutSession', checkoutSessionId)
  if (session === undefined) return absent
  if (isOpen(session)) finish(draft, session, by)
  else draft.add({ type: 'SessionCleared', ...factOf(draft, 'checkoutSession', checkoutSessionId) })
  return null
}

/** The payer has more time, once; a code that was handed out keeps its own end. What is over stays over, also where a boleto can still be paid. */
export const prolongSession: Decider<ProlongSession> = (draft, { checkoutSessionId }) => {
  const session = draft.find('checkoutSession', checkoutSessionId)
  if (session === undefined) return absent
  if (!isPayableSession(session) || session.expiresAtMs <= draft.context.nowMs) return closed(session)
  const expiresAtMs = prolongedUntilMs(session)
  if (expiresAtMs !== null)
    draft.add({
      type: 'SessionProlonged',
      expiresAtMs,
      ...factOf(draft, 'checkoutSession', checkoutSessionId),
    })
  return null
}

const finish = (draft: Draft, session: CheckoutSession, by: ExpireSession['by']): void => {
  const { id } = session
  const refused = draft.attempt(() => endLiveTry(draft, session, by))
  // A bank that is called to cancel a charge decides whether it was paid.
  if (refused !== null || liveTry(draft.find('checkoutSession', id)!) !== null)
    draft.add({ type: 'SessionOver', ...factOf(draft, 'checkoutSession', id) })
  // The end of a charge after its time has ended the session already.
  else if (isOpen(draft.find('checkoutSession', id)!))
    draft.add({ type: 'SessionExpired', ...factOf(draft, 'checkoutSession', id) })
}

const isOpen = ({ status }: CheckoutSession): boolean => status === 'OPEN' || status === 'PROCESSING'

const closed = ({ status }: CheckoutSession): Rejection => ({
  reason: 'SESSION_CLOSED',
  status: status === 'COMPLETED' ? 'COMPLETED' : 'EXPIRED',
})

const absent = { reason: 'NOT_FOUND', resource: 'checkout_session' } as const

/** When the service does something to a session by itself: its time is over, or its payer's data are forgotten. */
export const sessionDueAtMs = (session: CheckoutSession): number | null => {
  const { status, isOver, expiresAtMs, customer, receiptEmail, customValues, updatedAtMs } = session
  switch (status) {
    case 'OPEN':
      return expiresAtMs
    case 'PROCESSING': {
      const method = liveTry(session)?.method
      // A boleto was handed out and a card is being decided: their own ends decide.
      return isOver || method === 'BOLETO' || isByCard(method) ? null : expiresAtMs
    }
    case 'EXPIRED': {
      const isKnown = customer !== null || receiptEmail !== null || Object.keys(customValues).length > 0
      return isKnown ? updatedAtMs + clearedAfterMs : null
    }
    case 'COMPLETED':
      return null
  }
}

/** What a payer typed leaves a session that was not paid after thirty days (checkout, section 5). */
const clearedAfterMs = 30 * 86_400_000
