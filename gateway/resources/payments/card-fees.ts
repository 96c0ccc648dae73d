import { type CardFee, cardFeeLines } from '../../../engine/ledger/card-rates.ts'
import type { Fees } from '../../../engine/ledger/fees.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { brand } from '../enumerations.ts'
import { amountOf, brlField, count, date, listOf, objectField } from '../fields.ts'
import { part, resource, same } from '../resource.ts'

const line = part<CardFee>().with({
  brand: [brand, same],
  type: [described(choice('CREDIT', 'DEBIT'), 'Kind of card.'), same],
  installmentsFrom: [count('For payments of so many instalments …'), same],
  installmentsTo: [count('… up to so many.'), same],
  percentBps: [count('Part of the captured amount, in basis points.'), same],
  fixedAmount: [amountOf('Added to it.'), () => '0'],
  settlementDays: [
    count('Until the first instalment settles: calendar days for credit, business days for debit.'),
    same,
  ],
})

/** What card payments cost a company (decisions, section 12). */
export const cardFeeTable = resource<Fees>('CardFeeTable', 'What card payments cost.').with({
  ...objectField('card_fee_table'),
  currency: brlField,
  effectiveFrom: [described(date, 'Since when it holds.'), same],
  fees: [
    listOf(line.schema, 'One line for each brand, kind of card and number of instalments.'),
    ({ cards }) => cardFeeLines(cards).map(line.view),
  ],
  chargebackFeeAmount: [amountOf('What a chargeback costs beside the amount.'), () => '0'],
})
