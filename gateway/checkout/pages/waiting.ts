import { isMandateOpen, type Mandate } from '../../../engine/billing/mandate/mandate.ts'
import type { SessionPage } from '../../../engine/checkout/queries.ts'
import type { CheckoutSession } from '../../../engine/checkout/session.ts'
import { liveTry } from '../../../engine/checkout/session.ts'
import { digitableLine, formattedLine } from '../../../engine/payments/methods/boleto/bar-code.ts'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { interleavedElements } from '../../../engine/payments/methods/boleto/interleaved.ts'
import { isByCard } from '../../../engine/payments/methods/card/terms.ts'
import { cryptoOf, receivedUnits } from '../../../engine/payments/methods/crypto/crypto.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { shortDecimalOf } from '../../../engine/shared/asset.ts'
import { qrCodeDataUri } from '../../documents/qr-code/draw.ts'
import { dayIn, reais } from '../texts/texts.ts'
import { nonceOf, noticeOf } from './choose.ts'
import { countdown } from './countdown.ts'
import { type Html, html } from './html.ts'
import { pageOf } from './layout.ts'
import { moreTime } from './more-time.ts'
import type { Shown } from './shown.ts'
import { orderSummary } from './summary.ts'

/** The page of a session while a charge of it can be paid, or is being decided. */
export const waitingPage = (
  shown: Shown,
  session: CheckoutSession,
  { transaction, mandate }: Charged,
  nonce: string,
  notice: string | null,
): string => {
  const { offer, discount } = session
  const one = liveTry(session)!
  const { title, content } = contentOf(shown, transaction, mandate)
  const canChange = !session.isOver && !isByCard(one.method) && transaction.status === 'PENDING'
  return pageOf(shown, {
    title,
    amount: reais(one.totalCents),
    summary: orderSummary(shown, {
      totalCents: one.totalCents,
      title: offer.description,
      items: offer.items,
      discount,
      interestCents: one.interestCents,
      plan: offer.plan,
    }),
    content: html`${noticeOf(notice)}<h1>${title}</h1>
${content}
${canChange && otherMethod(shown, nonce)}${canChange && one.method !== 'BOLETO' && moreTimeForm(shown, session, nonce)}`,
    live: { version: shownVersion({ session, transaction, mandate }) },
  })
}

/** The charge of a page, with the mandate that its code also offers. */
type Charged = { readonly transaction: Transaction; readonly mandate: Mandate | null }

/** What a page shows is of this version: the status says another one once something has changed. */
export const shownVersion = ({
  session,
  transaction,
  mandate,
}: Pick<SessionPage, 'session' | 'transaction' | 'mandate'>): string =>
  `${session.version}.${transaction?.version ?? 0}${mandate === null ? '' : `.${mandate.status}${isBeingMade(mandate) ? '.' : ''}`}`

type Content = { readonly title: string; readonly content: Html }

const contentOf = (shown: Shown, transaction: Transaction, mandate: Mandate | null): Content => {
  switch (transaction.method) {
    case 'PIX':
      return pixContent(shown, transaction, mandate)
    case 'BOLETO':
      return boletoContent(shown, transaction)
    case 'CRYPTO':
      return cryptoContent(shown, transaction)
    default:
      return working(shown)
  }
}

const working = ({ texts }: Shown): Content => ({
  title: texts.working.title,
  content: html`<p class="spinner" aria-hidden="true"></p><p role="status">${texts.working.text}</p>`,
})

/**
 * A payer who has paid by the plain code cannot authorize any more, so it is not shown before the bank has said whether there is one that does both. A bank
 * that says nothing is not waited for.
 */
const isBeingMade = (mandate: Mandate): boolean =>
  isMandateOpen(mandate) &&
  mandate.calls.some(({ operation, unanswered }) => operation === 'MANDATE_CREATE' && unanswered === 0)

const pixContent = (shown: Shown, transaction: Transaction, mandate: Mandate | null): Content => {
  const { texts } = shown
  const copyPaste = pixOf(transaction)?.copyPaste ?? null
  if (copyPaste === null || transaction.status !== 'PENDING') return working(shown)
  if (mandate !== null && isBeingMade(mandate)) return working(shown)
  const authorizes = mandate !== null && isMandateOpen(mandate) && mandate.copyPaste === copyPaste
  return {
    title: authorizes ? texts.plan.payAndAuthorize : texts.pix.title,
    content: html`${authorizes && html`<p class="notice">${texts.plan.authorizes}<br>${eachCharge(shown, mandate)}</p>`}${pixCode(shown, copyPaste)}
<div class="status" role="status"><span class="pulse" aria-hidden="true"></span>${texts.pix.waiting}</div>
${transaction.expiresAtMs !== null && countdown(shown, texts.pix.validFor, transaction.expiresAtMs)}
<h2>${texts.pix.how}</h2><ol>${texts.pix.steps.map((step) => html`<li>${step}</li>`)}</ol>
<p><a class="button" href="${shown.path}${shown.query}">${texts.pix.already}</a></p>`,
  }
}

const eachCharge = ({ texts, language }: Shown, { amountCents, startOn }: Mandate): string =>
  amountCents === null
    ? texts.portal.mandate.varies
    : texts.plan.eachFrom(reais(amountCents), dayIn(language, startOn))

/** The code to copy first, since the phone that shows the page is the one that pays; the picture for another phone. */
export const pixCode = (
  { texts }: Shown,
  copyPaste: string,
): Html => html`${copyBox(texts.pix.code, copyPaste, copyPaste, texts.pix.copy, texts.pix.copied, texts.pix.selectByHand)}
<p class="or">${texts.pix.or}</p>
<div class="qr">${qrCode(copyPaste)}</div>`

/** A code in a box, with a button that copies it. Without a script, the box itself can be selected. */
export const copyBox = (
  label: string,
  shownText: string,
  copied: string,
  button: string,
  done: string,
  byHand: string,
): Html =>
  html`<div class="copy"><label class="hidden" for="code">${label}</label><textarea id="code" readonly rows="3" spellcheck="false">${shownText}</textarea>
<button type="button" class="primary" data-copy="${copied}" data-done="${done}" data-by-hand="${byHand}">${button}</button><p class="hint" role="status" aria-live="polite"></p></div>`

/** Drawn in microseconds, eight pixels to a module, which every telephone shows sharp. */
const qrCode = (payload: string): Html =>
  html`<img src="${qrCodeDataUri(payload)}" alt="QR code" width="280" height="280">`

const boletoContent = (shown: Shown, transaction: Transaction): Content => {
  const { texts, language, path } = shown
  const boleto = boletoOf(transaction)
  if (boleto?.numbers == null)
    return {
      title: texts.boleto.title,
      content: html`<p class="spinner" aria-hidden="true"></p><p role="status">${texts.boleto.registering}</p>`,
    }
  const { barCode } = boleto.numbers
  const line = digitableLine(barCode)
  const copyPaste = pixOf(transaction)?.copyPaste ?? null
  return {
    title: texts.boleto.title,
    content: html`<p class="due">${texts.boleto.due} <strong>${dayIn(language, boleto.dueDate)}</strong></p>
${copyBox(texts.boleto.line, formattedLine(line), line, texts.boleto.copy, texts.boleto.copied, texts.pix.selectByHand)}
<div class="barcode" role="img" aria-label="${texts.boleto.barcode}">${barCodePicture(barCode)}</div>
<p><a class="button" href="${path}/boleto.pdf">${texts.boleto.pdf}</a></p>
<p class="hint">${texts.boleto.hint}</p>
${
  copyPaste &&
  html`<details class="bolepix"><summary>${texts.boleto.byPix}</summary><div class="copy"><textarea readonly rows="3" aria-label="${texts.pix.code}">${copyPaste}</textarea><button type="button" data-copy="${copyPaste}" data-done="${texts.pix.copied}" data-by-hand="${texts.pix.selectByHand}">${texts.pix.copy}</button><p class="hint" role="status"></p></div><div class="qr">${qrCode(copyPaste)}</div></details>`
}`,
  }
}

/** Interleaved 2 of 5, wide elements three times as wide as narrow ones, with ten units of white on either side. */
export const barCodePicture = (digits: string): Html => {
  let x = 10
  let path = ''
  ;[...interleavedElements(digits)].forEach((element, n) => {
    const width = element === '1' ? 3 : 1
    if (n % 2 === 0) path += `M${x} 0h${width}v50h-${width}z`
    x += width
  })
  const width = x + 10
  return {
    markup: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 50" preserveAspectRatio="none" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v50H0z"/><path d="${path}"/></svg>`,
  }
}

const cryptoContent = (shown: Shown, transaction: Transaction): Content => {
  const { texts, language } = shown
  const crypto = cryptoOf(transaction)!
  const { address, uri, network } = crypto
  const { currency, amountCents, status, expiresAtMs } = transaction
  if (address === null)
    return {
      title: texts.crypto.title,
      content: html`<p class="spinner" aria-hidden="true"></p><p role="status">${texts.crypto.opening}</p>`,
    }
  const coins = (units: number): string => {
    const decimal = shortDecimalOf(units)
    return `${language === 'en' ? decimal : decimal.replace('.', ',')} ${currency}`
  }
  const wanted = coins(amountCents)
  const got = receivedUnits(crypto)
  const state =
    status === 'PROCESSING'
      ? texts.crypto.seen
      : got > 0
        ? texts.crypto.partial(coins(got), wanted)
        : texts.pix.waiting
  return {
    title: texts.crypto.title,
    content: html`<p class="due"><strong>${texts.crypto.send(wanted, network)}</strong></p>
<div class="copy"><button type="button" data-copy="${shortDecimalOf(amountCents)}" data-done="${texts.crypto.amountCopied}" data-by-hand="">${texts.crypto.copyAmount}</button><p class="hint" role="status"></p></div>
${copyBox(texts.crypto.address, address, address, texts.crypto.copy, texts.crypto.copied, texts.pix.selectByHand)}
<div class="qr">${qrCode(uri ?? address)}</div>
<p class="hint">${texts.crypto.onlyThis}</p>
<div class="status" role="status"><span class="pulse" aria-hidden="true"></span>${state}</div>
${expiresAtMs !== null && countdown(shown, texts.pix.validFor, expiresAtMs)}`,
  }
}

/** A boleto outlives its session, and a charge that is being decided needs no time of the payer's. */
const moreTimeForm = (shown: Shown, session: CheckoutSession, nonce: string): Html | null => {
  const offer = moreTime(shown, session, 'more-time')
  return offer && html`<form method="post" id="more-time">${nonceOf(shown, nonce)}</form>${offer}`
}

const otherMethod = (shown: Shown, nonce: string): Html => {
  const { texts, path, query } = shown
  return html`<form method="post" action="${path}/other${query}">${nonceOf(shown, nonce)}<button class="link">${texts.pix.other}</button></form>`
}
