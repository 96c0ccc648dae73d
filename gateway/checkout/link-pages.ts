import { linkStatusAt, type PaymentLink } from '../../engine/checkout/link.ts'
import type { LinkPage } from '../../engine/checkout/queries.ts'
import type { Rejection } from '../../engine/kernel/registry.ts'
import { environmentOf, newId } from '../../engine/shared/ids.ts'
import { sealedCard } from '../routes/payments/cards/create-payment.ts'
import type { HttpResponse } from '../wire/transport.ts'
import { type Checkout, companyOf, isOwnForm, strangerResponse, type Visit } from './checkout.ts'
import { pageResponse, seeOther } from './headers.ts'
import { logoResponse } from './logo.ts'
import { openMethods } from './open-methods.ts'
import { linkPage } from './pages/choose.ts'
import { type ClosedKind, closedPage } from './pages/closed.ts'
import { mailLanguageOf, type Shown, takenMethods } from './pages/shown.ts'
import { emptyForm, type FormState } from './pages/typed.ts'
import { readForm, readOrder, readPayment } from './read-form.ts'
import { pageFraming, shownTo } from './shown-to.ts'
import { reais } from './texts/texts.ts'
import { showsWork } from './work.ts'

/** Answers a request for a link's page. A GET makes nothing: programs that preview links, and search engines, look at them too. */
export const answerLink = async (checkout: Checkout, visit: Visit): Promise<HttpResponse | null> => {
  const { accountId, token, request, action } = visit
  const { router, tokens } = checkout
  const found = await router.query({
    type: 'FindPage',
    accountId,
    kind: 'paymentLink',
    hash: tokens.hashOf(token),
  })
  const { company, isOpen } = companyOf(checkout, accountId)
  if (found === null || company === null) return null
  const { link, defence, nowMs } = found as LinkPage
  const shown = shownTo(checkout, visit, company, { kind: 'l', offer: link.offer, defence, nowMs })
  const { verb } = request
  if (verb === 'GET' && action === 'logo') return logoResponse(company.logo)
  const status = linkStatusAt(link, nowMs)
  if (!isOpen) return closed(checkout, shown, link, 'INACTIVE')
  if (status !== 'ACTIVE') return closed(checkout, shown, link, status)
  const methods = openMethods(link.offer, company, environmentOf(accountId))
  const offered = { ...link, offer: { ...link.offer, methods } }
  if (verb === 'POST' && action === 'pay') return pay(checkout, visit, shown, offered)
  if (verb !== 'GET' && verb !== 'HEAD') return null
  if (action === 'pay') return seeOther(shown.path + shown.query)
  return action === '' ? show(checkout, shown, offered, emptyForm, null) : null
}

const show = (
  checkout: Checkout,
  shown: Shown,
  link: PaymentLink,
  form: FormState,
  notice: string | null,
  status = 200,
): HttpResponse =>
  pageResponse(
    status,
    linkPage(shown, link, checkout.nonces.ofLink(link.id, checkout.realNow()), form, notice),
    pageFraming(checkout, link.offer),
  )

const closed = (
  checkout: Checkout,
  shown: Shown,
  link: PaymentLink,
  status: 'INACTIVE' | 'EXPIRED' | 'EXHAUSTED',
): HttpResponse =>
  pageResponse(200, closedPage(shown, closedKinds[status], null), pageFraming(checkout, link.offer))

const closedKinds = {
  INACTIVE: 'inactive',
  EXPIRED: 'linkExpired',
  EXHAUSTED: 'exhausted',
} as const satisfies Readonly<Record<string, ClosedKind>>

/** A payer presses pay: a session is opened and its charge made, and the payer goes to the session's page. */
const pay = async (
  checkout: Checkout,
  visit: Visit,
  shown: Shown,
  link: PaymentLink,
): Promise<HttpResponse> => {
  const { request, accountId } = visit
  const { nonces, router, tokens, cardTokens, entropy, realNow } = checkout
  const typed = readForm(request.body)
  const { nonce = '', work = '' } = typed
  const checkoutSessionId = nonces.readLink(link.id, nonce, realNow())
  const isWorkDone = shown.workBits === null || showsWork(nonce, work)
  if (!isOwnForm(checkout, request) || checkoutSessionId === null || !isWorkDone)
    return strangerResponse(403, request, 'oldPage', shown.path + shown.query)
  const { texts } = shown
  const order = readOrder(typed, link, texts)
  const read = readPayment(typed, {
    offer: link.offer,
    methods: takenMethods(shown, link.offer.methods),
    price: order.ok ? order.price : null,
    isKnown: false,
    texts,
  })
  if (!order.ok || !read.ok) {
    const errors = { ...(order.ok ? {} : order.errors), ...(read.ok ? {} : read.errors) }
    return show(checkout, shown, link, { typed, errors }, null, 422)
  }
  const { card } = read.payment
  const token = tokens.tokenOf(accountId, checkoutSessionId)
  const reply = await router.execute({
    type: 'PayLink',
    accountId,
    by: { kind: 'PAYER', id: null },
    linkId: link.id,
    checkoutSessionId,
    tokenHash: tokens.hashOf(token),
    amountCents: order.amountCents,
    quantity: order.quantity,
    couponCode: link.offer.allowsCoupons && typed.coupon ? typed.coupon : null,
    payment: {
      ...read.payment,
      language: mailLanguageOf(shown),
      card: card && sealedCard(card, { accountId, cardTokens }),
      trier: card && checkout.trierOf(request.remoteAddress, card.bin, realNow()),
      transactionId: newId('txn', shown.nowMs, entropy),
    },
  })
  return reply.accepted
    ? seeOther(`/c/${token}${shown.query}`)
    : refused(checkout, shown, link, typed, reply.rejection)
}

const refused = (
  checkout: Checkout,
  shown: Shown,
  link: PaymentLink,
  typed: FormState['typed'],
  rejection: Rejection,
): HttpResponse => {
  const { errors, notices } = shown.texts
  const withError = (field: string, error: string) =>
    show(checkout, shown, link, { typed, errors: { [field]: error } }, null, 422)
  switch (rejection.reason) {
    case 'LINK_CLOSED':
      return closed(checkout, shown, link, rejection.status)
    case 'LINK_BUSY':
      return show(checkout, shown, link, { typed, errors: {} }, notices.busy, 409)
    case 'PLAN_INACTIVE':
      return pageResponse(409, closedPage(shown, 'planGone', null))
    case 'SESSION_METHOD_NOT_OFFERED':
      return withError('method', shown.texts.plan.cardOnly)
    case 'COUPON_INVALID':
    case 'NOTHING_TO_PAY':
      return withError('coupon', errors.coupon)
    case 'CARD_NOT_AUTHENTICATED':
      return withError('card', shown.texts.card.notAuthenticated)
    case 'CARD_AMOUNT_TOO_SMALL':
      return withError('amount', errors.cardFrom(reais(rejection.minCents)))
    case 'AMOUNT_NOT_OFFERED':
      return withError('amount', errors.amount(reais(rejection.minCents), reais(rejection.maxCents)))
    case 'QUANTITY_NOT_OFFERED':
      return withError('quantity', errors.quantity(rejection.min, rejection.max))
    default:
      return show(checkout, shown, link, { typed, errors: {} }, notices.failed, 409)
  }
}
