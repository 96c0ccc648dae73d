import type { Item } from '../../../engine/checkout/offer.ts'
import { reais } from '../texts/texts.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'
import { shopName } from './shown.ts'

type Sum = {
  readonly totalCents: number
  readonly title: string | null
  readonly items: readonly Item[]
  /** What the total differs by from the items. */
  readonly discount: { readonly code: string; readonly cents: number } | null
  readonly interestCents: number
  /** Instead of an amount, where the payer decides it. */
  readonly open?: boolean
  readonly isPaid?: boolean
}

/** What is paid, to whom and for what; the amount is the largest thing on the page. */
export const orderSummary = (
  { texts, company }: Shown,
  { totalCents, title, items, discount, interestCents, open, isPaid }: Sum,
): Html => html`
<p class="what">${title ?? texts.payTo(shopName(company))}</p>
${!open && html`<p class="total"><span class="hidden">${isPaid ? texts.paidTotal : texts.toPay}: </span><span data-sum="${reais(totalCents)}">${reais(totalCents)}</span></p>`}
${
  (items.length > 0 || discount !== null || interestCents > 0) &&
  html`<details class="items"${items.length <= 3 && html` open`}><summary>${texts.summary}</summary><ul>
${items.map(
  ({ name, quantity, unitCents }) =>
    html`<li><span>${name}${quantity > 1 && html` <small>${texts.quantityOf(quantity, reais(unitCents))}</small>`}</span><span>${reais(quantity * unitCents)}</span></li>`,
)}
${discount && html`<li><span>${texts.discount(discount.code)}</span><span>${`−${reais(discount.cents)}`}</span></li>`}
${interestCents > 0 && html`<li><span>${texts.interest}</span><span>${reais(interestCents)}</span></li>`}
</ul></details>`
}`
