import { assert, unreachable } from '../assert.ts'
import { toCents } from '../money.ts'
import type { ChargeCreated, TransactionEvent } from './events.ts'
import type { Metadata, Transaction, TransactionStatus } from './transaction.ts'

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
    case 'ChargeIssued': {
      const { txid, copyPaste, expiresAtMs } = event
      return {
        ...step(transaction, event, 'PENDING'),
        expiresAtMs,
        pix: { ...transaction.pix, txid, copyPaste },
      }
    }
    case 'ChargeRefused': {
      const { failureReason, atMs } = event
      return { ...step(transaction, event, 'FAILED'), failureReason, failedAtMs: atMs }
    }
    case 'ChargePaid': {
      const { paidCents, feeCents, receivables, payment, atMs } = event
      const pix = { ...transaction.pix, payment }
      return {
        ...step(transaction, event, 'APPROVED'),
        paidCents,
        feeCents,
        approvedAtMs: atMs,
        receivables,
        pix,
      }
    }
    case 'ChargeExpired':
      return {
        ...step(transaction, event, 'EXPIRED'),
        failureReason: 'CHARGE_EXPIRED',
        expiredAtMs: event.atMs,
      }
    case 'ChargeCancelled': {
      const { reason, atMs } = event
      const cancelled = step(transaction, event, 'CANCELLED')
      return { ...cancelled, failureReason: 'CANCELLED', cancelReason: reason, cancelledAtMs: atMs }
    }
    case 'PaymentReturned':
      return step(transaction, event, transaction.status, {
        receivedPixId: event.payment.receivedPixId,
        returnReason: event.returnReason,
        amount: String(event.amountCents),
      })
    default:
      return unreachable(event)
  }
}

const created = ({ id, atMs, charge, by }: ChargeCreated): Transaction => ({
  id,
  accountId: charge.accountId,
  version: 1,
  method: charge.method,
  origin: charge.origin,
  status: 'CREATED',
  amountCents: charge.amountCents,
  paidCents: toCents(0),
  feeCents: toCents(0),
  description: charge.description,
  reference: charge.reference,
  externalId: charge.externalId,
  customer: charge.customer,
  metadata: charge.metadata,
  failureReason: null,
  cancelReason: null,
  pix: charge.pix,
  receivables: [],
  timeline: [{ version: 1, type: 'ChargeCreated', status: 'CREATED', actor: by, atMs, data: {} }],
  createdAtMs: atMs,
  updatedAtMs: atMs,
  approvedAtMs: null,
  expiresAtMs: null,
  expiredAtMs: null,
  cancelledAtMs: null,
  failedAtMs: null,
})

/** The transaction one version on. Callers change what else the fact changes. */
const step = (
  transaction: Transaction,
  event: TransactionEvent,
  status: TransactionStatus,
  data: Metadata = {},
): Transaction => {
  const version = transaction.version + 1
  const { type, by: actor, atMs } = event
  const timeline = [...transaction.timeline, { version, type, status, actor, atMs, data }]
  return { ...transaction, version, status, updatedAtMs: atMs, timeline }
}
