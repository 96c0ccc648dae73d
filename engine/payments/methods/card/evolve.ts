import { toCents } from '../../../shared/money.ts'
import {
  type Evolvers,
  nextVersion,
  unanswered,
  withChargeback,
  without,
} from '../../transaction/evolvers.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import { withCard } from './card.ts'
import type { CaptureRefused, CardFact, VoidRefused } from './facts.ts'

const refused = (transaction: Transaction, event: CaptureRefused | VoidRefused): Transaction => {
  const calls = without(transaction.calls, event.callId)
  return nextVersion(transaction, event, { calls }, { message: event.message })
}

/** How card facts change a transaction. */
export const cardEvolvers: Evolvers<CardFact> = {
  AuthorizationPending: (transaction, event) =>
    nextVersion(transaction, event, {
      status: 'PROCESSING',
      calls: unanswered(transaction.calls, event.callId, event.dueAtMs),
    }),
  CardApproved: (transaction, event) => {
    const { callId, acquirer, feeCents, receivables, atMs } = event
    const { amountCents } = transaction
    const means = withCard(transaction, {
      acquirer,
      authorizedAtMs: atMs,
      capturedAtMs: atMs,
      capturedCents: amountCents,
    })
    return nextVersion(transaction, event, {
      status: 'APPROVED',
      paidCents: amountCents,
      feeCents,
      receivables,
      approvedAtMs: atMs,
      means,
      calls: without(transaction.calls, callId),
    })
  },
  CardAuthorized: (transaction, event) => {
    const { callId, acquirer, expiresAtMs, atMs } = event
    const means = withCard(transaction, { acquirer, authorizedAtMs: atMs })
    const calls = without(transaction.calls, callId)
    return nextVersion(transaction, event, { status: 'AUTHORIZED', expiresAtMs, means, calls })
  },
  CardDeclined: (transaction, event) => {
    const { callId, acquirer, failureReason, failureDetail, atMs } = event
    return nextVersion(transaction, event, {
      status: 'DECLINED',
      failureReason,
      failureDetail,
      failedAtMs: atMs,
      means: withCard(transaction, { acquirer }),
      calls: without(transaction.calls, callId),
    })
  },
  AuthorizationTimedOut: (transaction, event) =>
    nextVersion(transaction, event, {
      status: 'FAILED',
      failureReason: 'ACQUIRER_TIMEOUT',
      failedAtMs: event.atMs,
      calls: without(transaction.calls, event.callId),
    }),
  CardCaptured: (transaction, event) => {
    const { callId, capturedCents, feeCents, receivables, atMs } = event
    return nextVersion(transaction, event, {
      status: 'APPROVED',
      paidCents: capturedCents,
      feeCents,
      receivables,
      approvedAtMs: atMs,
      means: withCard(transaction, { capturedAtMs: atMs, capturedCents }),
      calls: without(transaction.calls, callId),
    })
  },
  AuthorizationReversed: (transaction, event) =>
    nextVersion(transaction, event, { calls: without(transaction.calls, event.callId) }),
  CaptureRefused: refused,
  VoidRefused: refused,
  CardVoided: (transaction, event) =>
    nextVersion(transaction, event, {
      status: 'CANCELLED',
      failureReason: 'CANCELLED',
      cancelReason: event.reason,
      cancelledAtMs: event.atMs,
      calls: without(transaction.calls, event.callId),
    }),
  ChargebackOpened: (transaction, event) => {
    const { chargeback, reversal } = event
    const { reversals } = transaction
    return nextVersion(
      transaction,
      event,
      {
        status: 'CHARGEBACK',
        receivables: reversal.receivables,
        reversals: { ...reversals, chargebacks: [...reversals.chargebacks, chargeback] },
      },
      { chargebackId: chargeback.id, amount: String(chargeback.amountCents) },
    )
  },
  ChargebackGrown: (transaction, event) => {
    const { chargebackId, reversal, feeCents, atMs } = event
    const before = transaction.reversals.chargebacks.find(({ id }) => id === chargebackId)!
    const amountCents = toCents(before.amountCents + reversal.amountCents)
    const reversals = withChargeback(transaction.reversals, chargebackId, {
      amountCents,
      feeCents: toCents(before.feeCents + feeCents),
      updatedAtMs: atMs,
    })
    return nextVersion(
      transaction,
      event,
      { receivables: reversal.receivables, reversals },
      { chargebackId, amount: String(amountCents) },
    )
  },
  ChargebackDisputed: (transaction, event) => {
    const { chargebackId, text, atMs } = event
    const reversals = withChargeback(transaction.reversals, chargebackId, {
      status: 'UNDER_REVIEW',
      defense: { text, submittedAtMs: atMs },
      updatedAtMs: atMs,
    })
    return nextVersion(transaction, event, { reversals }, { chargebackId })
  },
  ChargebackWon: (transaction, event) => {
    const { chargebackId, release, atMs } = event
    const { statusBefore } = transaction.reversals.chargebacks.find(({ id }) => id === chargebackId)!
    const resolved = { status: 'WON', resolvedAtMs: atMs, updatedAtMs: atMs } as const
    return nextVersion(
      transaction,
      event,
      {
        status: statusBefore,
        receivables: release.receivables,
        reversals: withChargeback(transaction.reversals, chargebackId, resolved),
      },
      { chargebackId },
    )
  },
  ChargebackLost: (transaction, event) => {
    const { chargebackId, lostReason, receivables, atMs } = event
    const { feeCents } = transaction.reversals.chargebacks.find(({ id }) => id === chargebackId)!
    const resolved = { status: 'LOST', lostReason, resolvedAtMs: atMs, updatedAtMs: atMs } as const
    return nextVersion(
      transaction,
      event,
      {
        receivables,
        feeCents: toCents(transaction.feeCents - feeCents),
        reversals: withChargeback(transaction.reversals, chargebackId, resolved),
      },
      { chargebackId, lostReason },
    )
  },
}
