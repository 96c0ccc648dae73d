import type { DraftPublicEvent, EventType, Publishes } from '../../kernel/public-event.ts'
import type { MedId } from '../../shared/ids.ts'
import { boletoOf } from '../methods/boleto/boleto.ts'
import type { TransactionEvent } from './events.ts'
import type { Transaction } from './transaction.ts'

declare module '../../kernel/public-event.ts' {
  interface EventSubjects {
    readonly payments: /** With the refund, chargeback or MED it is about. */
      | {
          readonly object: 'transaction'
          readonly transaction: Transaction
          readonly reversalId: string | null
        }
      | { readonly object: 'med'; readonly transaction: Transaction; readonly medId: MedId }
  }
}

type Publish = (fact: unknown, after: Transaction) => readonly DraftPublicEvent[]

const payment = (
  type: EventType,
  transaction: Transaction,
  reversalId: string | null = null,
): DraftPublicEvent => ({
  type,
  atMs: transaction.updatedAtMs,
  subject: { object: 'transaction', transaction, reversalId },
})

const med = (type: EventType, transaction: Transaction, medId: MedId): DraftPublicEvent => ({
  type,
  atMs: transaction.updatedAtMs,
  subject: { object: 'med', transaction, medId },
})

const pending: Publish = (_, after) => [payment('payment.pending', after)]
const failed: Publish = (_, after) => [payment('payment.failed', after)]
const approved: Publish = (_, after) => [payment('payment.approved', after)]
const boletoPaid: Publish = (_, after) => [payment('boleto.paid', after), payment('payment.approved', after)]

/** The public events of a transaction (decisions, section 9). */
export const transactionEvents: Publishes<Transaction, TransactionEvent> = {
  ChargeCreated: (_, after) => [payment('payment.created', after)],
  ChargeIssued: pending,
  BoletoIssued: pending,
  AuthorizationPending: pending,
  CardAuthorized: pending,
  ChargeRefused: failed,
  ChargeExpired: failed,
  ChargeCancelled: failed,
  CardDeclined: failed,
  CardVoided: failed,
  AuthorizationTimedOut: failed,
  // A PIX can also pay a boleto, by its QR code.
  ChargePaid: (fact, after) => (boletoOf(after) === null ? approved : boletoPaid)(fact, after),
  BoletoCleared: boletoPaid,
  CardApproved: approved,
  CardCaptured: approved,
  RefundCompleted: ({ refundId }, after) => [payment('payment.refunded', after, refundId)],
  ChargebackOpened: ({ chargeback }, after) => [payment('payment.chargeback', after, chargeback.id)],
  ChargebackWon: ({ chargebackId }, after) => [payment('payment.chargeback', after, chargebackId)],
  ChargebackLost: ({ chargebackId }, after) => [payment('payment.chargeback', after, chargebackId)],
  MedOpened: ({ med: opened }, after) => [med('pix.med_opened', after, opened.id)],
  MedClosed: ({ medId }, after) => [med('pix.med_closed', after, medId)],
}
