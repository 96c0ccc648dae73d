import { assert, unreachable } from '../assert.ts'
import { toCents } from '../money.ts'
import type { ChargeCreated, TransactionEvent } from './events.ts'
import type { Metadata, TimelineStep, Transaction, TransactionStatus } from './transaction.ts'

/** What a fact makes of a transaction. Facts cannot be refused: an impossible one is a broken invariant. */
export const evolveTransaction = (
  transaction: Transaction | undefined,
  event: TransactionEvent,
): Transaction => {
  if (event.type === 'ChargeCreated') {
    assert(transaction === undefined, 'a charge is created once')
    return created(event)
  }
  assert(transaction !== undefined, `${event.type} follows ChargeCreated`)
  switch (event.type) {
    case 'ChargeIssued':
      return step(transaction, event, 'PENDING', {
        expiresAtMs: event.expiresAtMs,
        pix: { ...transaction.pix, txid: event.txid, copyPaste: event.copyPaste },
      })
    case 'ChargeRefused':
      return step(transaction, event, 'FAILED', {
        failureReason: event.failureReason,
        failedAtMs: event.atMs,
      })
    case 'ChargePaid':
      return step(transaction, event, 'APPROVED', {
        paidCents: event.paidCents,
        feeCents: event.feeCents,
        approvedAtMs: event.atMs,
        receivables: event.receivables,
        pix: { ...transaction.pix, payment: event.payment },
      })
    case 'ChargeExpired':
      return step(transaction, event, 'EXPIRED', {
        failureReason: 'CHARGE_EXPIRED',
        expiredAtMs: event.atMs,
      })
    case 'ChargeCancelled':
      return step(transaction, event, 'CANCELLED', {
        failureReason: 'CANCELLED',
        cancelReason: event.reason,
        cancelledAtMs: event.atMs,
      })
    case 'PaymentReturned':
      return step(
        transaction,
        event,
        transaction.status,
        {},
        {
          receivedPixId: event.payment.receivedPixId,
          returnReason: event.returnReason,
          amount: String(event.amountCents),
        },
      )
    default:
      return unreachable(event)
  }
}

const created = (event: ChargeCreated): Transaction => ({
  id: event.id,
  ...event.charge,
  version: 1,
  status: 'CREATED',
  paidCents: toCents(0),
  feeCents: toCents(0),
  failureReason: null,
  cancelReason: null,
  receivables: [],
  timeline: [timelineStep(1, event, 'CREATED', {})],
  createdAtMs: event.atMs,
  updatedAtMs: event.atMs,
  approvedAtMs: null,
  expiresAtMs: null,
  expiredAtMs: null,
  cancelledAtMs: null,
  failedAtMs: null,
})

const step = (
  transaction: Transaction,
  event: TransactionEvent,
  status: TransactionStatus,
  change: Partial<Transaction>,
  data: Metadata = {},
): Transaction => {
  const version = transaction.version + 1
  return {
    ...transaction,
    ...change,
    version,
    status,
    updatedAtMs: event.atMs,
    timeline: [...transaction.timeline, timelineStep(version, event, status, data)],
  }
}

const timelineStep = (
  version: number,
  event: TransactionEvent,
  status: TransactionStatus,
  data: Metadata,
): TimelineStep => ({ version, type: event.type, status, actor: event.by, atMs: event.atMs, data })
