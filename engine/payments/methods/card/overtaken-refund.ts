import { asSettled, feeShare, release, reverse } from '../../../ledger/receivables.ts'
import { toCents } from '../../../shared/money.ts'
import { isUndecided, keptCents } from '../../transaction/amounts.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import { evolveTransaction } from '../../transaction/evolve.ts'
import type { RefundCompleted, RefundFailed, TransactionFact } from '../../transaction/facts.ts'
import type { Chargeback, Transaction } from '../../transaction/transaction.ts'

/**
 * The end of a refund, and what follows from it where a chargeback came while it was on its way (rails, G7): one that was made counts against
 * what is disputed, and of one that was not the chargeback takes the money. Either way the buyer has it once.
 */
export const refundEnded = (
  transaction: Transaction,
  fact: RefundCompleted | RefundFailed,
  chargeContext: ChargeContext,
): readonly TransactionFact[] => {
  const open = transaction.reversals.chargebacks.find((one) => isUndecided(transaction, one))
  if (open === undefined) return [fact]
  const { refundId } = fact
  const { amountCents } = transaction.reversals.refunds.find(({ id }) => id === refundId)!
  return fact.type === 'RefundFailed'
    ? [
        { ...fact, failureReason: 'DISPUTE_OPENED' },
        ...grown(
          transaction,
          open,
          Math.min(amountCents, open.disputedCents! - open.amountCents),
          chargeContext,
        ),
      ]
    : [fact, ...closedIfNothingIsLeft(transaction, open, fact, chargeContext)]
}

const grown = (
  transaction: Transaction,
  { id: chargebackId, amountCents: takenCents, feeCents: takenFeeCents }: Chargeback,
  cents: number,
  chargeContext: ChargeContext,
): readonly TransactionFact[] => {
  const grossCents = toCents(cents)
  const feeCents = feeShare(
    grossCents,
    toCents(transaction.feeCents - takenFeeCents),
    toCents(keptCents(transaction) - takenCents),
  )
  const reversal = reverse(
    asSettled(transaction.receivables, chargeContext.settledAt),
    { grossCents, feeCents },
    'CHARGEBACK',
    transaction,
    chargeContext,
  )
  return [{ type: 'ChargebackGrown', chargebackId, feeCents, reversal, ...chargeContext.fact }]
}

/** All that was disputed went back by refunds: there is nothing that the chargeback could take. */
const closedIfNothingIsLeft = (
  transaction: Transaction,
  { id: chargebackId }: Chargeback,
  fact: RefundCompleted,
  chargeContext: ChargeContext,
): readonly TransactionFact[] => {
  const after = evolveTransaction(transaction, fact)
  const { amountCents, disputedCents } = after.reversals.chargebacks.find(({ id }) => id === chargebackId)!
  if (amountCents > 0 || disputedCents !== 0) return []
  const released = release(after.receivables, after.method, chargeContext)
  return [{ type: 'ChargebackWon', chargebackId, release: released, ...chargeContext.fact }]
}
