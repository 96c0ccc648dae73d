import type { AccountId, PlanId, SplitRuleId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Cents } from '../../shared/money.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly plan: Plan
  }
  interface ActorFacts {
    readonly plan: PlanEvent
  }
}

export const intervals = ['WEEK', 'MONTH', 'QUARTER', 'SEMESTER', 'YEAR', 'CUSTOM'] as const
export type Interval = (typeof intervals)[number]

export const billingMethods = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const
export type BillingMethod = (typeof billingMethods)[number]

/** How many intervals a cycle may have: as many as make 36 months; of CUSTOM, two years of days. */
export const intervalCountMax: Readonly<Record<Interval, number>> = {
  WEEK: 36,
  MONTH: 36,
  QUARTER: 12,
  SEMESTER: 6,
  YEAR: 3,
  CUSTOM: 730,
}

/** What a subscription agrees to: it keeps a copy, which later changes of the plan do not touch (decisions, section 19). */
export type PlanTerms = {
  readonly name: string
  /** Of each cycle. */
  readonly amountCents: Cents
  readonly interval: Interval
  /** How many intervals a cycle has; of CUSTOM, how many days. */
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
  /** Whether a subscription ever had it: then it is never removed, and keeps its interval. */
  readonly isUsed: boolean
  /** Removed: nobody finds it any more. */
  readonly isRemoved: boolean
  readonly metadata: Metadata
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What of a plan can be changed. */
export type PlanChanges = Partial<PlanTerms & Pick<Plan, 'active' | 'metadata'>>

export type PlanEvent =
  | (Fact<'PlanCreated'> & {
      readonly plan: Omit<Plan, 'id' | 'active' | 'isUsed' | 'isRemoved' | 'createdAtMs' | 'updatedAtMs'>
    })
  | (Fact<'PlanChanged'> & { readonly changes: PlanChanges })
  /** A subscription took it for the first time. */
  | Fact<'PlanUsed'>
  | Fact<'PlanRemoved'>

type Fact<Type extends string> = {
  readonly actor: 'plan'
  readonly type: Type
  readonly id: PlanId
  readonly atMs: number
}
