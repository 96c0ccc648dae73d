import type { CatalogAnswers, CatalogQuery } from './billing/catalog/catalog-queries.ts'
import type { SubscriptionAnswers, SubscriptionQuery } from './billing/subscription/queries.ts'
import type { RegisteredCustomer } from './customers/customer.ts'
import type { FindCustomer, ListCustomers } from './customers/queries.ts'
import type { Rejection } from './kernel/decision.ts'
import type { Listed, Question } from './kernel/query.ts'
import type { AccountNow, FindAccount } from './ledger/queries.ts'
import type { PixOverview } from './payments/methods/pix/overview.ts'
import type { ReceivedPix } from './payments/received/received.ts'
import type { Facets } from './payments/transaction/figures.ts'
import type {
  ExportedTransactions,
  ExportTransactions,
  FacetTransactions,
  FindTransaction,
  ListChargebacks,
  ListedChargeback,
  ListedTransactions,
  ListReceived,
  ListTransactions,
  OverviewPix,
  TransactionDetail,
} from './payments/transaction/queries.ts'
import type {
  FindRecipient,
  FindSplitRule,
  ListRecipients,
  ListSplitRules,
  ListSplitTransfers,
  SimulateSplit,
  Simulation,
} from './payouts/queries.ts'
import type { Recipient } from './payouts/recipient.ts'
import type { SplitRule } from './payouts/split-rule.ts'
import type { SplitTransfer } from './payouts/transfer.ts'
import type { PublicEvent } from './public-events.ts'
import type { Delivery } from './webhooks/delivery.ts'
import type { FindDelivery, ListDeliveries } from './webhooks/queries.ts'

/** Every question that an account's actors answer. Plain data: it travels between threads and nodes. */
export type Query =
  | FindTransaction
  | ListTransactions
  | FacetTransactions
  | ExportTransactions
  | ListReceived
  | OverviewPix
  | FindCustomer
  | ListCustomers
  | ListChargebacks
  | FindAccount
  | ListDeliveries
  | FindDelivery
  | ListEvents
  | CatalogQuery
  | FindRecipient
  | ListRecipients
  | FindSplitRule
  | ListSplitRules
  | SimulateSplit
  | ListSplitTransfers
  | SubscriptionQuery

/** What was told of the account between two instants of real time, whether anybody listened or not; oldest first. */
export type ListEvents = Question<'ListEvents'> & {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** The `next.after` of the page before, or its `end`; null for the first page. */
  readonly after: number | null
}

export type ListedEvents = {
  readonly events: readonly PublicEvent[]
  /** Where the next page goes on, which may be far from here; null when there is none. */
  readonly next: { readonly after: number; readonly atMs: number } | null
  /** The last journal position that was looked at: a later question goes on after it. */
  readonly end: number
}

/** The answer to each question; null where what was asked for is not there. */
export type Answers = CatalogAnswers &
  SubscriptionAnswers & {
    readonly FindTransaction: TransactionDetail | null
    readonly ListTransactions: ListedTransactions
    readonly FacetTransactions: Facets
    readonly ExportTransactions: ExportedTransactions
    readonly ListReceived: Listed<ReceivedPix>
    readonly OverviewPix: PixOverview
    readonly FindCustomer: RegisteredCustomer | null
    readonly ListCustomers: Listed<RegisteredCustomer>
    readonly ListChargebacks: Listed<ListedChargeback>
    readonly FindAccount: AccountNow | null
    readonly FindDelivery: Delivery | null
    readonly ListDeliveries: Listed<Delivery>
    readonly ListEvents: ListedEvents
    readonly FindRecipient: Recipient | null
    readonly ListRecipients: Listed<Recipient>
    readonly FindSplitRule: SplitRule | null
    readonly ListSplitRules: Listed<SplitRule>
    readonly SimulateSplit: Simulation | Rejection
    readonly ListSplitTransfers: Listed<SplitTransfer>
  }
