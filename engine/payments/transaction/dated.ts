import type { Receivable } from '../../ledger/receivable.ts'
import type { Transaction } from './transaction.ts'

type Paid = Pick<Transaction, 'receivables' | 'approvedAtMs'>

/**
 * The receivables of a transaction that have days of their own, in their order: what comes with a batch, or has come since the payment was
 * confirmed. Those of a batch that has run stay SCHEDULED until something else happens to the transaction.
 */
export const datedOf = ({ receivables, approvedAtMs }: Paid): readonly Receivable[] =>
  receivables.filter(
    (receivable) =>
      receivable.status === 'SCHEDULED' || (hasCome(receivable) && receivable.settledAtMs !== approvedAtMs),
  )

/** Whether money of a payment came when the payment was confirmed, as that of a PIX does. */
export const settlesAtOnce = ({ receivables, approvedAtMs }: Paid): boolean =>
  receivables.some((receivable) => hasCome(receivable) && receivable.settledAtMs === approvedAtMs)

const hasCome = ({ type, status }: Receivable): boolean => type === 'CREDIT' && status === 'SETTLED'
