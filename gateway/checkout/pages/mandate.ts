import { type Invoice, isPayable, runningAttempt } from '../../../engine/billing/invoice/invoice.ts'
import type { HeldMandate } from '../../../engine/billing/mandate/mandate.ts'
import { isFinal, type Subscription } from '../../../engine/billing/subscription/subscription.ts'
import type { PortalPage } from '../../../engine/portal/portal.ts'
import { dayIn, reais } from '../texts/texts.ts'
import { nonceOf } from './choose.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'
import { pixCode } from './waiting.ts'

/** What customers read of Pix Automático (rails, section 4). */
type Own = Shown & { readonly home: string }

/** How the mandate of a subscription stands, with the way to its page where something can be done; null where it has none. */
export const mandateNote = (shown: Own, subscription: Subscription): Html | null => {
  const { mandate, id, method } = subscription
  if (mandate === null || method !== 'PIX' || isFinal(subscription)) return null
  const say = shown.texts.portal.mandate
  const isLink = mandate.status !== 'ACTIVE' && !subscription.cancelAtPeriodEnd
  const text = mandate.status === 'CREATED' ? say.open : say.offer
  return html`<p>${say.title}${' · '}<strong>${say.state[mandate.status]}</strong></p>
${mandate.status === 'ACTIVE' && html`${amountOf(shown, mandate)}<p class="hint">${say.active}</p>`}
${isLink && html`<p><a class="button" href="${shown.home}/mandate/${id}${shown.query}">${text}</a></p>`}`
}

/** Whether a subscription has a page about its mandate: it once was offered one. */
export const hasMandatePage = (subscription: Subscription): boolean =>
  subscription.mandate !== null && subscription.method === 'PIX' && !isFinal(subscription)

/** What stands on the page about a mandate. */
export const mandateContent = (
  shown: Own,
  subscription: Subscription,
  { invoices }: Pick<PortalPage, 'invoices'>,
  nonce: string,
): Html => {
  const mandate = subscription.mandate!
  const say = shown.texts.portal.mandate
  const { status, closedBy } = mandate
  const stands = status === 'CANCELLED' && closedBy !== null ? say.closedBy[closedBy] : say.state[status]
  const state = html`<p role="status"><strong>${stands}</strong></p>`
  switch (status) {
    case 'CREATED':
      return html`${state}${amountOf(shown, mandate)}${offered(shown, subscription, mandate, invoices)}`
    case 'ACTIVE':
      return html`${state}${amountOf(shown, mandate)}<p>${say.active}</p>`
    default:
      return html`${state}<p>${say.byCode}</p>${
        !subscription.cancelAtPeriodEnd &&
        html`<p>${say.offerText}</p>
<form method="post" action="${shown.home}/mandate/${subscription.id}${shown.query}">${nonceOf(shown, nonce)}<button class="primary">${say.offer}</button></form>`
      }`
  }
}

/** How the payer gives the mandate, by the way in which they are asked. */
const offered = (
  shown: Own,
  { id }: Subscription,
  { journey, copyPaste, startOn }: HeldMandate,
  invoices: readonly Invoice[],
): Html => {
  const { texts, home, query, language, path } = shown
  const say = texts.portal.mandate
  const reload = (text: string) => html`<p><a class="button" href="${path}${query}">${text}</a></p>`
  if (journey === 'NOTIFICATION') return html`<p>${say.byBank}</p>${reload(say.done)}`
  if (copyPaste === null) return html`<p role="status">${say.awaited}</p>${reload(say.reload)}`
  const open = invoices.find(
    (one) => one.subscriptionId === id && isPayable(one) && codeIn(one) === copyPaste,
  )
  if (open !== undefined)
    return html`<p>${say.withInvoice}</p><p><a class="button primary" href="${home}/invoice/${open.id}${query}">${texts.portal.pay} ${reais(open.totalCents)}</a></p>`
  // The code of a payment that has come cannot be paid once more: only its bank has something to say.
  if (journey !== 'QR') return html`<p role="status">${say.unconfirmed}</p>${reload(say.reload)}`
  return html`<p>${say.alone(dayIn(language, startOn))}</p>${pixCode(shown, copyPaste)}${reload(say.done)}`
}

const codeIn = (invoice: Invoice): string | null => runningAttempt(invoice)?.payment?.copyPaste ?? null

const amountOf = ({ texts }: Shown, { amountCents, maximumCents }: HeldMandate): Html => {
  const say = texts.portal.mandate
  return html`<p>${amountCents === null ? say.varies : say.each(reais(amountCents))}${maximumCents !== null && html`<br>${say.maximum(reais(maximumCents))}`}</p>`
}

/** What the code of an invoice does besides paying it; null where that is all it does. */
export const authorizingNote = (
  { texts }: Shown,
  { mandate }: Subscription,
  invoice: Invoice,
): Html | null => {
  if (mandate?.status !== 'CREATED' || mandate.copyPaste === null || codeIn(invoice) !== mandate.copyPaste)
    return null
  const { pays, mayAuthorize } = texts.portal.mandate
  return html`<p class="notice">${mandate.journey === 'OPTIONAL' ? mayAuthorize : pays}</p>`
}

/** Whether an invoice waits for the payer's bank, and not for the payer. */
export const isDebited = ({ mandate, method }: Subscription, invoice: Invoice): boolean => {
  const attempt = runningAttempt(invoice)
  return (
    mandate?.status === 'ACTIVE' && method === 'PIX' && attempt?.method === 'PIX' && attempt.payment === null
  )
}
