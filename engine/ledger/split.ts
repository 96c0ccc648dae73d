import type { RecipientId, SplitRuleId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'

/** One party of a division (decisions, section 17.2). A null recipient is the company. */
export type SplitItem = {
  readonly recipientId: RecipientId | null
  /** Share of the gross amount; null when `fixedCents` is set instead. */
  readonly percentBps: number | null
  readonly fixedCents: Cents | null
  /** Lower numbers are served first. */
  readonly priority: number
  /** Pays a part of the provider's fee, in proportion to the others that do. */
  readonly chargeFees: boolean
  /** Receives what no item claims; at most one item does. */
  readonly chargeRemainder: boolean
}

/** A rule as it was when a charge used it: later changes do not affect the charge. */
export type Split = { readonly ruleId: SplitRuleId; readonly items: readonly SplitItem[] }
