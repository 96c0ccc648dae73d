import type { Company } from '../../engine/companies/company.ts'
import type { Checkout, Visit } from './checkout.ts'
import type { ShownPortal } from './pages/portal.ts'
import { shownTo } from './shown-to.ts'

/** What a page of the portal shows and needs. */
export const shownInPortal = (
  checkout: Checkout,
  visit: Visit,
  company: Company,
  nowMs: number,
): ShownPortal => ({
  ...shownTo(checkout, visit, company, {
    kind: 'p',
    offer: portalOffer,
    // Who holds the link is the customer: nothing is guessed here.
    defence: { asksWork: false, takesCards: true },
    nowMs,
  }),
  path: visit.request.path,
  home: `/p/${visit.token}`,
})

/** No merchant's page frames it. */
export const portalOffer = { locale: 'auto', embedOrigins: null, threeDSecure: 'OFF', methods: [] } as const
