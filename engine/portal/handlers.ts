import { insecureUrl } from '../checkout/offer.ts'
import type { Decider, Deciders } from '../kernel/decider.ts'
import { factOf } from '../kernel/fact.ts'
import type { Answerers } from '../kernel/reader.ts'
import { environmentOf } from '../shared/ids.ts'
import { unlessRemoved } from '../shared/unless-removed.ts'
import { type FindPortal, type OpenPortal, portalLifeMs } from './portal.ts'

/** Opens a portal for a customer who has an address to come back to with TLS. */
const openPortal: Decider<OpenPortal> = (
  draft,
  { portalSessionId: id, ofCustomer, returnUrl, tokenHash },
) => {
  const { id: accountId } = draft.account()
  if (!draft.context.institution.hasPages) return { reason: 'PAGES_NOT_SET_UP' }
  if (draft.find('customer', ofCustomer) === undefined)
    return { reason: 'REFERENCE_NOT_FOUND', field: 'customerId' }
  if (environmentOf(accountId) === 'PRODUCTION' && insecureUrl({ successUrl: returnUrl }) !== null)
    return { reason: 'INSECURE_URL', field: 'returnUrl' }
  const expiresAtMs = draft.context.nowMs + portalLifeMs
  draft.add({
    type: 'PortalOpened',
    portal: { accountId, customerId: ofCustomer, returnUrl, expiresAtMs, tokenHash },
    ...factOf(draft, 'portalSession', id),
  })
  return null
}

export const portalDeciders: Deciders<OpenPortal> = { OpenPortal: openPortal }

export const portalAnswers: Answerers<FindPortal> = {
  FindPortal: ({ accountId, hash, planIds }, { memory, result, nowMs }) => {
    const portal = memory.lookup('portalSession', accountId, hash)[0]?.state
    if (portal === undefined || portal.expiresAtMs <= nowMs) return result(null)
    const { customerId } = portal
    const customer = memory.find('customer', customerId)?.state
    if (customer === undefined) return result(null)
    const subscriptions = memory.lookup('subscription', accountId, customerId).map(({ state }) => state)
    const invoices = memory.lookup('invoice', accountId, customerId).map(({ state }) => state)
    const plans = planIds.flatMap((id) => unlessRemoved(memory.find('plan', id)?.state) ?? [])
    return result({
      portal,
      customer,
      subscriptions: subscriptions.reverse().slice(0, shownMax),
      invoices: invoices.reverse().slice(0, shownMax),
      plans: plans.filter(({ accountId: of, active }) => active && of === accountId),
      nowMs,
    })
  },
}

/** Who has more of them asks the company. */
const shownMax = 50
