import type { BillingMethod } from '../../../engine/billing/catalog/plan.ts'
import { type Invoice, isPayable, runningAttempt } from '../../../engine/billing/invoice/invoice.ts'
import { invoiceNumber } from '../../../engine/billing/invoice/issue.ts'
import { nextBillingAtMs } from '../../../engine/billing/subscription/cycle.ts'
import { isFinal, type Subscription } from '../../../engine/billing/subscription/subscription.ts'
import { nameForPayers } from '../../../engine/companies/checkout-branding.ts'
import { digitableLine, formattedLine } from '../../../engine/payments/methods/boleto/bar-code.ts'
import type { PortalPage } from '../../../engine/portal/portal.ts'
import { dateIn } from '../../../engine/shared/calendar.ts'
import { dayIn, reais } from '../texts/texts.ts'
import { cardFrame, methodChoice, nonceOf, noticeOf } from './choose.ts'
import { type Html, html } from './html.ts'
import { pageOf } from './layout.ts'
import { authorizingNote, isDebited, mandateContent, mandateNote } from './mandate.ts'
import type { Shown } from './shown.ts'
import type { FormState } from './typed.ts'
import { barCodePicture, copyBox, pixCode } from './waiting.ts'

/** A portal as it is shown: `home` is its own path. */
export type ShownPortal = Shown & { readonly home: string }

/** Everything of one customer: what is to be paid first, then what runs, then what was. */
export const portalPage = (shown: ShownPortal, page: PortalPage, notice: string | null): string => {
  const { texts } = shown
  const { customer, subscriptions, invoices, portal } = page
  const open = invoices.filter(isPayable)
  return pageOf(shown, {
    title: texts.portal.title,
    amount: null,
    summary: html`<p class="what">${texts.portal.hello(customer.customer.name)}</p><p>${nameForPayers(shown.company)}</p>
${portal.returnUrl && html`<p><a href="${portal.returnUrl}">${texts.portal.back}</a></p>`}`,
    content: html`${noticeOf(notice)}<h1>${texts.portal.title}</h1>
${open.map((invoice) => openInvoice(shown, invoice, page))}
${subscriptions.length === 0 && html`<p>${texts.portal.none}</p>`}
${subscriptions.map((one) => subscriptionCard(shown, page, one))}
${invoices.length > 0 && html`<h2>${texts.portal.invoices}</h2><dl class="invoices">${invoices.map((one) => invoiceRow(shown, one))}</dl>`}`,
    live: null,
  })
}

const openInvoice = (shown: ShownPortal, open: Invoice, { subscriptions }: PortalPage): Html => {
  const { texts, home, query, language } = shown
  const { invoice, due, pay } = texts.portal
  const { id, totalCents, dueDate, number, subscriptionId } = open
  const subscription = subscriptions.find((one) => one.id === subscriptionId)
  // What the payer's bank pays is no debt that the payer has to do something about.
  if (subscription !== undefined && isDebited(subscription, open))
    return html`<div class="notice"><p><strong>${invoice(invoiceNumber(number))}: ${reais(totalCents)}</strong><br>${texts.portal.mandate.debited(dayIn(language, dueDate))}</p></div>`
  return html`<div class="notice"><p><strong>${invoice(invoiceNumber(number))}: ${reais(totalCents)}</strong><br>${due(dayIn(language, dueDate))}</p><p><a class="button primary" href="${home}/invoice/${id}${query}">${pay} ${reais(totalCents)}</a></p></div>`
}

const subscriptionCard = (shown: ShownPortal, { plans }: PortalPage, subscription: Subscription): Html => {
  const { texts, home, query, company } = shown
  const { id, plan, status, card } = subscription
  const { cancel, changeCard } = company.checkout.portal
  const link = (action: string, text: string) =>
    html`<p><a class="button" href="${home}/${action}/${id}${query}">${text}</a></p>`
  const runs = !isFinal(subscription)
  const others = plans.filter(
    (one) => one.id !== subscription.planId && one.methods.includes(subscription.method),
  )
  return html`<section class="subscription" aria-label="${plan.name}"><h2>${plan.name}</h2>
<p>${texts.plan.price(reais(plan.amountCents), texts.plan.every(plan.interval, plan.intervalCount))}${' · '}<strong>${texts.portal.status[status]}</strong></p>
${comingUp(shown, subscription)}
${mandateNote(shown, subscription)}
${runs && subscription.method === 'CREDIT_CARD' && card && html`<p>${texts.choose.methods.CREDIT_CARD} ${`•••• ${card.last4}`}</p>`}
${runs && changeCard && subscription.method === 'CREDIT_CARD' && shown.tokenizer !== null && link('card', texts.portal.changeCard)}
${canChange(subscription) && others.length > 0 && link('plan', texts.portal.changePlan)}
${runs && cancel && !subscription.cancelAtPeriodEnd && link('cancel', texts.portal.cancel)}</section>`
}

/** Whether its plan can be changed now. */
export const canChange = ({ status }: Subscription): boolean =>
  status === 'ACTIVE' || status === 'TRIALING' || status === 'PAST_DUE'

const comingUp = ({ texts, language }: Shown, subscription: Subscription): Html | null => {
  const { timeZone, period, cancelAtPeriodEnd, scheduledChange } = subscription
  if (isFinal(subscription)) return null
  if (cancelAtPeriodEnd) return html`<p>${texts.portal.ends(dayIn(language, period.end))}</p>`
  const atMs = nextBillingAtMs(subscription)
  return html`${atMs !== null && html`<p>${texts.portal.next(dayIn(language, dateIn(timeZone, atMs)))}</p>`}${scheduledChange && html`<p>${texts.portal.changes(scheduledChange.plan.name, dayIn(language, scheduledChange.effectiveOn))}</p>`}`
}

const invoiceRow = ({ texts, home, query, language }: ShownPortal, invoice: Invoice): Html => {
  const { id, number, totalCents, status, dueDate } = invoice
  const { portal } = texts
  const wasPaid = status === 'PAID' && invoice.attempts.some((one) => one.status === 'SUCCEEDED')
  return html`<div><dt>${invoiceNumber(number)}<br><small>${dayIn(language, dueDate)}</small></dt><dd>${reais(totalCents)}<br><small>${portal.invoiceStatus[status]}</small>${wasPaid && html`<br><a href="${home}/recibo.pdf/${id}${query}">${portal.receipt}</a>`}</dd></div>`
}

/** One invoice, and how to pay it. */
export const invoicePage = (
  shown: ShownPortal,
  invoice: Invoice,
  subscription: Subscription,
  methods: readonly BillingMethod[],
  nonce: string,
  form: FormState,
  notice: string | null,
): string => {
  const { texts } = shown
  const { portal } = texts
  const title = portal.invoice(invoiceNumber(invoice.number))
  const code = isPayable(invoice) ? codeOf(shown, invoice, subscription) : null
  const choices = html`<form method="post" action="${shown.home}/pay/${invoice.id}${shown.query}" class="choose" novalidate>
${nonceOf(shown, nonce)}<fieldset class="methods"><legend class="hidden">${texts.choose.title}</legend>${methods.map((one, n) => methodChoice(shown, one, n === 0))}</fieldset>
${methods.includes('CREDIT_CARD') && html`<div class="only" data-of="CARD">${cardFrame(shown, form)}</div>`}
<button class="primary"><span data-for="any">${texts.choose.continue}</span>${methods.map((one) => html`<span data-for="${one}">${texts.choose.payBy[one]}</span>`)}</button></form>`
  return portalStep(shown, title, {
    amount: reais(invoice.totalCents),
    content: isPayable(invoice)
      ? html`${noticeOf(notice)}${code}${code === null ? choices : html`<details><summary>${portal.otherMeans}</summary>${choices}</details>`}`
      : html`<p role="status">${invoice.status === 'PAID' ? portal.paid : portal.closed}</p>`,
  })
}

/** The code that can pay an invoice now; null where another is to be made, or a card is being decided. */
const codeOf = (shown: Shown, invoice: Invoice, subscription: Subscription): Html | null => {
  const attempt = runningAttempt(invoice)
  if (attempt === null) return null
  const { texts, language } = shown
  const { payment } = attempt
  if (isDebited(subscription, invoice))
    return html`<p class="notice" role="status">${texts.portal.mandate.debited(dayIn(language, invoice.dueDate))}</p>`
  if (payment === null)
    return html`<p class="spinner" aria-hidden="true"></p><p role="status">${texts.working.text}</p>`
  const again = html`<p><a class="button" href="${shown.path}${shown.query}">${texts.pix.already}</a></p>`
  if (payment.barCode === null)
    return html`${authorizingNote(shown, subscription, invoice)}${payment.copyPaste && pixCode(shown, payment.copyPaste)}${again}`
  const line = digitableLine(payment.barCode)
  return html`${copyBox(texts.boleto.line, formattedLine(line), line, texts.boleto.copy, texts.boleto.copied, texts.pix.selectByHand)}
<div class="barcode" role="img" aria-label="${texts.boleto.barcode}">${barCodePicture(payment.barCode)}</div>${again}`
}

/** Where a subscription's card is changed. */
export const changeCardPage = (
  shown: ShownPortal,
  { id, plan }: Subscription,
  nonce: string,
  form: FormState,
  notice: string | null,
): string => {
  const { portal } = shown.texts
  return portalStep(shown, portal.changeCard, {
    amount: null,
    content: html`${noticeOf(notice)}<p>${portal.cardFor(plan.name)}</p>
<form method="post" action="${shown.home}/card/${id}${shown.query}" novalidate>${nonceOf(shown, nonce)}<input type="hidden" name="method" value="CREDIT_CARD">${cardFrame(shown, form)}<button class="primary">${portal.saveCard}</button></form>`,
  })
}

/** Asks whether a subscription is to end. */
export const cancelPage = (shown: ShownPortal, { id, plan }: Subscription, nonce: string): string => {
  const { portal } = shown.texts
  return portalStep(shown, portal.cancelTitle(plan.name), {
    amount: null,
    content: html`<p>${portal.cancelText}</p>
<form method="post" action="${shown.home}/cancel/${id}${shown.query}">${nonceOf(shown, nonce)}<button class="primary">${portal.confirmCancel}</button></form>`,
  })
}

/** Where a customer gives the mandate by which invoices are collected, or asks for a new one. */
export const mandatePage = (
  shown: ShownPortal,
  subscription: Subscription,
  page: PortalPage,
  nonce: string,
  notice: string | null,
): string =>
  portalStep(shown, shown.texts.portal.mandate.title, {
    amount: null,
    content: html`${noticeOf(notice)}<p>${subscription.plan.name}</p>${mandateContent(shown, subscription, page, nonce)}`,
  })

/** The plans that a subscription can change to. */
export const changePlanPage = (
  shown: ShownPortal,
  { id, planId, method }: Subscription,
  { plans }: PortalPage,
  nonce: string,
): string => {
  const { portal, plan: say } = shown.texts
  const others = plans.filter((one) => one.id !== planId && one.methods.includes(method))
  return portalStep(shown, portal.changePlan, {
    amount: null,
    content: html`<p>${portal.changeText}</p>
${others.map((one) => html`<form method="post" action="${shown.home}/plan/${id}${shown.query}">${nonceOf(shown, nonce)}<input type="hidden" name="plan" value="${one.id}"><h2>${one.name}</h2><p>${say.price(reais(one.amountCents), say.every(one.interval, one.intervalCount))}</p><button class="primary" aria-label="${portal.confirmPlan}: ${one.name}">${portal.confirmPlan}</button></form>`)}`,
  })
}

/** One step of a portal, with the way back. */
const portalStep = (
  shown: ShownPortal,
  title: string,
  { amount, content }: { readonly amount: string | null; readonly content: Html },
): string =>
  pageOf(shown, {
    title,
    amount,
    summary: null,
    content: html`<h1>${title}</h1>${amount && html`<p class="total">${amount}</p>`}${content}<p><a href="${shown.home}${shown.query}">${shown.texts.portal.home}</a></p>`,
    live: null,
  })
