import type { DraftPublicEvent, EventType } from '../../kernel/event-types.ts'
import type { MedId } from '../../shared/ids.ts'
import type { Transaction } from './transaction.ts'

declare module '../../kernel/event-types.ts' {
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

export type Publish = (fact: unknown, after: Transaction) => readonly DraftPublicEvent[]

/** A public event about a payment, with the refund or dispute that it is about. */
export const publishPayment = (
  type: EventType,
  transaction: Transaction,
  reversalId: string | null = null,
): DraftPublicEvent => ({
  type,
  atMs: transaction.updatedAtMs,
  subject: { object: 'transaction', transaction, reversalId },
})

/** A public event about a MED. */
export const publishMed = (type: EventType, transaction: Transaction, medId: MedId): DraftPublicEvent => ({
  type,
  atMs: transaction.updatedAtMs,
  subject: { object: 'med', transaction, medId },
})

/** The payment waits for the payer or for the acquirer. */
export const pending: Publish = (_, after) => [publishPayment('payment.pending', after)]
/** The payment will not be made. */
export const failed: Publish = (_, after) => [publishPayment('payment.failed', after)]
/** The payment was confirmed. */
export const approved: Publish = (_, after) => [publishPayment('payment.approved', after)]
/** A boleto was paid: that, and that the payment was confirmed. */
export const boletoPaid: Publish = (_, after) => [
  publishPayment('boleto.paid', after),
  publishPayment('payment.approved', after),
]
