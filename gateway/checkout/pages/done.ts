import { isMandateOpen, type Mandate } from '../../../engine/billing/mandate/mandate.ts'
import type { CheckoutSession } from '../../../engine/checkout/session.ts'
import { nameForPayers } from '../../../engine/companies/checkout-branding.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { instantIn, reais } from '../texts/texts.ts'
import { html } from './html.ts'
import { pageOf } from './layout.ts'
import type { Shown } from './shown.ts'
import { orderSummary } from './summary.ts'

/** The page of a session that is paid. */
export const donePage = (
  shown: Shown,
  session: CheckoutSession,
  { transaction, mandate }: { readonly transaction: Transaction; readonly mandate: Mandate | null },
  /** Where who has subscribed asks for a link to their subscriptions; null where there is none. */
  portalPath: string | null,
): string => {
  const { texts, language, company, path } = shown
  const { offer, discount, completedAtMs, tries } = session
  const paid = tries.find(({ transactionId }) => transactionId === session.transactionId)!
  const { method, totalCents, installments } = paid
  const last4 = cardOf(transaction)?.last4
  const isVerified = totalCents === 0
  const title = titleOf(shown, session, transaction)
  const back = successUrlOf(session)
  const rows = [
    [texts.done.to, nameForPayers(company)],
    [texts.done.paid, reais(totalCents)],
    [
      texts.done.method,
      [
        texts.choose.methods[method],
        last4 && `•••• ${last4}`,
        installments > 1 && texts.done.installments(installments),
      ]
        .filter(Boolean)
        .join(' '),
    ],
    [texts.done.at, instantIn(language, company.timeZone, completedAtMs!)],
    [texts.done.id, session.subscriptionId ?? transaction.id],
  ] as const
  return pageOf(shown, {
    title,
    amount: null,
    summary: orderSummary(shown, {
      totalCents,
      title: offer.description,
      items: offer.items,
      discount,
      interestCents: paid.interestCents,
      plan: offer.plan,
      isPaid: true,
    }),
    content: html`<div class="done"><p class="tick" aria-hidden="true"></p><h1>${title}</h1><p>${company.checkout.thankYouText ?? texts.done.thanks}</p></div>
<dl>${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${mandate && html`<p class="hint">${texts.plan.afterwards[isMandateOpen(mandate) || mandate.status !== 'CREATED' ? mandate.status : 'EXPIRED']}</p>`}
${
  back &&
  html`<p><a class="button primary" href="${back}" id="continue" data-after="5">${texts.done.continue}</a></p><p class="hint" id="going-on" hidden>${texts.done.goingOn} <button type="button" class="link" id="stay">${texts.done.stay}</button></p>`
}
${!isVerified && html`<p><a class="button" href="${path}/recibo.pdf">${texts.done.receipt}</a></p>`}
${portalPath && html`<p><a href="${portalPath}">${texts.plan.manage}</a></p>`}`,
    live: null,
    paidSession: session.id,
  })
}

const titleOf = ({ texts }: Shown, { subscriptionId }: CheckoutSession, { status }: Transaction): string => {
  if (subscriptionId !== null) return texts.plan.done
  return status === 'AUTHORIZED' ? texts.done.authorized : texts.done.title
}

/**
 * Where the payer goes afterwards: the merchant's address with the session and its status, and nothing of the payer. `{SESSION_ID}` is
 * replaced also where a program has encoded it.
 */
export const successUrlOf = ({ offer: { successUrl }, id, status }: CheckoutSession): string | null => {
  if (successUrl === null) return null
  const url = new URL(successUrl.replaceAll(/\{SESSION_ID\}|%7BSESSION_ID%7D/gi, id))
  url.searchParams.set('session_id', id)
  url.searchParams.set('status', status)
  return url.href
}
