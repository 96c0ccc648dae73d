import type { Request } from '../kernel/command.ts'
import type { ChargeDetails } from '../payments/transaction/details.ts'
import type { TransactionStatus } from '../payments/transaction/transaction.ts'
import type { Customer } from '../shared/customer.ts'
import type { TransactionId } from '../shared/ids.ts'
import type { ChargeOrigin, Currency, Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly sandbox: SeedTransaction
  }
}

/** Creates a transaction as if it had happened (decisions, section 29). */
export type SeedTransaction = Request<'SeedTransaction'> & {
  readonly transactionId: TransactionId
  readonly method: Method
  readonly origin: ChargeOrigin
  readonly status: TransactionStatus
  readonly currency: Currency
  readonly amountCents: Cents
  readonly installments: number
  readonly details: ChargeDetails
  readonly customer: Customer | null
  /** Not in the future; null for now. */
  readonly createdAtMs: number | null
}
