import type { TransactionFact } from './facts.ts'
import type { Transaction } from './transaction.ts'

declare module '../../kernel/registry.ts' {
  interface ActorChanges {
    readonly transaction: TransactionChange
  }
}

/** What a command changed in a transaction. Its facts are in the draft. */
export type TransactionChange = {
  readonly before: Transaction | undefined
  readonly events: readonly TransactionFact[]
}
