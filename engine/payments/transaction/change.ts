import { followCharge } from '../../billing/invoice/outcome.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { TransactionCommand } from './commands.ts'
import type { Transaction } from './transaction.ts'
import { type ChargeTerms, writeTransaction } from './write.ts'

/** What a command changes of a transaction, of its neighbours, and of the invoice that it collects. */
export const changeTransaction = (
  draft: Draft,
  transaction: Transaction | undefined,
  command: TransactionCommand,
  terms?: ChargeTerms,
): Rejection | null => writeTransaction(draft, transaction, command, terms, followCharge)
