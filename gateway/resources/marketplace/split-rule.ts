import Type, { type Static } from 'typebox'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { SplitRule } from '../../../engine/recipients/split-rule.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { namedObject } from '../../schema/named-schema.ts'
import {
  amountOf,
  booleanOf,
  count,
  dated,
  digitsOrNull,
  identity,
  listOf,
  nullable,
  ownMetadata,
  textOf,
} from '../fields.ts'

/** Who gets which part of a payment (decisions, section 17.2). */
export const itemFields = {
  recipientId: nullable(textOf('Null is the company.')),
  percentBps: nullable(Type.Integer(), 'Part of the gross amount, in basis points.'),
  fixedAmount: nullable(amountOf('Fixed part.')),
  chargeFees: booleanOf('Pays the fee, in proportion with others that do.'),
  chargeRemainder: booleanOf('Gets what no item claims.'),
}

const splitItem = namedObject('SplitItem', 'Who gets which part.', {
  ...itemFields,
  priority: count('Lower is served first.'),
})

/** A rule by which payments are divided. */
export const splitRule = namedObject('SplitRule', 'How payments are divided.', {
  ...identity('spr', 'split_rule'),
  name: textOf('Your own name of the rule.'),
  active: booleanOf('False: new charges cannot take it.'),
  items: listOf(splitItem, 'Who gets what.'),
  usedCount: count('How many charges and plans took it.'),
  metadata: ownMetadata,
  ...dated,
})

/** A rule as new charges use it. */
export const splitRuleView = (rule: SplitRule): Static<typeof splitRule> => ({
  id: rule.id,
  object: 'split_rule',
  name: rule.name,
  active: rule.isActive,
  items: rule.items.map(itemView),
  usedCount: rule.usedCount,
  metadata: rule.metadata,
  createdAt: isoInstant(rule.createdAtMs),
  updatedAt: isoInstant(rule.updatedAtMs),
})

const itemView = ({ fixedCents, ...item }: SplitItem): Static<typeof splitItem> => ({
  fixedAmount: digitsOrNull(fixedCents),
  ...item,
})
