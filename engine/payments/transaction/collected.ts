import { feeOn } from '../../ledger/fees.ts'
import type { Receivable } from '../../ledger/receivable.ts'
import { settledAtOnce } from '../../ledger/receivables.ts'
import type { Cents } from '../../shared/money.ts'
import type { ChargeContext } from './charge-context.ts'
import type { Transaction } from './transaction.ts'

/** The members of a charge that determine its fee and the parties' parts. */
export type Collected = Pick<Transaction, 'method' | 'feeTerms' | 'split'>

/** The fee on a collected payment, and its receivables. */
export type Collection = { readonly feeCents: Cents; readonly receivables: readonly Receivable[] }

/** The fee and receivables of a payment whose money is in the balance at once (decisions, section 16). */
export const collectedAtOnce = (
  { method, feeTerms, split }: Collected,
  paidCents: Cents,
  chargeContext: ChargeContext,
): Collection => {
  const feeCents = feeOn(paidCents, method, feeTerms)
  return { feeCents, receivables: settledAtOnce(paidCents, feeCents, split, chargeContext) }
}
