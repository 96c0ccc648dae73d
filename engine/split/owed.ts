import type { RecipientId } from '../ids.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { amountOf, type SplitTransfer } from './transfer.ts'

/** What is owed to a recipient, and what transfers are to pay of it. */
export type Owed = { balanceCents: number; pendingCents: number }

/**
 * What transfers and payments say that recipients are owed: what settled, less what was paid out and what was taken back.
 * For whoever checks the balances that the recipients themselves keep.
 */
export const owedBy = (
  transfers: Iterable<SplitTransfer>,
  transactions: Iterable<Pick<Transaction, 'receivables'>>,
): ReadonlyMap<RecipientId, Owed> & { readonly paidOutCents: bigint } => {
  const owed = new Map<RecipientId, Owed>()
  let paidOutCents = 0n
  const of = (id: RecipientId): Owed => {
    let own = owed.get(id)
    if (own === undefined) {
      own = { balanceCents: 0, pendingCents: 0 }
      owed.set(id, own)
    }
    return own
  }
  for (const transfer of transfers) {
    if (transfer.scheduledAtMs === null) continue
    const own = of(transfer.recipientId)
    own.balanceCents += amountOf(transfer)
    if (isPaidOut(transfer)) {
      own.balanceCents -= transfer.dueCents
      paidOutCents += BigInt(transfer.dueCents)
    } else if (isPending(transfer)) own.pendingCents += transfer.dueCents
  }
  for (const { receivables } of transactions) {
    for (const row of receivables) {
      if (row.recipientId !== null && (row.type === 'REFUND' || row.type === 'CHARGEBACK'))
        of(row.recipientId).balanceCents -= Math.max(0, amountOf(row))
    }
  }
  return Object.assign(owed, { paidOutCents })
}

const isPaidOut = ({ completedAtMs }: SplitTransfer): boolean => completedAtMs !== null

const isPending = ({ status, retryAtMs }: SplitTransfer): boolean =>
  status === 'SCHEDULED' || status === 'PROCESSING' || (status === 'FAILED' && retryAtMs !== null)
