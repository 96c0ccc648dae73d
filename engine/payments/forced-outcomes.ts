import type { Customer } from '../shared/customer.ts'
import type { AccountId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Payer } from './methods/pix/pix.ts'
import type { Transaction } from './transaction/transaction.ts'

declare module '../kernel/context.ts' {
  interface Institution {
    readonly outcomes: Outcomes
  }
}

/**
 * Outcomes that no provider decides. In the Sandbox a scenario may; without one, charges are registered and payments
 * are taken.
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
  /** Whether the balance is reported as too low for a refund. */
  readonly refusesRefund: (transaction: Transaction) => boolean
  /** Whether the balance is reported as too low for a transfer. */
  readonly lacksFunds: (transfer: { readonly accountId: AccountId; readonly metadata: Metadata }) => boolean
  /** Whether the balance must cover money that goes back. */
  readonly needsFunds: (accountId: AccountId) => boolean
  /** The payer of a payment that does not name one. */
  readonly payerOf: (charge: Pick<Transaction, 'accountId' | 'customer' | 'details'> | null) => Payer
}
