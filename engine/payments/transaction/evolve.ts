import { refundShares } from '../../ledger/receivables.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import type { Metadata } from '../../shared/metadata.ts'
import { toCents } from '../../shared/money.ts'
import { refundedCents } from './amounts.ts'
import type { ChargeCreated, RefundCompleted, TransactionEvent } from './events.ts'
import type { Card, ProviderCall, Refund, Reversals, Transaction } from './transaction.ts'

/** What a fact makes of a transaction. Facts cannot be refused: an impossible one is a broken invariant. */
export const evolveTransaction = (
  transaction: Transaction | undefined,
  event: TransactionEvent,
): Transaction => {
  if (event.type === 'ChargeCreated') {
    assert(transaction === undefined, 'a charge is created once')
    return created(event)
  }
  if (event.type === 'TransactionSeeded') {
    assert(transaction === undefined, 'a transaction is seeded once')
    const { by: actor, atMs, type } = event
    const { status } = event.transaction
    return {
      ...event.transaction,
      version: 1,
      timeline: [{ version: 1, type, status, actor, atMs, data: {} }],
    }
  }
  assert(transaction !== undefined, `${event.type} follows ChargeCreated`)
  switch (event.type) {
    case 'ChargeIssued': {
      const { txid, copyPaste, expiresAtMs } = event
      const pix = { ...transaction.pix!, txid, copyPaste }
      return step(transaction, event, { status: 'PENDING', expiresAtMs, pix })
    }
    case 'BoletoIssued': {
      const { numbers, pix, lateAtMs, expiresAtMs } = event
      return step(transaction, event, {
        status: 'PENDING',
        expiresAtMs,
        pix,
        boleto: { ...transaction.boleto!, numbers, lateAtMs },
      })
    }
    case 'ChargeRefused': {
      const { failureReason, atMs, callId } = event
      const calls = without(transaction.calls, callId)
      return step(transaction, event, { status: 'FAILED', failureReason, failedAtMs: atMs, calls })
    }
    case 'ChargePaid': {
      const { paidCents, feeCents, receivables, payment, atMs } = event
      const pix = { ...transaction.pix!, payment }
      return step(transaction, event, {
        status: 'APPROVED',
        paidCents,
        feeCents,
        approvedAtMs: atMs,
        receivables,
        pix,
      })
    }
    case 'ChargeExpired':
      return step(transaction, event, {
        status: 'EXPIRED',
        failureReason: transaction.status === 'AUTHORIZED' ? 'AUTHORIZATION_EXPIRED' : 'CHARGE_EXPIRED',
        expiredAtMs: event.atMs,
      })
    case 'ChargeCancelled': {
      const { reason, atMs } = event
      return step(transaction, event, {
        status: 'CANCELLED',
        failureReason: 'CANCELLED',
        cancelReason: reason,
        cancelledAtMs: atMs,
      })
    }
    case 'PaymentReturned': {
      const data = {
        receivedPixId: event.payment.receivedPixId,
        returnReason: event.returnReason,
        amount: String(event.amountCents),
      }
      return step(transaction, event, {}, data)
    }
    case 'BoletoOverdue':
      return step(transaction, event, { boleto: { ...transaction.boleto!, overdue: true } })
    case 'BoletoPaymentReported': {
      const { payment } = event
      const data = { paidAmount: String(payment.paidCents) }
      return step(
        transaction,
        event,
        { status: 'PROCESSING', boleto: { ...transaction.boleto!, payment } },
        data,
      )
    }
    case 'BoletoCleared': {
      const { payment, feeCents, receivables, atMs } = event
      return step(transaction, event, {
        status: 'APPROVED',
        paidCents: payment.paidCents,
        feeCents,
        approvedAtMs: atMs,
        receivables,
        boleto: { ...transaction.boleto!, payment },
      })
    }
    case 'ProviderCalled': {
      const { call } = event
      const data = { operation: call.operation, amount: String(call.amountCents) }
      return step(transaction, event, { calls: [...transaction.calls, call] }, data)
    }
    case 'ProviderCalledAgain':
      return step(transaction, event, { calls: changed(transaction.calls, event.callId, { dueAtMs: null }) })
    case 'ProviderSilent':
      return step(transaction, event, { calls: unanswered(transaction.calls, event.callId, event.dueAtMs) })
    case 'AuthorizationPending':
      return step(transaction, event, {
        status: 'PROCESSING',
        calls: unanswered(transaction.calls, event.callId, event.dueAtMs),
      })
    case 'CardApproved': {
      const { callId, acquirer, feeCents, receivables, atMs } = event
      const { amountCents } = transaction
      const card: Card = {
        ...transaction.card!,
        acquirer,
        authorizedAtMs: atMs,
        capturedAtMs: atMs,
        capturedCents: amountCents,
      }
      return step(transaction, event, {
        status: 'APPROVED',
        paidCents: amountCents,
        feeCents,
        receivables,
        approvedAtMs: atMs,
        card,
        calls: without(transaction.calls, callId),
      })
    }
    case 'CardAuthorized': {
      const { callId, acquirer, expiresAtMs, atMs } = event
      const card = { ...transaction.card!, acquirer, authorizedAtMs: atMs }
      const calls = without(transaction.calls, callId)
      return step(transaction, event, { status: 'AUTHORIZED', expiresAtMs, card, calls })
    }
    case 'CardDeclined': {
      const { callId, acquirer, failureReason, failureDetail, atMs } = event
      return step(transaction, event, {
        status: 'DECLINED',
        failureReason,
        failureDetail,
        failedAtMs: atMs,
        card: { ...transaction.card!, acquirer },
        calls: without(transaction.calls, callId),
      })
    }
    case 'AuthorizationTimedOut':
      return step(transaction, event, {
        status: 'FAILED',
        failureReason: 'ACQUIRER_TIMEOUT',
        failedAtMs: event.atMs,
        calls: without(transaction.calls, event.callId),
      })
    case 'CardCaptured': {
      const { callId, capturedCents, feeCents, receivables, atMs } = event
      return step(transaction, event, {
        status: 'APPROVED',
        paidCents: capturedCents,
        feeCents,
        receivables,
        approvedAtMs: atMs,
        card: { ...transaction.card!, capturedAtMs: atMs, capturedCents },
        calls: without(transaction.calls, callId),
      })
    }
    case 'AuthorizationReversed':
      return step(transaction, event, { calls: without(transaction.calls, event.callId) })
    case 'CaptureRefused':
    case 'VoidRefused': {
      const calls = without(transaction.calls, event.callId)
      return step(transaction, event, { calls }, { message: event.message })
    }
    case 'CardVoided':
      return step(transaction, event, {
        status: 'CANCELLED',
        failureReason: 'CANCELLED',
        cancelReason: event.reason,
        cancelledAtMs: event.atMs,
        calls: without(transaction.calls, event.callId),
      })
    case 'RefundRequested': {
      const { refundId, amountCents, origin, reason, address, atMs } = event
      const refund: Refund = {
        id: refundId,
        amountCents,
        status: 'PROCESSING',
        origin,
        reason,
        failureReason: null,
        feeReversedCents: toCents(0),
        split: null,
        returnId: null,
        createdAtMs: atMs,
        completedAtMs: null,
        failedAtMs: null,
      }
      const { reversals } = transaction
      return step(
        transaction,
        event,
        { reversals: { ...reversals, refunds: [...reversals.refunds, refund] } },
        {
          refundId,
          amount: String(amountCents),
          ...(reason !== null && { reason }),
          ...(address !== null && { address }),
        },
      )
    }
    case 'RefundCompleted':
      return refundCompleted(transaction, event)
    case 'RefundFailed': {
      const { refundId, failureReason, callId, atMs } = event
      const reversals = withRefund(transaction.reversals, refundId, {
        status: 'FAILED',
        failureReason,
        failedAtMs: atMs,
      })
      const calls = without(transaction.calls, callId)
      return step(transaction, event, { reversals, calls }, { refundId, failureReason })
    }
    case 'ChargebackOpened': {
      const { chargeback, reversal } = event
      const { reversals } = transaction
      return step(
        transaction,
        event,
        {
          status: 'CHARGEBACK',
          receivables: reversal.receivables,
          reversals: { ...reversals, chargebacks: [...reversals.chargebacks, chargeback] },
        },
        { chargebackId: chargeback.id, amount: String(chargeback.amountCents) },
      )
    }
    case 'ChargebackDisputed': {
      const { chargebackId, text, atMs } = event
      const reversals = withChargeback(transaction.reversals, chargebackId, {
        status: 'UNDER_REVIEW',
        defense: { text, submittedAtMs: atMs },
        updatedAtMs: atMs,
      })
      return step(transaction, event, { reversals }, { chargebackId })
    }
    case 'ChargebackWon': {
      const { chargebackId, release, atMs } = event
      const { statusBefore } = transaction.reversals.chargebacks.find(({ id }) => id === chargebackId)!
      const resolved = { status: 'WON', resolvedAtMs: atMs, updatedAtMs: atMs } as const
      return step(
        transaction,
        event,
        {
          status: statusBefore,
          receivables: release.receivables,
          reversals: withChargeback(transaction.reversals, chargebackId, resolved),
        },
        { chargebackId },
      )
    }
    case 'ChargebackLost': {
      const { chargebackId, lostReason, receivables, atMs } = event
      const { feeCents } = transaction.reversals.chargebacks.find(({ id }) => id === chargebackId)!
      const resolved = { status: 'LOST', lostReason, resolvedAtMs: atMs, updatedAtMs: atMs } as const
      return step(
        transaction,
        event,
        {
          receivables,
          feeCents: toCents(transaction.feeCents - feeCents),
          reversals: withChargeback(transaction.reversals, chargebackId, resolved),
        },
        { chargebackId, lostReason },
      )
    }
    case 'MedOpened': {
      const { med } = event
      const { reversals } = transaction
      return step(
        transaction,
        event,
        { reversals: { ...reversals, meds: [...reversals.meds, med] } },
        { medId: med.id, amount: String(med.amountCents) },
      )
    }
    case 'MedClosed': {
      const { medId, result, returnedCents, atMs } = event
      const { reversals } = transaction
      const meds = reversals.meds.map((med) =>
        med.id === medId
          ? { ...med, status: 'CLOSED' as const, result, returnedCents, closedAtMs: atMs }
          : med,
      )
      return step(transaction, event, { reversals: { ...reversals, meds } }, { medId, result })
    }
    case 'ReceivablesSettled': {
      const { receivables, settlementId } = event
      return step(transaction, event, { receivables }, { settlementId })
    }
    default:
      return unreachable(event)
  }
}

export const noReversals: Reversals = { refunds: [], chargebacks: [], meds: [] }

const created = ({ id, atMs, charge, by }: ChargeCreated): Transaction => ({
  id,
  accountId: charge.accountId,
  version: 1,
  method: charge.method,
  origin: charge.origin,
  status: 'CREATED',
  currency: 'BRL',
  amountCents: charge.amountCents,
  paidCents: toCents(0),
  feeCents: toCents(0),
  feeTerms: charge.feeTerms,
  description: charge.description,
  reference: charge.reference,
  externalId: charge.externalId,
  customer: charge.customer,
  customerId: charge.customerId,
  metadata: charge.metadata,
  subscriptionId: charge.subscriptionId,
  invoiceId: charge.invoiceId,
  attempt: charge.attempt,
  split: charge.split,
  providerId: charge.providerId,
  failureReason: null,
  failureDetail: null,
  cancelReason: null,
  pix: charge.pix,
  card: charge.card,
  boleto: charge.boleto,
  receivables: none,
  reversals: noReversals,
  calls: none,
  timeline: [{ version: 1, type: 'ChargeCreated', status: 'CREATED', actor: by, atMs, data: {} }],
  createdAtMs: atMs,
  updatedAtMs: atMs,
  approvedAtMs: null,
  expiresAtMs: null,
  expiredAtMs: null,
  cancelledAtMs: null,
  failedAtMs: null,
})

const none: readonly never[] = []

const refundCompleted = (transaction: Transaction, event: RefundCompleted): Transaction => {
  const { refundId, returnId, reversal, callId, atMs } = event
  const reversals = withRefund(transaction.reversals, refundId, {
    status: 'COMPLETED',
    feeReversedCents: reversal.feeCents,
    split: refundShares(transaction, reversal.receivables),
    returnId,
    completedAtMs: atMs,
  })
  const refunded = refundedCents({ ...transaction, reversals })
  return step(
    transaction,
    event,
    {
      status: refunded === transaction.paidCents ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
      feeCents: toCents(transaction.feeCents - reversal.feeCents),
      receivables: reversal.receivables,
      reversals,
      calls: without(transaction.calls, callId),
    },
    { refundId, amount: String(reversal.amountCents) },
  )
}

/**
 * The transaction one version on, with what else the fact changes. All its fields stand here: spreading so many costs
 * more than everything else in a turn.
 */
const step = (
  t: Transaction,
  { type, by: actor, atMs }: TransactionEvent,
  changes: Partial<Transaction>,
  data: Metadata = noData,
): Transaction => {
  const version = t.version + 1
  const status = changes.status ?? t.status
  const next: Transaction = {
    id: t.id,
    accountId: t.accountId,
    version,
    method: t.method,
    origin: t.origin,
    status,
    currency: t.currency,
    amountCents: t.amountCents,
    paidCents: t.paidCents,
    feeCents: t.feeCents,
    feeTerms: t.feeTerms,
    description: t.description,
    reference: t.reference,
    externalId: t.externalId,
    customer: t.customer,
    customerId: t.customerId,
    metadata: t.metadata,
    subscriptionId: t.subscriptionId,
    invoiceId: t.invoiceId,
    attempt: t.attempt,
    split: t.split,
    providerId: t.providerId,
    failureReason: t.failureReason,
    failureDetail: t.failureDetail,
    cancelReason: t.cancelReason,
    pix: t.pix,
    card: t.card,
    boleto: t.boleto,
    receivables: t.receivables,
    reversals: t.reversals,
    calls: t.calls,
    timeline: [...t.timeline, { version, type, status, actor, atMs, data }],
    createdAtMs: t.createdAtMs,
    updatedAtMs: atMs,
    approvedAtMs: t.approvedAtMs,
    expiresAtMs: t.expiresAtMs,
    expiredAtMs: t.expiredAtMs,
    cancelledAtMs: t.cancelledAtMs,
    failedAtMs: t.failedAtMs,
  }
  return Object.assign(next, changes)
}

const noData: Metadata = {}

const without = (calls: readonly ProviderCall[], callId: string | null): readonly ProviderCall[] =>
  callId === null ? calls : calls.filter(({ id }) => id !== callId)

const changed = (
  calls: readonly ProviderCall[],
  callId: string,
  changes: Partial<ProviderCall>,
): readonly ProviderCall[] => calls.map((call) => (call.id === callId ? { ...call, ...changes } : call))

const unanswered = (
  calls: readonly ProviderCall[],
  callId: string,
  dueAtMs: number,
): readonly ProviderCall[] =>
  calls.map((call) => (call.id === callId ? { ...call, dueAtMs, unanswered: call.unanswered + 1 } : call))

const withRefund = (reversals: Reversals, id: string, changes: Partial<Refund>): Reversals => ({
  ...reversals,
  refunds: reversals.refunds.map((refund) => (refund.id === id ? { ...refund, ...changes } : refund)),
})

const withChargeback = (
  reversals: Reversals,
  id: string,
  changes: Partial<Reversals['chargebacks'][number]>,
): Reversals => ({
  ...reversals,
  chargebacks: reversals.chargebacks.map((chargeback) =>
    chargeback.id === id ? { ...chargeback, ...changes } : chargeback,
  ),
})
