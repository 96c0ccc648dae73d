import { divisionProblems } from '../../engine/marketplace/owed.ts'
import { cryptoOf } from '../../engine/payments/methods/crypto/crypto.ts'
import { taxWithheldOf } from '../../engine/payments/methods/pix/pix.ts'
import { suspendedCents, untakenCents } from '../../engine/payments/transaction/amounts.ts'
import { rowOf } from '../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { parkedWorkOf } from '../../engine/registry.ts'

/**
 * What one walk over all transactions of an account leaves for the checks. To make every transaction again for each of them would take most
 * of the time.
 */
export type TransactionWalk = ReturnType<typeof newTransactionWalk>

/** A walk before its first transaction. */
export const newTransactionWalk = () => {
  const problems: string[] = []
  /** The sums of those in reais. */
  const inReais = { paid: 0n, fees: 0n, takenBack: 0n, suspended: 0n, taxesWithheld: 0n }
  /** The sums of all, as columns have them. */
  const columns = {
    count: 0n,
    grossCents: 0n,
    paidCents: 0n,
    feeCents: 0n,
    refundedCents: 0n,
    disputedCents: 0n,
  }
  /** The ids of those that few checks look at. */
  const inStablecoins: string[] = []
  const divided: string[] = []
  const parked: Transaction[] = []
  const add = (transaction: Transaction): void => {
    const { id, receivables } = transaction
    const row = rowOf(transaction)
    columns.count += 1n
    columns.grossCents += BigInt(row.amountCents)
    for (const name of ['paidCents', 'feeCents', 'refundedCents', 'disputedCents'] as const)
      columns[name] += BigInt(row[name])
    if (cryptoOf(transaction) !== null) inStablecoins.push(id)
    if (receivables.some(({ recipientId }) => recipientId !== null)) divided.push(id)
    if (parkedWorkOf(transaction) !== null) parked.push(transaction)
    if (row.currency !== 'BRL') return
    inReais.paid += BigInt(row.paidCents)
    inReais.fees += BigInt(row.feeCents)
    inReais.suspended += BigInt(suspendedCents(transaction))
    inReais.takenBack += BigInt(row.paidCents - untakenCents(transaction))
    inReais.taxesWithheld += BigInt(taxWithheldOf(transaction))
    problems.push(...divisionProblems(transaction))
  }
  return { add, columns, inReais, problems, inStablecoins, divided, parked }
}
