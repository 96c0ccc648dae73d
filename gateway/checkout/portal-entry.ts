import type { PortalSession } from '../../engine/portal/portal.ts'
import { newId } from '../../engine/shared/ids.ts'
import { readInternationalEmail } from '../base/emails.ts'
import type { HttpResponse } from '../wire/transport.ts'
import {
  byPayer,
  type Checkout,
  companyOf,
  isOwnForm,
  refuseOften,
  strangerResponse,
  type Visit,
} from './checkout.ts'
import { pageResponse, seeOther } from './headers.ts'
import { logoResponse } from './logo.ts'
import type { ShownPortal } from './pages/portal.ts'
import { askPortalPage, openPortalPage, portalMailedPage } from './pages/portal-entry.ts'
import { mailLanguageOf } from './pages/shown.ts'
import { emptyForm, type FormState } from './pages/typed.ts'
import { shownInPortal } from './portal-shown.ts'
import { readForm } from './read-form.ts'

/**
 * Answers a request for the page where customers of a company ask for a link to their portal. Whatever address they type, the answer
 * is the same, and as quick: who asks does not learn who is a customer.
 */
export const answerPortalEntry = (checkout: Checkout, visit: Visit): HttpResponse | null => {
  const { request, token, action, accountId } = visit
  const { company, isOpen } = companyOf(checkout, accountId)
  const isThere = checkout.sendsMail && isOpen && token === checkout.tokens.portalEntryOf(accountId)
  if (!isThere || company === null) return null
  const shown = shownInPortal(checkout, visit, company, checkout.realNow())
  if (request.verb === 'POST') return action === 'send' ? send(checkout, visit, shown) : null
  if (request.verb !== 'GET' && request.verb !== 'HEAD') return null
  if (action === 'logo') return logoResponse(company.logo)
  if (action === 'send') return seeOther(shown.home + shown.query)
  return action === '' ? ask(checkout, visit, shown, emptyForm) : null
}

const ask = (checkout: Checkout, { accountId }: Visit, shown: ShownPortal, form: FormState, status = 200) =>
  pageResponse(status, askPortalPage(shown, checkout.nonces.ofSession(accountId, 0), form))

const send = (checkout: Checkout, visit: Visit, shown: ShownPortal): HttpResponse => {
  const { request, accountId } = visit
  const { nonces, router, tokens, entropy, realNow, onTrouble } = checkout
  const typed = readForm(request.body)
  if (!isOwnForm(checkout, request) || nonces.readSession(accountId, typed.nonce ?? '') === null)
    return strangerResponse(403, request, 'oldPage', shown.home + shown.query)
  const email = readInternationalEmail(typed.email ?? '')
  if (email === null) {
    const errors = { email: shown.texts.errors.email }
    return ask(checkout, visit, shown, { typed, errors }, 422)
  }
  const often = refuseOften(checkout, request, 'portalMails')
  if (often !== null) return often
  const portals = Array.from({ length: mailsAtOnce }, () => {
    const id = newId('ptl', realNow(), entropy)
    return { id, tokenHash: tokens.hashOf(tokens.tokenOf(accountId, id)) }
  })
  // Not waited for: how long it takes would say whether the address is known.
  const language = mailLanguageOf(shown)
  router.execute({ type: 'MailPortals', accountId, by: byPayer, email, language, portals }).catch(onTrouble)
  return pageResponse(200, portalMailedPage(shown))
}

/** Customers with one address who are sent a link each. */
const mailsAtOnce = 3

/** Answers a request for the link of a mail: a step that a program which looks into mail does not take. */
export const answerMailedLink = async (
  checkout: Checkout,
  visit: Visit,
  shown: ShownPortal,
  portal: PortalSession,
): Promise<HttpResponse | null> => {
  const { request, action, accountId } = visit
  const { nonces, router, tokens, entropy, realNow } = checkout
  const { id: portalSessionId } = portal
  if (request.verb === 'GET' || request.verb === 'HEAD') {
    if (action === 'logo') return logoResponse(shown.company.logo)
    return action === ''
      ? pageResponse(200, openPortalPage(shown, nonces.ofSession(portalSessionId, 0)))
      : null
  }
  if (request.verb !== 'POST' || action !== 'open') return null
  const { nonce = '' } = readForm(request.body)
  if (!isOwnForm(checkout, request) || nonces.readSession(portalSessionId, nonce) === null)
    return strangerResponse(403, request, 'oldPage', shown.home + shown.query)
  const id = newId('ptl', realNow(), entropy)
  const token = tokens.tokenOf(accountId, id)
  const reply = await router.execute({
    type: 'EnterPortal',
    accountId,
    by: byPayer,
    portalSessionId,
    entered: { id, tokenHash: tokens.hashOf(token) },
  })
  return reply.accepted ? seeOther(`/p/${token}${shown.query}`) : null
}
