import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { SplitItem } from '../ledger/split.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { AccountId, SplitRuleId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import { labelOfListed } from './recipient.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly splitRule: SplitRule
  }
  interface ActorFacts {
    readonly splitRule: SplitRuleFact
  }
}

/** How payments that use it are divided (decisions, section 17.4). Charges keep a copy of its items. */
export type SplitRule = {
  readonly id: SplitRuleId
  readonly accountId: AccountId
  readonly name: string
  readonly items: readonly SplitItem[]
  readonly metadata: Metadata
  readonly isActive: boolean
  /** No lookup finds it any more. */
  readonly isRemoved: boolean
  /** How many charges and plans used it. */
  readonly usedCount: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type SplitRuleFact =
  | (Fact<'SplitRuleCreated'> & {
      readonly rule: Pick<SplitRule, 'accountId' | 'name' | 'items' | 'metadata' | 'isActive'>
    })
  | (Fact<'SplitRuleChanged'> & {
      readonly changes: Partial<Pick<SplitRule, 'name' | 'items' | 'metadata' | 'isActive'>>
    })
  | Fact<'SplitRuleRemoved'>
  /** A charge or plan used it. Now and then with the whole state before, since charges are many. */
  | (Fact<'SplitRuleUsed'> & { readonly whole: SplitRule | null })

type Fact<Type extends string> = ActorFact<'splitRule', Type>

const evolveSplitRule = (state: SplitRule | undefined, event: SplitRuleFact): SplitRule => {
  if (event.type === 'SplitRuleCreated') {
    assert(state === undefined, 'a rule is created once')
    const { id, atMs, rule } = event
    return { id, isRemoved: false, usedCount: 0, createdAtMs: atMs, updatedAtMs: atMs, ...rule }
  }
  if (event.type === 'SplitRuleUsed') {
    const before = event.whole ?? state
    assert(before !== undefined, 'what is used is a rule')
    return { ...before, usedCount: before.usedCount + 1 }
  }
  assert(state !== undefined, `${event.type} follows SplitRuleCreated`)
  switch (event.type) {
    case 'SplitRuleChanged':
      return { ...state, ...event.changes, updatedAtMs: event.atMs }
    case 'SplitRuleRemoved':
      return { ...state, isActive: false, isRemoved: true, updatedAtMs: event.atMs }
    default:
      return unreachable(event)
  }
}

export const splitRuleKind: ActorDefinition<SplitRule, SplitRuleFact> = {
  prefix: 'spr',
  namedBy: 'ruleId',
  evolve: evolveSplitRule,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: ({ name, items, isActive, isRemoved, metadata }) => ({
    name,
    items,
    active: isActive,
    removed: isRemoved,
    metadata,
  }),
  label: labelOfListed,
  isSnapshot: (event) => event.type === 'SplitRuleUsed' && event.whole !== null,
}
