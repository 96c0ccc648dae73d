import type { RecipientId, SplitRuleId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'

/** One party of a division (decisions, section 17.2). A null recipient is the company. */
export type SplitItem = {
  readonly recipientId: RecipientId | null
  /** Of the gross amount; or null, and `fixedCents` says how much. */
  readonly percentBps: number | null
  readonly fixedCents: Cents | null
  /** Lower is served first. */
  readonly priority: number
  /** Pays the provider's fee, in proportion with others that do. */
  readonly chargeFees: boolean
  /** Receives what no item claims. At most one does. */
  readonly chargeRemainder: boolean
}

/** A rule as it was when a charge was made by it: later changes of the rule do not touch the charge. */
export type Split = { readonly ruleId: SplitRuleId; readonly items: readonly SplitItem[] }
