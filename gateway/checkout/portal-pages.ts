import type { BillingMethod } from '../../engine/billing/catalog/plan.ts'
import type { Invoice } from '../../engine/billing/invoice/invoice.ts'
import type { Subscription } from '../../engine/billing/subscription/subscription.ts'
import type { Company } from '../../engine/companies/company.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import type { FoundPortal, PortalPage } from '../../engine/portal/portal.ts'
import { environmentOf } from '../../engine/shared/ids.ts'
import { invoiceReceipt } from '../resources/checkout/receipt.ts'
import { sealedCard } from '../routes/payments/cards/create-payment.ts'
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
import { pageResponse, pdfResponse, seeOther } from './headers.ts'
import { logoResponse } from './logo.ts'
import { openMethods } from './open-methods.ts'
import { isPortalEntry } from './page-tokens.ts'
import { hasMandatePage } from './pages/mandate.ts'
import {
  canChange,
  cancelPage,
  changeCardPage,
  changePlanPage,
  invoicePage,
  mandatePage,
  portalPage,
  type ShownPortal,
} from './pages/portal.ts'
import { mailLanguageOf, takenMethods } from './pages/shown.ts'
import { emptyForm, type FormState } from './pages/typed.ts'
import { answerMailedLink, answerPortalEntry } from './portal-entry.ts'
import { portalOffer, shownInPortal } from './portal-shown.ts'
import { readCardOf, readForm } from './read-form.ts'
import { pageFraming } from './shown-to.ts'

/** Answers a request for a customer's portal. Null where there is none, or its time is over: both read the same. */
export const answerPortal = async (checkout: Checkout, visit: Visit): Promise<HttpResponse | null> => {
  if (isPortalEntry(visit.token)) return answerPortalEntry(checkout, visit)
  const { request, action, id } = visit
  const { company, isOpen } = companyOf(checkout, visit.accountId)
  const page = company && (await pageAt(checkout, visit, company))
  if (page === null || company === null || !isOpen) return null
  const shown = shownInPortal(checkout, visit, company, page.nowMs)
  if (page.type === 'ENTRY') return answerMailedLink(checkout, visit, shown, page.portal)
  const at: Portal = { checkout, visit, page, shown }
  if (request.verb === 'POST') return answerForm(at)
  if (request.verb !== 'GET' && request.verb !== 'HEAD') return null
  // What is not among the customer's own is not there, whatever its id.
  const invoice = page.invoices.find((one) => one.id === id)
  const subscription = page.subscriptions.find((one) => one.id === id)
  if (action === '') return shownAs(at, portalPage(at.shown, page, null))
  if (action === 'logo') return logoResponse(company.logo)
  if (invoice !== undefined) return answerInvoice(at, invoice)
  return subscription === undefined ? null : (stepOf(at, subscription, emptyForm, null) ?? null)
}

/** A request for a portal that is there. */
type Portal = {
  readonly checkout: Checkout
  readonly visit: Visit
  readonly page: PortalPage
  readonly shown: ShownPortal
}

const pageAt = (
  { router, tokens }: Checkout,
  { accountId, token }: Visit,
  company: Company,
): Promise<FoundPortal | null> =>
  router.query({
    type: 'FindPortal',
    accountId,
    hash: tokens.hashOf(token),
    planIds: company.checkout.portal.changePlan,
  }) as Promise<FoundPortal | null>

const shownAs = ({ checkout }: Portal, body: string, status = 200): HttpResponse =>
  pageResponse(status, body, pageFraming(checkout, portalOffer))

const answerInvoice = async (at: Portal, invoice: Invoice): Promise<HttpResponse | null> => {
  const { visit, shown, page } = at
  if (visit.action === 'pay') return seeOther(`${shown.home}/invoice/${invoice.id}${shown.query}`)
  if (visit.action === 'invoice') return showInvoice(at, invoice, emptyForm, null)
  if (visit.action !== 'recibo.pdf') return null
  const pdf = await invoiceReceipt(shown.company, invoice, page.customer.customer, mailLanguageOf(shown))
  return pdf && pdfResponse(pdf, `recibo-${invoice.id}.pdf`)
}

const showInvoice = (
  at: Portal,
  invoice: Invoice,
  form: FormState,
  notice: string | null,
  status = 200,
): HttpResponse => {
  const nonce = at.checkout.nonces.ofSession(invoice.id, invoice.attempts.length)
  return shownAs(
    at,
    invoicePage(at.shown, invoice, subscriptionOf(at, invoice), methodsFor(at, invoice), nonce, form, notice),
    status,
  )
}

const subscriptionOf = ({ page }: Portal, { subscriptionId }: Invoice): Subscription =>
  page.subscriptions.find(({ id }) => id === subscriptionId)!

const methodsFor = (at: Portal, invoice: Invoice): readonly BillingMethod[] => {
  const { shown, visit } = at
  const { methods } = subscriptionOf(at, invoice).plan
  const taken = takenMethods(shown, openMethods({ methods }, shown.company, environmentOf(visit.accountId)))
  return methods.filter((method) => taken.includes(method))
}

/** The page of a step with a subscription; null where the company does not let its customers take it. */
const stepOf = (
  at: Portal,
  subscription: Subscription,
  form: FormState,
  notice: string | null,
  status = 200,
): HttpResponse | null => {
  const { checkout, visit, page, shown } = at
  const { cancel, changeCard } = shown.company.checkout.portal
  const nonce = checkout.nonces.ofSession(page.portal.id, 0)
  switch (visit.action) {
    case 'card':
      return changeCard && shown.tokenizer !== null
        ? shownAs(at, changeCardPage(shown, subscription, nonce, form, notice), status)
        : null
    case 'cancel':
      return cancel ? shownAs(at, cancelPage(shown, subscription, nonce)) : null
    case 'mandate':
      return hasMandatePage(subscription)
        ? shownAs(at, mandatePage(shown, subscription, page, nonce, notice), status)
        : null
    case 'plan':
      return canChange(subscription) ? shownAs(at, changePlanPage(shown, subscription, page, nonce)) : null
    default:
      return null
  }
}

const answerForm = async (at: Portal): Promise<HttpResponse | null> => {
  const { checkout, visit, page, shown } = at
  const { request, action, id } = visit
  const often = refuseOften(checkout, request, 'payments')
  if (often !== null) return often
  const typed = readForm(request.body)
  const invoice = page.invoices.find((one) => one.id === id)
  const count = checkout.nonces.readSession(invoice?.id ?? page.portal.id, typed.nonce ?? '')
  if (!isOwnForm(checkout, request) || count === null)
    return strangerResponse(403, request, 'oldPage', shown.home + shown.query)
  if (invoice !== undefined) return action === 'pay' ? payInvoice(at, invoice, typed, count) : null
  const subscription = page.subscriptions.find((one) => one.id === id)
  if (subscription === undefined || stepOf(at, subscription, emptyForm, null) === null) return null
  const target = { accountId: visit.accountId, by: byPayer, subscriptionId: subscription.id } as const
  switch (action) {
    case 'card':
      return changeCard(at, subscription, typed)
    case 'cancel':
      return afterwards(
        at,
        await checkout.router.execute({
          type: 'CancelSubscription',
          ...target,
          reason: 'PORTAL',
          atPeriodEnd: true,
        }),
      )
    case 'mandate': {
      const reply = await checkout.router.execute({ type: 'OfferMandate', ...target })
      return reply.accepted
        ? seeOther(`${shown.home}/mandate/${subscription.id}${shown.query}`)
        : stepOf(at, subscription, emptyForm, shown.texts.portal.refused, 409)
    }
    case 'plan': {
      const plan = page.plans.find((one) => one.id === typed.plan)
      if (plan === undefined) return null
      const change = { planId: plan.id, effective: 'AUTO', isPreview: false } as const
      return afterwards(at, await checkout.router.execute({ type: 'ChangePlan', ...target, ...change }))
    }
    default:
      return null
  }
}

/** Back to everything, or the reason in words where it was not done. */
const afterwards = (at: Portal, reply: Pick<Reply, 'accepted'>): HttpResponse => {
  const { shown, page } = at
  return reply.accepted
    ? seeOther(shown.home + shown.query)
    : shownAs(at, portalPage(shown, page, shown.texts.portal.refused), 409)
}

const payInvoice = async (
  at: Portal,
  invoice: Invoice,
  typed: FormState['typed'],
  count: number,
): Promise<HttpResponse> => {
  const { checkout, visit, shown } = at
  const here = seeOther(`${shown.home}/invoice/${invoice.id}${shown.query}`)
  // The form was sent before, or another tab was quicker: the page shows what came of it.
  if (count !== invoice.attempts.length) return here
  const errors: Record<string, string> = {}
  const method = methodsFor(at, invoice).find((one) => one === typed.method)
  if (method === undefined) return showInvoice(at, invoice, emptyForm, shown.texts.errors.method, 422)
  const card = method === 'CREDIT_CARD' ? readCardOf(typed, shown.texts, errors) : null
  if (errors.card !== undefined) return showInvoice(at, invoice, { typed, errors }, null, 422)
  const { accountId } = visit
  const reply = await checkout.router.execute({
    type: 'RetryInvoice',
    accountId,
    by: byPayer,
    invoiceId: invoice.id,
    method,
    card: card && sealedCard(card, { accountId, cardTokens: checkout.cardTokens }),
    missingProduct: null,
  })
  if (!reply.accepted) return showInvoice(at, invoice, emptyForm, shown.texts.portal.refused, 409)
  const attempt = (reply.state as Invoice).attempts.at(-1)
  return attempt?.status === 'FAILED'
    ? showInvoice(at, reply.state as Invoice, emptyForm, shown.texts.notices.declined.NOT_ALLOWED, 409)
    : here
}

const changeCard = async (
  at: Portal,
  subscription: Subscription,
  typed: FormState['typed'],
): Promise<HttpResponse | null> => {
  const { checkout, visit, shown } = at
  const errors: Record<string, string> = {}
  const card = readCardOf(typed, shown.texts, errors)
  if (card === null) return stepOf(at, subscription, { typed, errors }, null, 422)
  const { accountId } = visit
  return afterwards(
    at,
    await checkout.router.execute({
      type: 'ChangeCard',
      accountId,
      by: byPayer,
      subscriptionId: subscription.id,
      card: sealedCard(card, { accountId, cardTokens: checkout.cardTokens }),
    }),
  )
}
