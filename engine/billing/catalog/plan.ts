import type { ActorFact } from '../../kernel/fact.ts'
import type { AccountId, PlanId, SplitRuleId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Cents } from '../../shared/money.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly plan: Plan
  }
  interface ActorFacts {
    readonly plan: PlanFact
  }
}

export const intervals = ['WEEK', 'MONTH', 'QUARTER', 'SEMESTER', 'YEAR', 'CUSTOM'] as const
export type Interval = (typeof intervals)[number]

export const billingMethods = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const
export type BillingMethod = (typeof billingMethods)[number]

/** How many intervals a cycle may have: up to 36 months, or for CUSTOM two years of days. */
export const intervalCountMax: Readonly<Record<Interval, number>> = {
  WEEK: 36,
  MONTH: 36,
  QUARTER: 12,
  SEMESTER: 6,
  YEAR: 3,
  CUSTOM: 730,
}

/**
 * The terms a subscription agrees to. It keeps a copy, so later changes to the plan do not affect it (decisions,
 * section 19).
 */
export type PlanTerms = {
  readonly name: string
  /** Per cycle. */
  readonly amountCents: Cents
  readonly interval: Interval
  /** How many intervals a cycle has; for CUSTOM, how many days. */
  readonly intervalCount: number
  readonly trialDays: number
  readonly setupFeeCents: Cents
  readonly maxCycles: number | null
  readonly methods: readonly BillingMethod[]
  readonly splitRuleId: SplitRuleId | null
}

export type Plan = PlanTerms & {
  readonly id: PlanId
  readonly accountId: AccountId
  readonly active: boolean
  /** Whether a subscription ever used it. Such a plan is never removed, and its interval is fixed. */
  readonly isUsed: boolean
  /** Removed: no lookup finds it any more. */
  readonly isRemoved: boolean
  readonly metadata: Metadata
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What can be changed in a plan. */
export type PlanChanges = Partial<PlanTerms & Pick<Plan, 'active' | 'metadata'>>

export type PlanFact =
  | (Fact<'PlanCreated'> & {
      readonly plan: Omit<Plan, 'id' | 'active' | 'isUsed' | 'isRemoved' | 'createdAtMs' | 'updatedAtMs'>
    })
  | (Fact<'PlanChanged'> & { readonly changes: PlanChanges })
  /** A subscription used it for the first time. */
  | Fact<'PlanUsed'>
  | Fact<'PlanRemoved'>

type Fact<Type extends string> = ActorFact<'plan', Type>
