import Type from 'typebox'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { SplitRule } from '../../../engine/recipients/split-rule.ts'
import {
  amountOf,
  booleanOf,
  count,
  datedFields,
  digitsOrNull,
  identityFields,
  listOf,
  nullableField,
  ownMetadata,
  textOf,
} from '../fields.ts'
import { fieldsOf, resource, same } from '../resource.ts'

/** Who gets which part of a payment (decisions, section 17.2). */
export const itemFields = fieldsOf<Omit<SplitItem, 'recipientId' | 'priority'>>().with({
  percentBps: [nullableField(Type.Integer(), 'Part of the gross amount, in basis points.'), same],
  fixedAmount: [nullableField(amountOf('Fixed part.')), ({ fixedCents }) => digitsOrNull(fixedCents)],
  chargeFees: [booleanOf('Pays the fee, in proportion with others that do.'), same],
  chargeRemainder: [booleanOf('Gets what no item claims.'), same],
})
export const itemRecipient = nullableField(textOf('Null is the company.'))

const splitItem = resource<SplitItem>('SplitItem', 'Who gets which part.').with({
  recipientId: [itemRecipient, same],
  ...itemFields,
  priority: [count('Lower is served first.'), same],
})

/** A rule by which payments are divided, as new charges use it. */
export const splitRule = resource<SplitRule>('SplitRule', 'How payments are divided.').with({
  ...identityFields('spr', 'split_rule'),
  name: [textOf('Your own name of the rule.'), same],
  active: [booleanOf('False: new charges cannot take it.'), ({ isActive }) => isActive],
  items: [listOf(splitItem.schema, 'Who gets what.'), ({ items }) => items.map(splitItem.view)],
  usedCount: [count('How many charges and plans took it.'), same],
  metadata: [ownMetadata, same],
  ...datedFields,
})
