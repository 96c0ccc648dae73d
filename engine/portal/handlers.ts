import { insecureUrl } from '../checkout/offer.ts'
import { addressKey } from '../customers/registered-customer.ts'
import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Answerers } from '../kernel/reader.ts'
import { bounds } from '../shared/bounds.ts'
import { type CustomerId, environmentOf, type PortalSessionId } from '../shared/ids.ts'
import { unlessRemoved } from '../shared/unless-removed.ts'
import {
  type EnterPortal,
  type FindPortal,
  type FindPortalMail,
  type ListWaitingPortals,
  type MailPortals,
  mailedTo,
  type NewPortal,
  type OpenPortal,
  type PortalSession,
  portalLifeMs,
  type RecordPortalMail,
  waitingPortals,
} from './portal.ts'

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
  addPortal(draft, id, { accountId, customerId: ofCustomer, returnUrl, tokenHash, mailedIn: null })
  return null
}

const addPortal = (draft: Draft, id: PortalSessionId, portal: Omit<NewPortal, 'expiresAtMs'>): void =>
  draft.add({
    type: 'PortalOpened',
    portal: { ...portal, expiresAtMs: draft.context.nowMs + portalLifeMs },
    ...factOf(draft, 'portalSession', id),
  })

const mailPortals: Decider<MailPortals> = (draft, { email, language, portals }) => {
  const { id: accountId } = draft.account()
  if (!draft.context.institution.sendsMail) return { reason: 'MAIL_NOT_SET_UP' }
  const customers = draft
    .lookup('customer', addressKey(email))
    .filter(({ id }) => draft.lookup('subscription', id).length > 0 && !isMailedEnough(draft, id))
  for (const [n, { id: customerId }] of customers.slice(-portals.length).entries()) {
    const { id, tokenHash } = portals[n]!
    addPortal(draft, id, { accountId, customerId, returnUrl: null, tokenHash, mailedIn: language })
  }
  return null
}

/** Whether a customer was sent as many links as an hour allows, which keeps strangers from filling a box. */
const isMailedEnough = (draft: Draft, customerId: CustomerId): boolean => {
  const { nowMs } = draft.context
  const sinceMs = nowMs - bounds.portalMailsMs
  const mailed = [sinceMs, nowMs].flatMap((atMs) => draft.lookup('portalSession', mailedTo(customerId, atMs)))
  return mailed.filter(({ createdAtMs }) => createdAtMs > sinceMs).length >= bounds.portalMailsMax
}

const recordPortalMail: Decider<RecordPortalMail> = (draft, { portalSessionId: id }) => {
  const found = draft.find('portalSession', id)
  if (found === undefined) return { reason: 'NOT_FOUND', resource: 'portal_session' }
  if (found.isWaiting) draft.add({ type: 'PortalMailQueued', ...factOf(draft, 'portalSession', id) })
  return null
}

const enterPortal: Decider<EnterPortal> = (draft, { portalSessionId: id, entered }) => {
  const found = draft.find('portalSession', id)
  if (found === undefined || !isEntry(found, draft.context.nowMs))
    return { reason: 'NOT_FOUND', resource: 'portal_session' }
  const { accountId, customerId } = found
  draft.add({ type: 'PortalEntered', ...factOf(draft, 'portalSession', id) })
  const { tokenHash } = entered
  addPortal(draft, entered.id, { accountId, customerId, returnUrl: null, tokenHash, mailedIn: null })
  return null
}

const isOpenAt = ({ expiresAtMs }: PortalSession, nowMs: number): boolean => expiresAtMs > nowMs

/** Whether it is the link of a mail that can still be used. */
const isEntry = (portal: PortalSession, nowMs: number): boolean =>
  isOpenAt(portal, nowMs) && portal.mailedIn !== null && portal.enteredAtMs === null

export const portalDeciders: Deciders<OpenPortal | MailPortals | RecordPortalMail | EnterPortal> = {
  OpenPortal: openPortal,
  MailPortals: mailPortals,
  RecordPortalMail: recordPortalMail,
  EnterPortal: enterPortal,
}

export const portalAnswers: Answerers<FindPortal | ListWaitingPortals | FindPortalMail> = {
  FindPortal: ({ accountId, hash, planIds }, { memory, result, nowMs }) => {
    const portal = memory.lookup('portalSession', accountId, hash)[0]?.state
    if (portal === undefined || !isOpenAt(portal, nowMs)) return result(null)
    if (portal.mailedIn !== null)
      return result(isEntry(portal, nowMs) ? { type: 'ENTRY', portal, nowMs } : null)
    const { customerId } = portal
    const customer = memory.find('customer', customerId)?.state
    if (customer === undefined) return result(null)
    const subscriptions = memory.lookup('subscription', accountId, customerId).map(({ state }) => state)
    const invoices = memory.lookup('invoice', accountId, customerId).map(({ state }) => state)
    const plans = planIds.flatMap((id) => unlessRemoved(memory.find('plan', id)?.state) ?? [])
    return result({
      type: 'PORTAL',
      portal,
      customer,
      subscriptions: subscriptions.reverse().slice(0, shownMax),
      invoices: invoices.reverse().slice(0, shownMax),
      plans: plans.filter(({ accountId: of, active }) => active && of === accountId),
      nowMs,
    })
  },
  ListWaitingPortals: ({ accountId }, { memory, result }) =>
    result(memory.lookup('portalSession', accountId, waitingPortals).map(({ state }) => state.id)),
  FindPortalMail: ({ portalSessionId }, { find, memory, nowMs, result }) => {
    const portal = find('portalSession', portalSessionId).value
    const customer = portal && memory.find('customer', portal.customerId)?.state.customer
    if (!portal || !customer?.email || !isEntry(portal, nowMs)) return result(null)
    return result({ to: customer.email, name: customer.name, language: portal.mailedIn! })
  },
}

/** Who has more of them asks the company. */
const shownMax = 50
