import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { Brand } from '../ledger/card-rates.ts'
import type { Division, Share } from '../ledger/divide.ts'
import type { SplitItem } from '../ledger/split.ts'
import type { Recipient } from '../recipients/recipient.ts'
import type { SplitRule } from '../recipients/split-rule.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { RecipientId, SplitRuleId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { SplitTransfer, SplitTransferStatus } from './split-transfer.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly payouts: SplitQuery
  }
  interface Answers {
    readonly FindRecipient: Recipient | null
    readonly ListRecipients: Listed<Recipient>
    readonly FindSplitRule: SplitRule | null
    readonly ListSplitRules: Listed<SplitRule>
    readonly SimulateSplit: Simulation | Rejection
    readonly ListSplitTransfers: Listed<SplitTransfer>
  }
}

export type FindRecipient = Question<'FindRecipient'> & { readonly recipientId: RecipientId }

export type ListRecipients = Question<'ListRecipients'> &
  Paging & {
    readonly active: boolean | null
    /** Only those with one of these ids; empty for any. */
    readonly ids: readonly string[]
    readonly document: string | null
    readonly search: string | null
  }

export type FindSplitRule = Question<'FindSplitRule'> & { readonly ruleId: SplitRuleId }

export type ListSplitRules = Question<'ListSplitRules'> & Paging & { readonly active: boolean | null }

/** How a charge would be divided, by a rule or by given items. */
export type SimulateSplit = Question<'SimulateSplit'> & {
  readonly amountCents: Cents
  readonly divideBy: { readonly ruleId: SplitRuleId } | { readonly items: readonly SplitItem[] }
  readonly method: 'PIX' | 'BOLETO' | 'CREDIT_CARD'
  readonly installments: number
  readonly brand: Brand
  /** Null for the method's fee. */
  readonly feeCents: Cents | null
}

export type ListSplitTransfers = Question<'ListSplitTransfers'> &
  Paging & {
    readonly recipientId: string | null
    readonly transactionId: string | null
    readonly statuses: readonly SplitTransferStatus[]
  }

export type Simulation = Pick<SimulateSplit, 'amountCents' | 'method' | 'installments'> & {
  readonly feeCents: Cents
  readonly division: Division
  /** In serving order. */
  readonly parties: readonly SimulatedParty[]
}

export type SimulatedParty = {
  readonly share: Share
  /** Null for the company if no item names it. */
  readonly item: SplitItem | null
  readonly name: string
  readonly rows: readonly (Pick<Share, 'grossCents' | 'feeCents'> & {
    readonly installment: number
    readonly expectedOn: CalendarDate
  })[]
}

/** Queries about recipients, split rules and transfers. */
export type SplitQuery =
  | FindRecipient
  | ListRecipients
  | FindSplitRule
  | ListSplitRules
  | SimulateSplit
  | ListSplitTransfers
