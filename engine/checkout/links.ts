import type { Decider } from '../kernel/decider.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { isByCard } from '../payments/methods/card/terms.ts'
import { differing } from '../shared/differing.ts'
import { environmentOf } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'
import type { CreateLink, EditLink, PayLink } from './commands.ts'
import { isHeldByOthers, linkStatusAt, type PaymentLink } from './link.ts'
import { insecureUrl } from './offer.ts'
import { pay } from './pay.ts'
import { open, priceOffer } from './sessions.ts'

/** Creates a link. */
export const createLink: Decider<CreateLink> = (draft, { paymentLinkId: id, link }) => {
  const isOfPlan = link.offer.mode === 'SUBSCRIPTION'
  const amountCents = link.price.mode === 'FIXED' ? link.price.amountCents : link.price.minCents
  const priced = priceOffer(draft, { offer: link.offer, amountCents })
  if ('reason' in priced) return priced
  const price = isOfPlan ? ({ mode: 'FIXED', amountCents: priced.amountCents } as const) : link.price
  const accountId = draft.account().id
  draft.add({
    type: 'LinkCreated',
    link: { accountId, ...link, offer: priced.offer, price },
    ...factOf(draft, 'paymentLink', id),
  })
  return null
}

/** Changes a link. What payers were promised never changes once one has opened a page. */
export const editLink: Decider<EditLink> = (draft, { paymentLinkId: id, changes }) => {
  const link = draft.find('paymentLink', id)
  if (link === undefined) return { reason: 'NOT_FOUND', resource: 'payment_link' }
  const { offer = {}, ...others } = changes
  const [ofLink, ofOffer] = [differing<PaymentLink>(link, others), differing(link.offer, offer)]
  // The plan decides what is due.
  const isPriceFixed = link.isUsed || link.offer.mode === 'SUBSCRIPTION'
  if (isPriceFixed && ofLink.price !== undefined) return { reason: 'LINK_IN_USE', field: 'amount' }
  const isProduction = environmentOf(link.accountId) === 'PRODUCTION'
  const insecure = isProduction ? insecureUrl({ successUrl: offer.successUrl ?? null }) : null
  if (insecure !== null) return { reason: 'INSECURE_URL', field: insecure }
  const { paymentsCount } = link
  if (changes.maxPayments != null && changes.maxPayments < paymentsCount)
    return { reason: 'MAX_PAYMENTS_BELOW_COUNT', paymentsCount }
  const differences = { ...ofLink, ...(Object.keys(ofOffer).length > 0 && { offer: ofOffer }) }
  if (Object.keys(differences).length > 0)
    draft.add({ type: 'LinkChanged', changes: differences, ...factOf(draft, 'paymentLink', id) })
  return null
}

/** A payer pays at a link: opens a session of the link's offer, and makes its first charge, in one entry. */
export const payLink: Decider<PayLink> = (draft, command) => {
  const { linkId, checkoutSessionId: id, tokenHash, quantity, couponCode, payment, by } = command
  const link = draft.find('paymentLink', linkId)
  if (link === undefined) return { reason: 'NOT_FOUND', resource: 'payment_link' }
  if (draft.find('checkoutSession', id) !== undefined) return null
  const status = linkStatusAt(link, draft.context.nowMs)
  if (status !== 'ACTIVE') return { reason: 'LINK_CLOSED', status }
  if (isHeldByOthers(link, null)) return { reason: 'LINK_BUSY' }
  if (couponCode !== null && !link.offer.allowsCoupons) return { reason: 'COUPONS_NOT_TAKEN' }
  const amountCents = amountFor(link, command)
  if (typeof amountCents === 'object') return amountCents
  const { offer, externalIdPrefix } = link
  const items = offer.items.map((item) => ({ ...item, quantity: item.quantity * quantity }))
  const opened = {
    linkId,
    offer: { ...offer, items },
    amountCents,
    customer: null,
    customerId: null,
    customValues: {},
    externalId: externalIdPrefix === null ? null : `${externalIdPrefix}${id.slice(-12)}`,
    expiresAtMs: draft.context.nowMs + sessionMs,
    tokenHash,
  }
  if (!link.isUsed) draft.add({ type: 'LinkUsed', ...factOf(draft, 'paymentLink', linkId) })
  return open(draft, id, opened, couponCode) ?? pay(draft, id, payment, by)
}

/** How long a page that was opened from a link can be paid. */
const sessionMs = 24 * 3_600_000

const cardFromCents = toCents(1000)

const amountFor = (link: PaymentLink, { amountCents, quantity, payment }: PayLink): Cents | Rejection => {
  const { price } = link
  const { min, max } = link.quantity ?? { min: 1, max: 1 }
  if (quantity < min || quantity > max) return { reason: 'QUANTITY_NOT_OFFERED', min, max }
  if (price.mode === 'FIXED') return toCents(price.amountCents * quantity)
  const { minCents, maxCents } = price
  if (amountCents === null || amountCents < minCents || amountCents > maxCents)
    return { reason: 'AMOUNT_NOT_OFFERED', minCents, maxCents }
  if (isByCard(payment.method) && amountCents < cardFromCents)
    return { reason: 'CARD_AMOUNT_TOO_SMALL', minCents: cardFromCents }
  return amountCents
}
