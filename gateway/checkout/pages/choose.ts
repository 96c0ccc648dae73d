import { installmentPlans, yearlyRateBps } from '../../../engine/checkout/installments.ts'
import type { PaymentLink } from '../../../engine/checkout/link.ts'
import type { CheckoutMethod, Offer } from '../../../engine/checkout/offer.ts'
import { type CheckoutSession, priceCents } from '../../../engine/checkout/session.ts'
import { isByCard } from '../../../engine/payments/methods/card/terms.ts'
import { networksOf } from '../../../engine/shared/asset.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import { percent } from '../../documents/boleto/texts.ts'
import { reais } from '../texts/texts.ts'
import { countdown } from './countdown.ts'
import { customFieldOf, errorOf, fieldOf, payerFieldsOf } from './fields.ts'
import { type Html, html } from './html.ts'
import { pageOf } from './layout.ts'
import { moreTime } from './more-time.ts'
import { type Shown, takenMethods } from './shown.ts'
import { orderSummary } from './summary.ts'
import type { FormState } from './typed.ts'

/** The page of a session where the payer chooses how to pay. */
export const choosePage = (
  shown: Shown,
  session: CheckoutSession,
  nonce: string,
  form: FormState,
  notice: string | null,
): string => {
  const { texts } = shown
  const { offer, discount, expiresAtMs, customer } = session
  const price = priceCents(session)
  return pageOf(shown, {
    title: titleOf(shown, offer),
    amount: reais(price),
    summary: html`${orderSummary(shown, { totalCents: price, title: offer.description, items: offer.items, discount, interestCents: 0, plan: offer.plan })}
${countdown(shown, offer.mode === 'SUBSCRIPTION' ? texts.plan.before : texts.payBefore, expiresAtMs)}
${offer.allowsCoupons && couponForm(shown, nonce, discount?.code ?? null, form)}
${offer.cancelUrl && html`<p><a href="${offer.cancelUrl}" data-leaves>${texts.backToShop}</a></p>`}`,
    content: html`${noticeOf(notice)}${errorSummary(shown, form)}
<h1>${titleOf(shown, offer)}</h1>
<form method="post" action="${shown.path}/pay${shown.query}" class="choose" id="pay" novalidate>
${nonceOf(shown, nonce)}
${payForm(shown, offer, price, form, customer !== null)}
</form>
${moreTime(shown, session, 'pay')}`,
    live: null,
  })
}

/** The page of a link: what is paid is shown, or asked where the payer decides. */
export const linkPage = (
  shown: Shown,
  link: PaymentLink,
  nonce: string,
  form: FormState,
  notice: string | null,
): string => {
  const { texts } = shown
  const { offer, price, quantity, title } = link
  const open = price.mode === 'OPEN'
  const cents = open ? price.minCents : price.amountCents
  return pageOf(shown, {
    title,
    amount: open ? null : reais(cents),
    summary: orderSummary(shown, {
      totalCents: cents,
      title,
      items: offer.items,
      discount: null,
      interestCents: 0,
      plan: offer.plan,
      open,
    }),
    content: html`${noticeOf(notice)}${errorSummary(shown, form)}
<form method="post" action="${shown.path}/pay${shown.query}" class="choose" novalidate>
${nonceOf(shown, nonce)}
${
  open &&
  html`${fieldOf(shown, form, {
    name: 'amount',
    label: texts.choose.amount,
    isRequired: true,
    hint: texts.choose.amountHint(reais(price.minCents), reais(price.maxCents)),
    input: html`inputmode="decimal" autocomplete="off" maxlength="20" placeholder="R$ 0,00" class="amount"`,
  })}${price.suggestedCents.length > 0 && html`<p class="suggested">${price.suggestedCents.map((one) => html`<button type="button" data-amount="${plain(one)}">${reais(one)}</button>`)}</p>`}`
}
${
  quantity &&
  fieldOf(shown, form, {
    name: 'quantity',
    label: texts.choose.quantity,
    isRequired: true,
    value: String(quantity.min),
    input: html`type="number" inputmode="numeric" min="${quantity.min}" max="${quantity.max}"`,
  })
}
<h1>${titleOf(shown, offer)}</h1>
${payForm(shown, offer, open ? null : toCents(cents), form, false, offer.allowsCoupons)}
</form>`,
    live: null,
  })
}

const titleOf = ({ texts }: Shown, { mode }: Offer): string =>
  mode === 'SUBSCRIPTION' ? texts.plan.title : texts.choose.title

/** What makes a form one of ours, and the place of the work that it shows while its link is attacked. */
export const nonceOf = ({ workBits }: Shown, nonce: string): Html =>
  html`<input type="hidden" name="nonce" value="${nonce}">${workBits !== null && html`<input type="hidden" name="work" data-bits="${workBits}">`}`

/** An amount as it is typed in Portuguese. */
const plain = (cents: Cents): string => `${Math.trunc(cents / 100)},${String(cents % 100).padStart(2, '0')}`

/** The ways to pay, what each asks for, and the button. */
const payForm = (
  shown: Shown,
  offer: Offer,
  /** Null where the payer decides the amount. */
  price: Cents | null,
  form: FormState,
  isKnown: boolean,
  /** Whether the form asks for a coupon; a session's page has a form of its own for it. */
  asksCoupon = false,
): Html => {
  const { texts, tokenizer } = shown
  const methods = takenMethods(shown, offer.methods)
  const chosen = methods.find((method) => method === form.typed.method) ?? methods[0]
  const fields = isKnown ? [] : payerFieldsOf(shown, form, offer.collect, methods.includes('BOLETO'))
  const own = offer.customFields.map((field) => customFieldOf(shown, form, field))
  return html`<fieldset class="methods"${methods.length === 1 && html` hidden`}><legend class="hidden">${texts.choose.title}</legend>
${methods.map((method) => methodChoice(shown, method, method === chosen))}
</fieldset>${errorOf('method', form.errors.method)}
${offer.methods.some(isByCard) && tokenizer === null && noticeOf(texts.card.off)}${methods.some(isByCard) && cardPart(shown, offer, price, form)}
${methods.includes('CRYPTO') && cryptoPart(shown, form)}
${fields.length + own.length > 0 && html`<fieldset class="payer"><legend>${texts.choose.aboutYou}</legend>${fields}${own}</fieldset>`}
${asksCoupon && couponField(shown, form)}
<button class="primary"><span data-for="any">${texts.choose.continue}</span>${methods.map((method) => html`<span data-for="${method}">${offer.mode === 'SUBSCRIPTION' && method === 'CREDIT_CARD' ? texts.plan.byCard : texts.choose.payBy[method]}</span>`)}</button>`
}

/** One way to pay, to be chosen. */
export const methodChoice = ({ texts }: Shown, method: CheckoutMethod, isChosen: boolean): Html =>
  html`<label class="method"><input type="radio" name="method" value="${method}" id="by-${method}"${isChosen && html` checked`}><span class="mark ${method}" aria-hidden="true"></span><span><strong>${texts.choose.methods[method]}</strong><small>${texts.choose.hints[method]}</small></span></label>`

/** The frame for the card, which is of another host. */
export const cardFrame = ({ texts, tokenizer }: Shown, form: FormState): Html =>
  html`<noscript><p class="notice">${texts.choose.cardNeedsScript}</p></noscript>
<iframe src="${tokenizer}" title="${texts.card.frameTitle}" sandbox="allow-scripts allow-forms" class="card" id="card-frame"></iframe>
${errorOf('card', form.errors.card)}
<input type="hidden" name="card" id="card">`

/** The card, and the ways to divide the amount. */
const cardPart = (shown: Shown, { installments }: Offer, price: Cents | null, form: FormState): Html => {
  const { texts } = shown
  const plans = price === null ? [] : installmentPlans(price, installments)
  const chosen = Number(form.typed.installments ?? 1)
  const hasInterest = plans.some(({ interestCents }) => interestCents > 0)
  return html`<div class="only" data-of="CARD">
${cardFrame(shown, form)}
${
  plans.length > 1 &&
  html`<div class="only field" data-of="CREDIT_CARD"><label for="installments">${texts.choose.installments}</label><select name="installments" id="installments">${plans.map(
    ({ installments: count, installmentCents, totalCents, interestCents }) =>
      html`<option value="${count}" data-total="${reais(totalCents)}"${count === chosen && html` selected`}>${
        count === 1
          ? texts.choose.once(reais(totalCents))
          : interestCents === 0
            ? texts.choose.planFree(count, reais(installmentCents))
            : texts.choose.plan(count, reais(installmentCents), reais(totalCents))
      }</option>`,
  )}</select>${hasInterest && html`<p class="hint">${texts.choose.rate(percent(installments.monthlyRateBps), percent(yearlyRateBps(installments.monthlyRateBps)))}</p>`}${errorOf('installments', form.errors.installments)}</div>`
}
</div>`
}

const cryptoPart = ({ texts }: Shown, form: FormState): Html =>
  html`<div class="only" data-of="CRYPTO"><div class="field"><label for="coin">${texts.choose.network}</label><select name="coin" id="coin">${coins.map((coin) => html`<option value="${coin}"${coin === form.typed.coin && html` selected`}>${coin.replace(':', ' · ')}</option>`)}</select>${errorOf('coin', form.errors.coin)}</div></div>`

/** Every coin on every network that carries it, as `USDC:BASE`. */
const coins = Object.entries(networksOf).flatMap(([asset, networks]) =>
  networks.map((network) => `${asset}:${network}`),
)

const couponField = (shown: Shown, form: FormState): Html =>
  fieldOf(shown, form, {
    name: 'coupon',
    label: shown.texts.choose.coupon,
    isRequired: false,
    input: html`autocomplete="off" maxlength="64"`,
  })

const couponForm = (shown: Shown, nonce: string, code: string | null, form: FormState): Html => {
  const { texts, path, query } = shown
  const action = `${path}/coupon${query}`
  return code === null
    ? html`<details class="coupon"${form.errors.coupon && html` open`}><summary>${texts.choose.coupon}</summary><form method="post" action="${action}">${nonceOf(shown, nonce)}${fieldOf(shown, form, { name: 'coupon', label: texts.choose.coupon, isRequired: true, input: html`autocomplete="off" maxlength="64"` })}<button>${texts.choose.useCoupon}</button></form></details>`
    : html`<form method="post" action="${action}">${nonceOf(shown, nonce)}<button class="link">${texts.choose.removeCoupon}</button></form>`
}

/** A line above the form; null for none. */
export const noticeOf = (notice: string | null): Html | null =>
  notice === null ? null : html`<p class="notice" role="status">${notice}</p>`

/** Says above the form what is wrong in it, and leads to each field. */
const errorSummary = ({ texts }: Shown, { errors }: FormState): Html | null =>
  Object.keys(errors).length === 0
    ? null
    : html`<div class="notice bad" role="alert" tabindex="-1" id="errors"><strong>${texts.errors.title}</strong><ul>${Object.entries(errors).map(([name, error]) => html`<li><a href="#${name}">${error}</a></li>`)}</ul></div>`
