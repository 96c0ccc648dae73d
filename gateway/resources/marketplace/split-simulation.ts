import Type, { type Static } from 'typebox'
import type { Simulation } from '../../../engine/marketplace/queries.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import {
  amountOf,
  count,
  date,
  digitsOrNull,
  enumeration,
  grossAndNet,
  listOf,
  nonNegativeAmountOf,
  nullable,
  objectName,
  textOf,
} from '../fields.ts'
import { itemFields } from './split-rule.ts'

const shareAmounts = {
  grossAmount: amountOf('Before the fee.'),
  feeAmount: amountOf('Part of the fee.'),
  netAmount: amountOf('`grossAmount` less `feeAmount`.'),
}

/** How an amount would be divided (decisions, section 17.3). */
export const simulation = namedObject('SplitSimulation', 'How an amount would be divided.', {
  object: objectName('split_simulation'),
  amount: amountOf('What would be paid.'),
  feeAmount: amountOf('What processing it would cost.'),
  netAmount: amountOf('`amount` less `feeAmount`.'),
  method: described(enumeration('PIX', 'BOLETO', 'CREDIT_CARD'), 'How it would be paid.'),
  installments: count('In how many instalments.'),
  remainderAmount: nonNegativeAmountOf('What no item claims.'),
  remainderTo: nullable(textOf('Who gets it; null is the company, and where centavos go to several.')),
  items: listOf(
    Type.Object({
      ...itemFields,
      recipientName: textOf('Name of the recipient or company.'),
      priority: nullable(Type.Integer(), 'Lower is served first; null where no item names the company.'),
      ...shareAmounts,
      installments: listOf(
        Type.Object({
          installment: count('Which instalment, from 1.'),
          ...shareAmounts,
          expectedOn: described(date, 'The day on which it settles.'),
        }),
        'The part of each instalment.',
      ),
    }),
    'Everybody’s part; the company is always among them.',
  ),
  warnings: listOf(
    enumeration('FEE_CAPPED'),
    'FEE_CAPPED: a party’s fee exceeds its part, and the company pays the rest.',
  ),
})

/** How a charge would be divided. */
export const simulationView = ({
  amountCents,
  feeCents,
  method,
  installments,
  division,
  parties,
}: Simulation): Static<typeof simulation> => ({
  object: 'split_simulation',
  amount: String(amountCents),
  feeAmount: String(feeCents),
  netAmount: String(amountCents - feeCents),
  method,
  installments,
  remainderAmount: String(division.remainderCents),
  remainderTo: division.remainderTo,
  items: parties.map(({ share, item, name, rows }) => ({
    recipientId: share.partyId,
    recipientName: name,
    percentBps: item?.percentBps ?? null,
    fixedAmount: digitsOrNull(item?.fixedCents ?? null),
    priority: item?.priority ?? null,
    chargeFees: item?.chargeFees ?? false,
    chargeRemainder: item?.chargeRemainder ?? false,
    installments: rows.map(({ installment, expectedOn, ...amounts }) => ({
      installment,
      expectedOn,
      ...grossAndNet(amounts),
    })),
    ...grossAndNet(share),
  })),
  warnings: division.isFeeCapped ? ['FEE_CAPPED'] : [],
})
