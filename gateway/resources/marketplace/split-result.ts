import Type, { type Static } from 'typebox'
import { divide } from '../../../engine/ledger/divide.ts'
import { heldBy } from '../../../engine/ledger/receivables.ts'
import type { Split } from '../../../engine/ledger/split.ts'
import { wholeFeeCents } from '../../../engine/payments/transaction/amounts.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { amountOf, digitsOrNull, listOf, nullableField, textOf } from '../fields.ts'

/** How a payment was divided (decisions, section 17). */
export const splitResult = namedObject('SplitResult', 'How a payment is divided.', {
  ruleId: textOf('The rule, as it was when the charge was made.'),
  parties: listOf(
    Type.Object({
      recipientId: nullableField(textOf('Null is the company.')),
      percentBps: nullableField(Type.Integer(), 'Part of the gross amount, in basis points.'),
      fixedAmount: nullableField(amountOf('Fixed part.')),
      grossAmount: nullableField(amountOf('Part of the payment; null before it is paid.')),
      feeAmount: nullableField(amountOf('Part of the fee.')),
      netAmount: nullableField(amountOf('`grossAmount` less `feeAmount`.')),
      reversedAmount: nullableField(amountOf('What of the gross amount was taken back, or is disputed.')),
    }),
    'Everybody who gets a part.',
  ),
})

/** How a payment was divided, and the outcome of each part. */
export const splitResultView = (
  transaction: Transaction,
  { ruleId, items }: Split,
): Static<typeof splitResult> => {
  const { paidCents, amountCents, receivables } = transaction
  const isPaid = receivables.length > 0
  const ifPaid = (cents: number): string | null => digitsOrNull(isPaid ? cents : null)
  const { shares } = divide(items, isPaid ? paidCents : amountCents, wholeFeeCents(transaction))
  return {
    ruleId,
    parties: shares.map(({ partyId, grossCents, feeCents }) => {
      const item = items.find(({ recipientId }) => recipientId === partyId)
      return {
        recipientId: partyId,
        percentBps: item?.percentBps ?? null,
        fixedAmount: digitsOrNull(item?.fixedCents ?? null),
        grossAmount: ifPaid(grossCents),
        feeAmount: ifPaid(feeCents),
        netAmount: ifPaid(grossCents - feeCents),
        reversedAmount: ifPaid(grossCents - heldBy(receivables, partyId).grossCents),
      }
    }),
  }
}
