import type { DraftPublicEvent, EventType, Publishes } from '../../../kernel/event-types.ts'
import { approved, pending } from '../../transaction/publish-payment.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import type { CryptoFact } from './facts.ts'

declare module '../../../kernel/event-types.ts' {
  interface EventSubjects {
    readonly crypto: { readonly object: 'crypto_payment'; readonly transaction: Transaction }
  }
}

/** The public events of charges in stablecoins. */
export const cryptoEvents: Publishes<Transaction, CryptoFact> = {
  AddressOpened: pending,
  TransferSeen: null,
  TransferConfirmed: null,
  TransferDropped: null,
  CryptoPaid: (fact, after) => [cryptoEvent('crypto.received', after), ...approved(fact, after)],
}

/** A public event about the stablecoins of a charge. */
export const cryptoEvent = (type: EventType, transaction: Transaction): DraftPublicEvent => ({
  type,
  atMs: transaction.updatedAtMs,
  subject: { object: 'crypto_payment', transaction },
})
