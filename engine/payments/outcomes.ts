import type { AccountId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Customer } from '../shared/party.ts'
import type { Payer } from './methods/pix/pix.ts'
import type { Transaction } from './transaction/transaction.ts'

declare module '../kernel/context.ts' {
  interface Institution {
    readonly outcomes: Outcomes
  }
}

/**
 * What becomes of a payment where no outside party is asked. In the Sandbox a scenario may say so; where none does, a charge is
 * registered and a payment is taken.
 */
export type Outcomes = {
  /** Whether the institution refuses to register a charge. */
  readonly refusesRegistration: (charge: {
    readonly accountId: AccountId
    readonly metadata: Metadata
    readonly customer: Customer | null
    readonly method: 'PIX' | 'BOLETO'
  }) => boolean
  readonly refusesPayment: (transaction: Transaction) => boolean
  /** Whether the balance is said not to cover a refund. */
  readonly refusesRefund: (transaction: Transaction) => boolean
  /** Whether money that goes back has to be in the balance. */
  readonly needsFunds: (accountId: AccountId) => boolean
  /** Who pays where a payment does not say so. */
  readonly payerOf: (customer: Customer | null) => Payer
}
