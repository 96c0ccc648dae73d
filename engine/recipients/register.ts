import type { Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { exceeds } from '../ledger/divide.ts'
import type { Split, SplitItem } from '../ledger/split.ts'
import type { RecipientId, SplitRuleId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import { unlessRemoved } from '../shared/unless-removed.ts'
import type {
  ChangeRecipient,
  ChangeSplitRule,
  CreateRecipient,
  CreateSplitRule,
  RegisterCommand,
  RemoveRecipient,
  RemoveSplitRule,
} from './commands.ts'
import { wholeEvery } from './recipient.ts'

/** Deciders for recipients and rules (decisions, section 17.4). Those in use are deactivated, not removed. */
export const recipientDeciders: Deciders<RegisterCommand> = {
  CreateRecipient: (draft, command) => createRecipient(draft, command),
  ChangeRecipient: (draft, command) => changeRecipient(draft, command),
  RemoveRecipient: (draft, command) => removeRecipient(draft, command),
  CreateSplitRule: (draft, command) => createRule(draft, command),
  ChangeSplitRule: (draft, command) => changeRule(draft, command),
  RemoveSplitRule: (draft, command) => removeRule(draft, command),
}

/** The division of a new charge; null when it names no rule. */
export const splitFor = (
  { find }: Pick<Draft, 'find'>,
  ruleId: SplitRuleId | null,
  amountCents: Cents,
): { readonly split: Split | null } | { readonly rejection: Rejection } => {
  if (ruleId === null) return { split: null }
  const rule = unlessRemoved(find('splitRule', ruleId))
  if (rule === undefined) return { rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'splitRuleId' } }
  if (!rule.isActive) return { rejection: { reason: 'SPLIT_RULE_INACTIVE' } }
  const rejection = itemsRefusal({ find }, rule.items) ?? amountRefusal(rule.items, amountCents)
  return rejection === null ? { split: { ruleId, items: rule.items } } : { rejection }
}

/**
 * The division of an invoice's charge: by its plan's rule, even if deactivated since, because existing subscribers go
 * on. When a discount leaves less than the fixed parts, priority decides who is served.
 */
export const splitOfPlan = (
  { find }: Pick<Draft, 'find'>,
  ruleId: SplitRuleId | null,
): { readonly split: Split | null } => {
  const rule = ruleId === null ? undefined : find('splitRule', ruleId)
  return { split: rule === undefined ? null : { ruleId: rule.id, items: rule.items } }
}

/** Why a plan cannot use this rule; null when it can. */
export const ruleRefusal = ({ find }: Pick<Draft, 'find'>, ruleId: SplitRuleId): Rejection | null => {
  const rule = unlessRemoved(find('splitRule', ruleId))
  if (rule === undefined) return { reason: 'REFERENCE_NOT_FOUND', field: 'splitRuleId' }
  return rule.isActive ? itemsRefusal({ find }, rule.items) : { reason: 'SPLIT_RULE_INACTIVE' }
}

/** Marks a rule as used by a charge or plan. */
export const useRule = (draft: Draft, id: SplitRuleId): void => {
  const rule = draft.find('splitRule', id)!
  const whole = rule.usedCount % wholeEvery === wholeEvery - 1 ? rule : null
  draft.add({ type: 'SplitRuleUsed', whole, ...factOf(draft, 'splitRule', id) })
}

/** Refuses items that name unknown or inactive recipients; null when all are fine. */
export const itemsRefusal = (
  { find }: Pick<Draft, 'find'>,
  items: readonly SplitItem[],
): Rejection | null => {
  for (const [n, { recipientId }] of items.entries()) {
    if (recipientId === null) continue
    const recipient = unlessRemoved(find('recipient', recipientId))
    if (recipient === undefined) return { reason: 'REFERENCE_NOT_FOUND', field: `items[${n}].recipientId` }
    if (!recipient.isActive) return { reason: 'RECIPIENT_INACTIVE', recipientId }
  }
  return null
}

/** Refuses items that claim more than the amount. */
export const amountRefusal = (items: readonly SplitItem[], amountCents: Cents): Rejection | null =>
  exceeds(items, amountCents) ? { reason: 'SPLIT_EXCEEDS_AMOUNT' } : null

const createRecipient = (draft: Draft, command: CreateRecipient): null => {
  const { recipientId: id, accountId, name, document, documentType, email, bank, metadata } = command
  const recipient = { accountId, name, document, documentType, email, bank, metadata }
  draft.add({ type: 'RecipientCreated', recipient, ...factOf(draft, 'recipient', id) })
  return null
}

const changeRecipient = (draft: Draft, { recipientId, changes }: ChangeRecipient): Rejection | null => {
  const recipient = unlessRemoved(draft.find('recipient', recipientId))
  if (recipient === undefined) return noRecipient
  const { bank, ...others } = changes
  const changed = { ...others, ...(bank && { bank: { ...recipient.bank, ...bank } }) }
  if (Object.keys(changed).length === 0) return null
  draft.add({ type: 'RecipientChanged', changes: changed, ...factOf(draft, 'recipient', recipientId) })
  return null
}

/** Removes a recipient that no rule names and no booking concerns; deactivates any other. */
const removeRecipient = (draft: Draft, { recipientId }: RemoveRecipient): Rejection | null => {
  const recipient = unlessRemoved(draft.find('recipient', recipientId))
  if (recipient === undefined) return noRecipient
  const fact = factOf(draft, 'recipient', recipientId)
  const isUsed = recipient.rulesCount > 0 || recipient.bookings > 0
  if (!isUsed) draft.add({ type: 'RecipientRemoved', ...fact })
  else if (recipient.isActive) draft.add({ type: 'RecipientChanged', changes: { isActive: false }, ...fact })
  return null
}

const createRule = (draft: Draft, command: CreateSplitRule): Rejection | null => {
  const { ruleId: id, accountId, name, items, metadata, isActive } = command
  const refusal = itemsRefusal(draft, items)
  if (refusal !== null) return refusal
  const rule = { accountId, name, items, metadata, isActive }
  draft.add({ type: 'SplitRuleCreated', rule, ...factOf(draft, 'splitRule', id) })
  nameRecipients(draft, [], items)
  return null
}

const changeRule = (draft: Draft, { ruleId, changes }: ChangeSplitRule): Rejection | null => {
  const rule = unlessRemoved(draft.find('splitRule', ruleId))
  if (rule === undefined) return noRule
  const refusal = changes.items === undefined ? null : itemsRefusal(draft, changes.items)
  if (refusal !== null) return refusal
  if (Object.keys(changes).length === 0) return null
  draft.add({ type: 'SplitRuleChanged', changes, ...factOf(draft, 'splitRule', ruleId) })
  nameRecipients(draft, rule.items, changes.items ?? rule.items)
  return null
}

const removeRule = (draft: Draft, { ruleId }: RemoveSplitRule): Rejection | null => {
  const rule = unlessRemoved(draft.find('splitRule', ruleId))
  if (rule === undefined) return noRule
  const fact = factOf(draft, 'splitRule', ruleId)
  if (rule.usedCount === 0) {
    draft.add({ type: 'SplitRuleRemoved', ...fact })
    nameRecipients(draft, rule.items, [])
  } else if (rule.isActive) {
    draft.add({ type: 'SplitRuleChanged', changes: { isActive: false }, ...fact })
  }
  return null
}

/** Keeps the count of rules that name each recipient. */
const nameRecipients = (draft: Draft, before: readonly SplitItem[], after: readonly SplitItem[]): void => {
  const earlier = recipientsIn(before)
  const later = recipientsIn(after)
  const count = (id: RecipientId, by: 1 | -1): void => {
    const rulesCount = draft.find('recipient', id)!.rulesCount + by
    draft.add({ type: 'RecipientNamed', rulesCount, ...factOf(draft, 'recipient', id) })
  }
  for (const id of earlier) if (!later.has(id)) count(id, -1)
  for (const id of later) if (!earlier.has(id)) count(id, 1)
}

const recipientsIn = (items: readonly SplitItem[]): ReadonlySet<RecipientId> =>
  new Set(items.flatMap(({ recipientId }) => recipientId ?? []))

const noRecipient: Rejection = { reason: 'NOT_FOUND', resource: 'recipient' }
const noRule: Rejection = { reason: 'NOT_FOUND', resource: 'split_rule' }
