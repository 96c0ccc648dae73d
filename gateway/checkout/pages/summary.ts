import type { PlanTerms } from '../../../engine/billing/catalog/plan.ts'
import type { Item } from '../../../engine/checkout/offer.ts'
import { nameForPayers } from '../../../engine/companies/checkout-branding.ts'
import type { PageTexts } from '../texts/pt.ts'
import { reais } from '../texts/texts.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'

type Sum = {
  readonly totalCents: number
  readonly title: string | null
  readonly items: readonly Item[]
  /** What the total differs by from the items. */
  readonly discount: { readonly code: string; readonly cents: number } | null
  readonly interestCents: number
  /** What is subscribed to; missing for a payment. */
  readonly plan?: PlanTerms | undefined
  /** Instead of an amount, where the payer decides it. */
  readonly open?: boolean
  readonly isPaid?: boolean
}

/** What is paid, to whom and for what; the amount is the largest thing on the page. */
export const orderSummary = (
  { texts, company }: Shown,
  { totalCents, title, items, discount, interestCents, plan, open, isPaid }: Sum,
): Html => html`
<p class="what">${title ?? texts.payTo(nameForPayers(company))}</p>
${!open && html`<p class="total"><span class="hidden">${isPaid ? texts.paidTotal : texts.toPay}: </span><span data-sum="${reais(totalCents)}">${reais(totalCents)}</span></p>`}
${plan && planTerms(texts, plan)}
${
  (items.length > 0 || (discount?.cents ?? 0) > 0 || interestCents > 0 || (plan?.setupFeeCents ?? 0) > 0) &&
  html`<details class="items"${items.length <= 3 && html` open`}><summary>${texts.summary}</summary><ul>
${items.map(
  ({ name, quantity, unitCents }) =>
    html`<li><span>${name}${quantity > 1 && html` <small>${texts.quantityOf(quantity, reais(unitCents))}</small>`}</span><span>${reais(quantity * unitCents)}</span></li>`,
)}
${plan && planLines(texts, plan)}
${discount !== null && discount.cents > 0 && html`<li><span>${texts.discount(discount.code)}</span><span>${`−${reais(discount.cents)}`}</span></li>`}
${interestCents > 0 && html`<li><span>${texts.interest}</span><span>${reais(interestCents)}</span></li>`}
</ul></details>`
}`

/** What a subscription goes on to cost, and until when. */
const planTerms = ({ plan: say }: PageTexts, plan: PlanTerms): Html => {
  const price = say.price(reais(plan.amountCents), say.every(plan.interval, plan.intervalCount))
  const { trialDays, maxCycles } = plan
  return html`<p class="terms">${trialDays > 0 ? say.trial(trialDays, price) : price}<br>${maxCycles === null ? say.untilCancelled : say.cycles(maxCycles)}</p>
${trialDays > 0 && html`<p class="hint">${say.verified}</p>`}`
}

/** What the first invoice is made of. */
const planLines = (
  { plan: say }: PageTexts,
  { name, amountCents, setupFeeCents, trialDays }: PlanTerms,
): Html | null =>
  trialDays > 0
    ? null
    : html`<li><span>${name}</span><span>${reais(amountCents)}</span></li>
${setupFeeCents > 0 && html`<li><span>${say.setupFee}</span><span>${reais(setupFeeCents)}</span></li>`}`
