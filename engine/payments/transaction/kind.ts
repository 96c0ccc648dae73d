import type { Kind } from '../../kernel/actor.ts'
import type { TransactionEvent } from './events.ts'
import { evolveTransaction } from './evolve.ts'
import { nextTransactionTimer } from './timers.ts'
import type { Transaction } from './transaction.ts'

export const transactionKind: Kind<Transaction, TransactionEvent> = {
  prefix: 'txn',
  evolve: evolveTransaction,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  timer: nextTransactionTimer,
  parts: ({ reversals: { refunds, chargebacks, meds } }) =>
    refunds.length === 0 && chargebacks.length === 0 && meds.length === 0
      ? none
      : [...refunds, ...chargebacks, ...meds].map(({ id }) => id),
  isAsking: ({ calls }) => calls.some(({ dueAtMs }) => dueAtMs === null),
}

const none: readonly string[] = []
