import type { ActorDefinition } from '../../kernel/actor.ts'
import type { ProviderCalls } from '../../kernel/calls.ts'
import type { AnyFact } from '../../kernel/registry.ts'
import { refundedCents } from './amounts.ts'
import { keyOfAnswer } from './calls.ts'
import { evolveTransaction } from './evolve.ts'
import type { ProviderCalled, TransactionFact } from './facts.ts'
import { providerRequest } from './provider-request.ts'
import { transactionEvents } from './publishes.ts'
import { otherIdsOf } from './row.ts'
import type { ProviderOperation, Transaction } from './transaction.ts'

/** No request waits for a reversal, for money that goes back by itself, or for what the clock asks about a charge. */
const isAwaited = ({ call: { operation }, by }: ProviderCalled): boolean =>
  operation === 'CANCEL' ? by.kind !== 'CLOCK' : !unawaited.includes(operation)

const unawaited: readonly ProviderOperation[] = ['REVERSE', 'RETURN', 'READ_CHARGE', 'DEFEND_MED']

/** Card authorizations, captures, refunds and so on are calls. */
const calls: ProviderCalls<Transaction, TransactionFact> = {
  madeBy: (event) => {
    if (event.type === 'ProviderCalled') return event.call.id
    return event.type === 'ProviderCalledAgain' ? event.callId : null
  },
  awaitedBy: (event) => (event.type === 'ProviderCalled' && isAwaited(event) ? event.call.id : null),
  answeredBy: (event) => ('callId' in event && event.type !== 'ProviderCalledAgain' ? event.callId : null),
  request: (transaction, callId, nowMs) =>
    providerRequest(transaction, transaction.calls.find(({ id }) => id === callId)!, nowMs),
  onTheirWay: ({ calls }) => calls.filter(({ dueAtMs }) => dueAtMs === null).map(({ id }) => id),
  isOpen: ({ calls }, callId) => calls.some(({ id }) => id === callId),
  keyOfAnswer: ({ calls }, callId, event) => {
    const call = calls.find(({ id }) => id === callId)
    return call === undefined ? null : keyOfAnswer(call, event)
  },
  // A failed call leaves its key free. A refund exists from its request on.
  withoutCall: (events) => {
    const left = events.filter(({ type }) => type !== 'ProviderCalled')
    return left.some(({ type }) => type === 'RefundRequested') ? left : null
  },
}

export const transactionKind: ActorDefinition<Transaction, TransactionFact> = {
  prefix: 'txn',
  evolve: evolveTransaction,
  publishes: transactionEvents,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  lookupKeys: otherIdsOf,
  reversals: ({ reversals: { refunds, chargebacks, meds } }) =>
    refunds.length === 0 && chargebacks.length === 0 && meds.length === 0
      ? none
      : [
          ...refunds.map(({ id, completedAtMs }) => ({ id, countsAtMs: completedAtMs })),
          ...[...chargebacks, ...meds].map(({ id, openedAtMs }) => ({ id, countsAtMs: openedAtMs })),
        ],
  awaitsProvider: ({ calls }) => calls.some(({ dueAtMs }) => dueAtMs === null),
  isOver: ({ status }) => status === 'EXPIRED',
  calls,
  namedBy: 'transactionId',
  doesDueWorkFirst: true,
  auditedFields: (transaction) => {
    const { refunds, chargebacks, meds } = transaction.reversals
    return {
      status: transaction.status,
      amount: transaction.amountCents,
      paidAmount: transaction.paidCents,
      refundedAmount: refundedCents(transaction),
      refunds: refunds.map(({ id, amountCents: amount, status, reason }) => ({ id, amount, status, reason })),
      chargebacks: chargebacks.map(({ id, status }) => ({ id, status })),
      meds: meds.map(({ id, status }) => ({ id, status })),
    }
  },
  // A MED blocks money that any command in the account has made available.
  isAside: ({ type }) => type === 'MedBlocked',
  // A dispute can end refunds or create one, so the command decides which of the two is meant.
  reversalIdOf: ({ type }, events, state) =>
    type === 'RequestRefund' || type === 'CancelCardPayment'
      ? refundOf(events, state)
      : (disputeOf(events) ?? refundOf(events, state)),
}

const disputeOf = (events: readonly AnyFact[]): string | null => {
  for (const event of events) {
    if (event.actor !== 'transaction' || event.type === 'MedBlocked') continue
    if ('chargebackId' in event) return event.chargebackId
    if ('chargeback' in event) return event.chargeback.id
    if ('medId' in event) return event.medId
    if ('med' in event) return event.med.id
  }
  return null
}

const refundOf = (events: readonly AnyFact[], { calls }: Transaction): string | null => {
  for (const event of events) {
    if (event.actor !== 'transaction') continue
    if ('refundId' in event) return event.refundId
    if (event.type === 'ProviderSilent') return calls.find(({ id }) => id === event.callId)?.refundId ?? null
  }
  return null
}

const none: readonly never[] = []
