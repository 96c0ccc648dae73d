import Type, { type Static } from 'typebox'
import { cardFeeLines } from '../../../engine/ledger/card-rates.ts'
import type { Fees } from '../../../engine/ledger/fees.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { brand } from '../enumerations.ts'
import { amountOf, brlOnly, count, date, enumeration, listOf, objectName } from '../fields.ts'

/** What card payments cost (decisions, section 12). */
export const cardFeeTable = namedObject('CardFeeTable', 'What card payments cost.', {
  object: objectName('card_fee_table'),
  currency: brlOnly,
  effectiveFrom: described(date, 'Since when it holds.'),
  fees: listOf(
    Type.Object({
      brand,
      type: described(enumeration('CREDIT', 'DEBIT'), 'Kind of card.'),
      installmentsFrom: count('For payments of so many instalments …'),
      installmentsTo: count('… up to so many.'),
      percentBps: count('Part of the captured amount, in basis points.'),
      fixedAmount: amountOf('Added to it.'),
      settlementDays: count(
        'Until the first instalment settles: calendar days for credit, business days for debit.',
      ),
    }),
    'One line for each brand, kind of card and number of instalments.',
  ),
  chargebackFeeAmount: amountOf('What a chargeback costs beside the amount.'),
})

/** What card payments cost a company. */
export const cardFeeTableView = ({ effectiveFrom, cards }: Fees): Static<typeof cardFeeTable> => ({
  object: 'card_fee_table',
  currency: 'BRL',
  effectiveFrom,
  fees: cardFeeLines(cards).map((line) => ({ fixedAmount: '0', ...line })),
  chargebackFeeAmount: '0',
})
