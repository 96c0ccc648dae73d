import type { SessionPage } from '../../engine/checkout/queries.ts'
import { methodsOf, priceCents } from '../../engine/checkout/session.ts'
import { isVerification } from '../../engine/checkout/subscribing.ts'
import type { Rejection } from '../../engine/kernel/registry.ts'
import { environmentOf, newId } from '../../engine/shared/ids.ts'
import { boletoPdf } from '../documents/boleto/document.ts'
import { checkoutReceipt } from '../resources/checkout/receipt.ts'
import { boletoDocumentOf } from '../resources/payments/boleto-document.ts'
import { sealedCard } from '../routes/payments/cards/create-payment.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { byPayer, type Checkout, companyOf, isOwnForm, strangerResponse, type Visit } from './checkout.ts'
import { pageResponse, pdfResponse, seeOther } from './headers.ts'
import { logoResponse } from './logo.ts'
import { openMethods } from './open-methods.ts'
import { closedPage } from './pages/closed.ts'
import { secondsLeft } from './pages/countdown.ts'
import { timeGiven } from './pages/more-time.ts'
import { mailLanguageOf, type Shown, takenMethods } from './pages/shown.ts'
import { emptyForm, type FormState } from './pages/typed.ts'
import { shownVersion } from './pages/waiting.ts'
import { readForm, readPayment } from './read-form.ts'
import { sessionPageAt, showSession } from './show-session.ts'
import { shownTo } from './shown-to.ts'
import { instantIn } from './texts/texts.ts'
import { showsWork } from './work.ts'

/** Answers a request for a session's page, or what belongs to it. Null where there is no such page. */
export const answerSession = async (checkout: Checkout, visit: Visit): Promise<HttpResponse | null> => {
  const { action, request } = visit
  const page = await sessionPageAt(checkout, visit)
  const { company } = companyOf(checkout, visit.accountId)
  if (page === null || company === null) return null
  const { defence, nowMs } = page
  const shown = shownTo(checkout, visit, company, { kind: 'c', offer: page.session.offer, defence, nowMs })
  if (request.verb === 'POST') return answerForm(checkout, visit, shown, page)
  if (request.verb !== 'GET' && request.verb !== 'HEAD') return null
  const { session, transaction } = page
  switch (action) {
    case '':
      return showSession(checkout, shown, page, emptyForm, null)
    case 'pay':
    case 'other':
    case 'coupon':
    case 'prolong':
      // The address of a form that was answered with its faults, loaded anew.
      return seeOther(shown.path + shown.query)
    case 'status':
      return statusResponse(page, request.headers['if-none-match'])
    case 'events': {
      const ask = async () => {
        const found = await sessionPageAt(checkout, visit)
        return found && statusOf(found)
      }
      return (
        checkout.live.stream(visit.token, ask) ?? {
          status: 204,
          headers: { 'Cache-Control': 'no-store' },
          body: null,
        }
      )
    }
    case 'logo':
      return logoResponse(company.logo)
    case 'boleto.pdf': {
      const environment = environmentOf(session.accountId)
      const document = transaction && boletoDocumentOf(transaction, { company, environment })
      return document && pdfResponse(await boletoPdf(document), `boleto-${document.ourNumber}.pdf`)
    }
    case 'recibo.pdf':
      return session.status === 'COMPLETED' && transaction !== null && !isVerification(session)
        ? pdfResponse(
            await checkoutReceipt(company, session, transaction, mailLanguageOf(shown)),
            `recibo-${transaction.id}.pdf`,
          )
        : null
    default:
      return null
  }
}

const answerForm = async (
  checkout: Checkout,
  visit: Visit,
  shown: Shown,
  page: SessionPage,
): Promise<HttpResponse | null> => {
  const { request, action } = visit
  const { session } = page
  const typed = readForm(request.body)
  const { nonce = '', work = '' } = typed
  const version = checkout.nonces.readSession(session.id, nonce)
  const isWorkDone = !page.defence.asksWork || showsWork(nonce, work)
  if (!isOwnForm(checkout, request) || version === null || !isWorkDone)
    return strangerResponse(403, request, 'oldPage', shown.path + shown.query)
  const target = { accountId: session.accountId, by: byPayer, checkoutSessionId: session.id } as const
  switch (action) {
    case 'pay':
      return pay(checkout, visit, shown, page, { typed, version })
    case 'other': {
      const reply = await checkout.router.execute({ type: 'LeaveTry', ...target })
      return reply.accepted
        ? seeOther(shown.path + shown.query)
        : refused(checkout, visit, shown, reply.rejection)
    }
    case 'coupon': {
      const couponCode = typed.coupon || null
      const reply = await checkout.router.execute({ type: 'DiscountSession', ...target, couponCode })
      if (reply.accepted) return seeOther(shown.path + shown.query)
      const { reason } = reply.rejection
      if (reason !== 'COUPON_INVALID' && reason !== 'NOTHING_TO_PAY')
        return refused(checkout, visit, shown, reply.rejection)
      return showSession(
        checkout,
        shown,
        page,
        { typed, errors: { coupon: shown.texts.errors.coupon } },
        null,
        422,
      )
    }
    case 'prolong': {
      const reply = await checkout.router.execute({ type: 'ProlongSession', ...target })
      if (!reply.accepted) return refused(checkout, visit, shown, reply.rejection)
      return prolonged(checkout, shown, (await sessionPageAt(checkout, visit))!, request, typed)
    }
    default:
      return null
  }
}

/** The page of before with more time, and what was typed into it; its script, which keeps a card as well, takes only what has changed. */
const prolonged = (
  checkout: Checkout,
  shown: Shown,
  page: SessionPage,
  { headers }: HttpRequest,
  typed: FormState['typed'],
): HttpResponse => {
  const { session, nowMs } = page
  const given = timeGiven({ ...shown, nowMs }, session)
  if (headers.accept !== 'application/json')
    return showSession(checkout, shown, page, { typed, errors: {} }, given)
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      nonce: checkout.nonces.ofSession(session.id, session.version),
      seconds: secondsLeft(nowMs, session.expiresAtMs),
      given,
    }),
  }
}

const pay = async (
  checkout: Checkout,
  visit: Visit,
  shown: Shown,
  page: SessionPage,
  { typed, version }: { readonly typed: FormState['typed']; readonly version: number },
): Promise<HttpResponse> => {
  const { session, nowMs } = page
  const { company, texts } = shown
  const read = readPayment(typed, {
    offer: session.offer,
    methods: takenMethods(
      shown,
      openMethods({ methods: methodsOf(session) }, company, environmentOf(session.accountId)),
    ),
    price: priceCents(session),
    isKnown: session.customer !== null,
    texts,
  })
  if (!read.ok) return showSession(checkout, shown, page, { typed, errors: read.errors }, null, 422)
  const { accountId } = session
  const { card } = read.payment
  const reply = await checkout.router.execute({
    type: 'PaySession',
    accountId,
    by: byPayer,
    checkoutSessionId: session.id,
    version,
    payment: {
      ...read.payment,
      language: mailLanguageOf(shown),
      card: card && sealedCard(card, { accountId, cardTokens: checkout.cardTokens }),
      trier: card && checkout.trierOf(visit.request.remoteAddress, card.bin, checkout.realNow()),
      transactionId: newId('txn', nowMs, checkout.entropy),
    },
  })
  if (reply.accepted) return seeOther(shown.path + shown.query)
  if (reply.rejection.reason !== 'COUPON_INVALID') return refused(checkout, visit, shown, reply.rejection)
  // The coupon was used up by others meanwhile: the payer sees the price without it before paying anything.
  const target = { accountId, by: byPayer, checkoutSessionId: session.id } as const
  await checkout.router.execute({ type: 'DiscountSession', ...target, couponCode: null })
  return refused(checkout, visit, shown, reply.rejection)
}

/** The page as it is after a refusal, with the reason in words. */
const refused = async (
  checkout: Checkout,
  visit: Visit,
  shown: Shown,
  rejection: Rejection,
): Promise<HttpResponse> => {
  const { notices, errors } = shown.texts
  const page = (await sessionPageAt(checkout, visit))!
  switch (rejection.reason) {
    // Another page of the payer's was quicker, or the time is over: the page itself says how it stands.
    case 'SESSION_CLOSED':
    case 'PAGE_OUTDATED':
      return seeOther(shown.path + shown.query)
    case 'PAYMENT_UNDER_WAY': {
      const { untilMs } = rejection
      const until = untilMs && instantIn(shown.language, shown.company.timeZone, untilMs)
      return showSession(
        checkout,
        shown,
        page,
        emptyForm,
        until === null || until === 0 ? notices.underWay : notices.boletoHeld(until),
        409,
      )
    }
    case 'CARD_NOT_AUTHENTICATED':
      return showSession(
        checkout,
        shown,
        page,
        { typed: readForm(visit.request.body), errors: { card: shown.texts.card.notAuthenticated } },
        null,
        422,
      )
    case 'TOO_MANY_TRIES':
      return showSession(checkout, shown, page, emptyForm, notices.tooManyTries, 409)
    case 'LINK_BUSY':
      return showSession(checkout, shown, page, emptyForm, notices.busy, 409)
    case 'LINK_CLOSED':
      return pageResponse(409, closedPage(shown, 'exhausted', page.session.offer.cancelUrl))
    case 'COUPON_INVALID':
      return showSession(checkout, shown, page, emptyForm, errors.couponUsedUp, 409)
    case 'PLAN_INACTIVE':
      return pageResponse(409, closedPage(shown, 'planGone', page.session.offer.cancelUrl))
    default:
      return showSession(checkout, shown, page, emptyForm, notices.failed, 409)
  }
}

const statusOf = (page: SessionPage) => {
  const { status } = page.session
  return { status, version: shownVersion(page), isFinal: status === 'COMPLETED' || status === 'EXPIRED' }
}

const statusResponse = (page: SessionPage, known: string | undefined): HttpResponse => {
  const { status, version } = statusOf(page)
  const etag = `"${version}"`
  const headers = { 'Cache-Control': 'no-cache', ETag: etag }
  if (known === etag) return { status: 304, headers, body: null }
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ status, version }),
  }
}
