import { assert, unreachable } from '../shared/assert.ts'
import { toCents } from '../shared/money.ts'
import type { MoneyOut, MoneyOutCall, MoneyOutFact } from './money-out.ts'

/** Applies a fact to money on its way out. */
export const evolveMoneyOut = <Out extends MoneyOut>(state: Out | undefined, event: MoneyOutFact): Out => {
  const { id, atMs } = event
  if (event.type === 'MoneyOutCreated') {
    assert(state === undefined, 'money out is created once')
    const { created, runsAtMs, counts } = event
    const status = created.approvalEndsAtMs === null ? 'SCHEDULED' : 'PENDING_APPROVAL'
    const dates = { version: 1, createdAtMs: atMs, updatedAtMs: atMs }
    return { id, ...created, status, runsAtMs, counts, ...nothingYet, ...dates } as unknown as Out
  }
  assert(state !== undefined, `${event.type} follows MoneyOutCreated`)
  const changed = { ...state, version: state.version + 1, updatedAtMs: atMs }
  switch (event.type) {
    case 'MoneyOutDecided':
      return { ...changed, decisions: [...state.decisions, event.decision] }
    case 'MoneyOutScheduled': {
      const { runsAtMs, counts } = event
      return { ...changed, status: 'SCHEDULED', runsAtMs, counts, approvalEndsAtMs: null }
    }
    case 'MoneyOutRecalled':
      return {
        ...changed,
        status: 'PENDING_APPROVAL',
        approvalsRequired: 1,
        approvalReasons: [...state.approvalReasons, 'CREATOR_REMOVED'],
        // On its day it is cancelled instead of sent.
        approvalEndsAtMs: state.runsAtMs,
        askedAtMs: event.askedAtMs,
        counts: [],
      }
    case 'MoneyOutPostponed':
      return { ...changed, runsAtMs: event.runsAtMs }
    case 'MoneyOutCancelled':
      return { ...changed, status: 'CANCELLED', cancelReason: event.cancelReason, approvalEndsAtMs: null }
    case 'MoneyOutRouted':
      return { ...state, connectionId: event.connectionId }
    case 'RouteChosen':
      return { ...state, routeReason: event.route.reason }
    case 'MoneyOutSent': {
      const { callId, providerId, railId } = event
      const call = { id: callId, providerId, openedAtMs: atMs, unanswered: 0, dueAtMs: null }
      const counts = [...state.counts, ...event.counts]
      return { ...changed, status: 'PROCESSING', call, railId, counts, approvalEndsAtMs: null }
    }
    case 'MoneyOutIdentified':
      return { ...state, railId: event.railId }
    case 'MoneyOutNumbered':
      return { ...state, call: { ...state.call!, bankNumber: event.bankNumber } }
    case 'MoneyOutCharged':
      return { ...state, feeCents: toCents(state.feeCents + event.tariffCents) }
    case 'MoneyOutUnanswered':
      return { ...changed, call: postponed(state.call!, event.dueAtMs) }
    case 'MoneyOutSentAgain':
      return { ...changed, call: { ...state.call!, dueAtMs: null } }
    case 'MoneyOutBroadcast': {
      const { railId, dueAtMs } = event
      return { ...changed, status: 'BROADCAST', railId, call: postponed(state.call!, dueAtMs) }
    }
    case 'MoneyOutCompleted': {
      const railId = event.railId ?? state.railId
      const { isFirst, issuer } = event
      const completed = {
        ...changed,
        status: 'COMPLETED',
        call: null,
        railId,
        isFirst,
        completedAtMs: atMs,
        // It may have failed by the word of people.
        failureReason: null,
        providerCode: null,
      }
      return issuer === undefined ? completed : { ...completed, issuer }
    }
    case 'MoneyOutFailed': {
      const { failureReason, providerCode } = event
      return { ...changed, status: 'FAILED', call: null, failureReason, providerCode }
    }
    case 'OutcomeLost':
      return { ...changed, lostAtMs: atMs }
    case 'OutcomeDeclared':
      return { ...changed, declared: { ...event.declaration, by: event.by, atMs, confirmedBy: null } }
    case 'OutcomeConfirmed':
      return { ...changed, declared: { ...state.declared!, confirmedBy: event.by } }
    case 'MoneyOutCameBack':
      return { ...changed, returns: [...(state.returns ?? []), event.part] }
    default:
      return unreachable(event)
  }
}

const postponed = (call: MoneyOutCall, dueAtMs: number): MoneyOutCall => ({
  ...call,
  unanswered: call.unanswered + 1,
  dueAtMs,
})

const nothingYet = {
  decisions: [],
  call: null,
  railId: null,
  cancelReason: null,
  failureReason: null,
  providerCode: null,
  isFirst: false,
  completedAtMs: null,
} as const
