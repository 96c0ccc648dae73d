import type { TransactionCommand } from '../commands.ts'
import type { Rejection } from '../decision.ts'
import type { Draft } from '../draft.ts'
import { followCharge } from '../invoice/outcome.ts'
import type { Transaction } from './transaction.ts'
import { type ChargeTerms, writeTransaction } from './write.ts'

/** What a command changes of a transaction, of its neighbours, and of the invoice that it collects. */
export const changeTransaction = (
  draft: Draft,
  transaction: Transaction | undefined,
  command: TransactionCommand,
  terms?: ChargeTerms,
): Rejection | null => writeTransaction(draft, transaction, command, terms, followCharge)
