import type { Offer } from '../../engine/checkout/offer.ts'
import type { CardDefence } from '../../engine/checkout/queries.ts'
import type { Company } from '../../engine/companies/company.ts'
import { environmentOf } from '../../engine/shared/ids.ts'
import type { Checkout, Visit } from './checkout.ts'
import type { PageFraming } from './headers.ts'
import { readPageQuery } from './page-query.ts'
import type { Shown } from './pages/shown.ts'
import { textsIn } from './texts/texts.ts'
import { tokenizerFor } from './tokenizer-frame.ts'
import { workBits } from './work.ts'

/** What the page of a visit shows and needs, of a session (`/c`), a link (`/l`) or a customer's portal (`/p`). */
export const shownTo = (
  checkout: Checkout,
  { request, token, accountId }: Visit,
  company: Company,
  {
    kind,
    offer,
    defence,
    nowMs,
  }: {
    readonly kind: 'c' | 'l' | 'p'
    readonly offer: Pick<Offer, 'locale' | 'embedOrigins' | 'threeDSecure' | 'methods'>
    readonly defence: CardDefence
    readonly nowMs: number
  },
): Shown => {
  const { language, embeddedIn, query } = readPageQuery(request, offer)
  return {
    company,
    isTest: environmentOf(accountId) === 'SANDBOX',
    language,
    texts: textsIn(language),
    path: `/${kind}/${token}`,
    query,
    nowMs,
    workBits: defence.asksWork ? workBits : null,
    tokenizer: defence.takesCards ? tokenizerFor(checkout, language, offer) : null,
    embeddedIn,
  }
}

/** Who may frame the page of an offer, and what it may frame. */
export const pageFraming = (
  { tokenizerOrigin }: Checkout,
  { embedOrigins }: Pick<Offer, 'embedOrigins'>,
): PageFraming => ({ tokenizer: tokenizerOrigin() || null, embedOrigins: embedOrigins ?? [] })
