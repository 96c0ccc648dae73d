import Type from 'typebox'
import type { Share } from '../../../engine/ledger/divide.ts'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { SimulatedParty, Simulation } from '../../../engine/marketplace/queries.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  amountOf,
  count,
  date,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  objectField,
  shareFields,
  textOf,
} from '../fields.ts'
import { part, resource, same } from '../resource.ts'
import { itemFields, itemRecipient } from './split-rule.ts'

const installment = part<SimulatedParty['rows'][number]>().with({
  installment: [count('Which instalment, from 1.'), same],
  ...shareFields('Before the fee.', 'Part of the fee.'),
  expectedOn: [described(date, 'The day on which it settles.'), same],
})

/** The terms of a party that no item of the rule names. */
const noItem = {
  percentBps: null,
  fixedCents: null,
  priority: null,
  chargeFees: false,
  chargeRemainder: false,
}
type ShownParty = Pick<SimulatedParty, 'name' | 'rows'> &
  Share &
  Pick<SplitItem, 'percentBps' | 'fixedCents' | 'chargeFees' | 'chargeRemainder'> & {
    readonly priority: number | null
  }

const party = part<ShownParty>().with({
  recipientId: [itemRecipient, ({ partyId }) => partyId],
  ...itemFields,
  recipientName: [textOf('Name of the recipient or company.'), ({ name }) => name],
  priority: [
    nullableField(Type.Integer(), 'Lower is served first; null where no item names the company.'),
    same,
  ],
  ...shareFields('Before the fee.', 'Part of the fee.'),
  installments: [
    listOf(installment.schema, 'The part of each instalment.'),
    ({ rows }) => rows.map(installment.view),
  ],
})

/** How a charge would be divided (decisions, section 17.3). */
export const simulation = resource<Simulation>('SplitSimulation', 'How an amount would be divided.').with({
  ...objectField('split_simulation'),
  amount: [amountOf('What would be paid.'), ({ amountCents }) => String(amountCents)],
  feeAmount: [amountOf('What processing it would cost.'), ({ feeCents }) => String(feeCents)],
  netAmount: [amountOf('`amount` less `feeAmount`.'), (s) => String(s.amountCents - s.feeCents)],
  method: [described(choice('PIX', 'BOLETO', 'CREDIT_CARD'), 'How it would be paid.'), same],
  installments: [count('In how many instalments.'), same],
  remainderAmount: [nonNegativeAmountOf('What no item claims.'), (s) => String(s.division.remainderCents)],
  remainderTo: [
    nullableField(textOf('Who gets it; null is the company, and where centavos go to several.')),
    ({ division }) => division.remainderTo,
  ],
  items: [
    listOf(party.schema, 'Everybody’s part; the company is always among them.'),
    ({ parties }) =>
      parties.map(({ share, item, name, rows }) => party.view({ ...noItem, ...item, ...share, name, rows })),
  ],
  warnings: [
    listOf(
      choice('FEE_CAPPED'),
      'FEE_CAPPED: a party’s fee exceeds its part, and the company pays the rest.',
    ),
    ({ division }) => (division.isFeeCapped ? ['FEE_CAPPED' as const] : []),
  ],
})
