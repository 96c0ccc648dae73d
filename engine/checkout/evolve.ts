import { assert, unreachable } from '../shared/assert.ts'
import type { PaymentLink, PaymentLinkFact } from './link.ts'
import { type CheckoutSession, type CheckoutSessionFact, liveTry, type Try } from './session.ts'

/** Applies a fact to a session. */
export const evolveSession = (
  session: CheckoutSession | undefined,
  event: CheckoutSessionFact,
): CheckoutSession => {
  const { atMs } = event
  if (event.type === 'SessionOpened') {
    assert(session === undefined, 'a session is opened once')
    return {
      id: event.id,
      status: 'OPEN',
      version: 1,
      tries: [],
      transactionId: null,
      subscriptionId: null,
      isCardBlocked: false,
      receiptEmail: null,
      language: 'pt',
      isOver: false,
      createdAtMs: atMs,
      updatedAtMs: atMs,
      completedAtMs: null,
      ...event.session,
    }
  }
  assert(session !== undefined, `${event.type} follows SessionOpened`)
  return { ...session, ...changesOf(session, event), version: session.version + 1, updatedAtMs: atMs }
}

const changesOf = (
  session: CheckoutSession,
  event: Exclude<CheckoutSessionFact, { readonly type: 'SessionOpened' }>,
): Partial<CheckoutSession> => {
  const { atMs } = event
  switch (event.type) {
    case 'SessionDiscounted':
      return { discount: event.discount }
    case 'TryStarted': {
      assert(liveTry(session) === null, 'one charge at a time can be paid')
      const started: Try = {
        ...event.started,
        status: 'PENDING',
        failureReason: null,
        startedAtMs: atMs,
        endedAtMs: null,
      }
      const { customer, customerId, receiptEmail, language, customValues } = event
      return {
        status: 'PROCESSING',
        isCardBlocked: false,
        tries: [...session.tries, started],
        customer,
        customerId,
        receiptEmail,
        language,
        customValues,
      }
    }
    case 'SessionMandateOffered':
      return { tries: tried(session, event.number, { mandateId: event.mandateId }) }
    case 'CardBlocked':
      return { isCardBlocked: true }
    case 'TryEnded':
      return {
        status: 'OPEN',
        tries: tried(session, event.number, {
          status: 'ENDED',
          failureReason: event.failureReason,
          endedAtMs: atMs,
        }),
      }
    case 'SessionCompleted':
      return {
        status: 'COMPLETED',
        isOver: false,
        completedAtMs: atMs,
        transactionId: session.tries[event.number - 1]!.transactionId,
        subscriptionId: event.subscriptionId,
        tries: tried(session, event.number, { status: 'PAID', endedAtMs: atMs }),
      }
    case 'SessionOver':
      return { isOver: true }
    case 'SessionProlonged':
      return { expiresAtMs: event.expiresAtMs, isProlonged: true }
    case 'SessionExpired':
      return { status: 'EXPIRED', isOver: false }
    case 'SessionCleared':
      return { customer: null, customerId: null, receiptEmail: null, customValues: {} }
    default:
      return unreachable(event)
  }
}

const tried = ({ tries }: CheckoutSession, number: number, changes: Partial<Try>): readonly Try[] =>
  tries.map((one) => (one.number === number ? { ...one, ...changes } : one))

/** Applies a fact to a link. */
export const evolveLink = (link: PaymentLink | undefined, event: PaymentLinkFact): PaymentLink => {
  const { atMs } = event
  if (event.type === 'LinkCreated') {
    assert(link === undefined, 'a link is created once')
    return {
      id: event.id,
      active: true,
      version: 1,
      isUsed: false,
      paymentsCount: 0,
      paidCents: 0n,
      holds: [],
      createdAtMs: atMs,
      updatedAtMs: atMs,
      ...event.link,
    }
  }
  assert(link !== undefined, `${event.type} follows LinkCreated`)
  return { ...link, ...linkChanges(link, event), version: link.version + 1, updatedAtMs: atMs }
}

const linkChanges = (
  link: PaymentLink,
  event: Exclude<PaymentLinkFact, { readonly type: 'LinkCreated' }>,
): Partial<PaymentLink> => {
  switch (event.type) {
    case 'LinkChanged':
      return { ...event.changes, offer: { ...link.offer, ...event.changes.offer } }
    case 'LinkUsed':
      return { isUsed: true }
    case 'LinkHeld':
      return { holds: [...link.holds, event.sessionId] }
    case 'LinkReleased':
      return { holds: link.holds.filter((id) => id !== event.sessionId) }
    case 'LinkPaid':
      return {
        paymentsCount: link.paymentsCount + 1,
        paidCents: link.paidCents + BigInt(event.cents),
        holds: link.holds.filter((id) => id !== event.sessionId),
      }
    default:
      return unreachable(event)
  }
}
