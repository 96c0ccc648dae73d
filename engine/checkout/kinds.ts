import { redemptionKey } from '../billing/subscription/redemption-key.ts'
import type { ActorDefinition } from '../kernel/actor.ts'
import { isoInstant } from '../shared/calendar.ts'
import { byClock } from '../shared/initiator.ts'
import { type CardGuard, type CardGuardFact, evolveCardGuard } from './card-guard.ts'
import { evolveLink, evolveSession } from './evolve.ts'
import { guardKey } from './guarded.ts'
import type { PaymentLink, PaymentLinkFact } from './link.ts'
import { checkoutSessionEvents } from './publishes.ts'
import type { CheckoutSession, CheckoutSessionFact } from './session.ts'
import { sessionDueAtMs } from './sessions.ts'

export const checkoutSessionKind: ActorDefinition<CheckoutSession, CheckoutSessionFact> = {
  prefix: 'cks',
  namedBy: 'checkoutSessionId',
  doesDueWorkFirst: true,
  publishes: checkoutSessionEvents,
  evolve: evolveSession,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: ({ status, tries }) => ({ status, tries: tries.length }),
  label: ({ status, linkId }) => `${status} ${linkId ?? ''}`,
  lookupKeys: ({ tokenHash, externalId, linkId, discount, customerId }) => [
    tokenHash,
    ...(externalId === null ? [] : [externalId]),
    ...(linkId === null ? [] : [linkId]),
    ...(discount === null || customerId === null ? [] : [redemptionKey(discount.couponId, customerId)]),
  ],
  timer: (session) => {
    const dueAtMs = sessionDueAtMs(session)
    if (dueAtMs === null) return null
    const { accountId, id: checkoutSessionId } = session
    return { dueAtMs, command: { type: 'LapseSession', accountId, by: byClock, checkoutSessionId } }
  },
}

export const cardGuardKind: ActorDefinition<CardGuard, CardGuardFact> = {
  prefix: 'grd',
  evolve: evolveCardGuard,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => null,
  lookupKeys: () => [guardKey],
  isKnownByKey: true,
  isAside: () => true,
}

export const paymentLinkKind: ActorDefinition<PaymentLink, PaymentLinkFact> = {
  prefix: 'lnk',
  namedBy: 'paymentLinkId',
  evolve: evolveLink,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: ({ name, title, active, price, maxPayments, expiresAtMs, offer }) => ({
    name,
    title,
    active,
    amount: price.mode === 'FIXED' ? price.amountCents : null,
    maxPayments,
    expiresAt: expiresAtMs === null ? null : isoInstant(expiresAtMs),
    successUrl: offer.successUrl,
  }),
  label: ({ active }) => (active ? 'active' : 'inactive'),
  lookupKeys: ({ tokenHash }) => [tokenHash],
}
