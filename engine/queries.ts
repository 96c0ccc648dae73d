import type { CatalogAnswers, CatalogQuery } from './billing/catalog/catalog-queries.ts'
import type { SubscriptionAnswers, SubscriptionQuery } from './billing/subscription/queries.ts'
import type { RegisteredCustomer } from './customers/customer.ts'
import type { Rejection } from './kernel/decision.ts'
import type { TransactionOrder, TransactionPosition } from './kernel/ports.ts'
import type { Account } from './ledger/account.ts'
import type { Brand } from './payments/methods/card/fees.ts'
import type { OverviewDays, PixOverview } from './payments/methods/pix/overview.ts'
import type { ReceivedPix } from './payments/received/received.ts'
import type { Family } from './payments/transaction/family.ts'
import type { Facets, Totals } from './payments/transaction/figures.ts'
import type { TransactionFilters } from './payments/transaction/filters.ts'
import type { Chargeback, Transaction } from './payments/transaction/transaction.ts'
import type { Division, Share } from './payouts/divide.ts'
import type { Recipient } from './payouts/recipient.ts'
import type { SplitItem } from './payouts/rule.ts'
import type { SplitRule } from './payouts/split-rule.ts'
import type { SplitTransfer, TransferStatus } from './payouts/transfer.ts'
import type { PublicEvent } from './public-events.ts'
import type { CalendarDate } from './shared/calendar.ts'
import type {
  AccountId,
  CustomerId,
  DeliveryId,
  EndpointId,
  RecipientId,
  SplitRuleId,
  TransactionId,
} from './shared/ids.ts'
import type { Cents } from './shared/money.ts'
import type { Delivery, DeliveryStatus } from './webhooks/delivery.ts'

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

export type Question<Type extends string> = { readonly type: Type; readonly accountId: AccountId }

export type FindTransaction = Question<'FindTransaction'> & {
  readonly transactionId: TransactionId
  /** Which family of routes asks; null accepts any. */
  readonly family: Family | null
}

export type ListTransactions = Question<'ListTransactions'> &
  Paging &
  TransactionFilters & {
    readonly order: TransactionOrder
    /** Whether sums over all that fits are wanted, not only their number. */
    readonly totals: boolean
  }

/** What the filters leave to choose from. */
export type FacetTransactions = Question<'FacetTransactions'> & Period & TransactionFilters

/** The list piece by piece: the rows after a position, from which the next piece goes on. */
export type ExportTransactions = Question<'ExportTransactions'> &
  Period &
  TransactionFilters & {
    readonly order: TransactionOrder
    /** Null asks for the first piece, which alone tells how many rows there are in all. */
    readonly after: TransactionPosition | null
    readonly limit: number
  }

export type ListReceived = Question<'ListReceived'> &
  Paging & {
    readonly statuses: readonly ('RECEIVED' | 'RETURNED')[]
    readonly endToEndId: string | null
    readonly txid: string | null
    readonly externalId: string | null
    readonly search: string | null
  }

export type FindCustomer = Question<'FindCustomer'> & { readonly customerId: CustomerId }

export type ListCustomers = Question<'ListCustomers'> &
  Paging & {
    readonly document: string | null
    readonly email: string | null
    readonly externalId: string | null
    readonly search: string | null
  }

export type ListChargebacks = Question<'ListChargebacks'> &
  Paging & {
    readonly statuses: readonly Chargeback['status'][]
    readonly transactionId: string | null
  }

export type OverviewPix = Question<'OverviewPix'> & OverviewDays

export type FindAccount = Question<'FindAccount'>
export type FindDelivery = Question<'FindDelivery'> & { readonly deliveryId: DeliveryId }
export type ListDeliveries = Question<'ListDeliveries'> &
  Paging & {
    readonly endpointId: EndpointId | null
    readonly statuses: readonly DeliveryStatus[]
    /** Only those scheduled before this instant of real time. */
    readonly scheduledBeforeMs?: number | null
  }

/** What was told of the account between two instants of real time, whether anybody listened or not; oldest first. */
export type ListEvents = Question<'ListEvents'> & {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** The `next.after` of the page before, or its `end`; null for the first page. */
  readonly after: number | null
}

export type FindRecipient = Question<'FindRecipient'> & { readonly recipientId: RecipientId }

export type ListRecipients = Question<'ListRecipients'> &
  Paging & {
    readonly active: boolean | null
    readonly document: string | null
    readonly search: string | null
  }

export type FindSplitRule = Question<'FindSplitRule'> & { readonly ruleId: SplitRuleId }

export type ListSplitRules = Question<'ListSplitRules'> & Paging & { readonly active: boolean | null }

/** What a charge would be divided into, by a rule or by items that are none. */
export type SimulateSplit = Question<'SimulateSplit'> & {
  readonly amountCents: Cents
  readonly divideBy: { readonly ruleId: SplitRuleId } | { readonly items: readonly SplitItem[] }
  readonly method: 'PIX' | 'BOLETO' | 'CREDIT_CARD'
  readonly installments: number
  readonly brand: Brand
  /** Null for what the method costs. */
  readonly feeCents: Cents | null
}

export type ListSplitTransfers = Question<'ListSplitTransfers'> &
  Paging & {
    readonly recipientId: string | null
    readonly transactionId: string | null
    readonly statuses: readonly TransferStatus[]
  }

export type Simulation = Pick<SimulateSplit, 'amountCents' | 'method' | 'installments'> & {
  readonly feeCents: Cents
  readonly division: Division
  /** In the order in which they are served. */
  readonly parties: readonly SimulatedParty[]
}

export type SimulatedParty = {
  readonly share: Share
  /** Null for the company where no item names it. */
  readonly item: SplitItem | null
  readonly name: string
  readonly rows: readonly (Pick<Share, 'grossCents' | 'feeCents'> & {
    readonly installment: number
    readonly expectedOn: CalendarDate
  })[]
}

export type Paging = Period & { readonly page: number; readonly pageSize: number }

/** Days of the company's time zone, both included, and a journal position that hides what was created since. */
export type Period = {
  readonly asOf: number | null
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

export type TransactionDetail = {
  readonly transaction: Transaction
  readonly deliveries: readonly Delivery[]
  /** When the batches went through that its receivables are part of; of the others nothing. */
  readonly settledAt: Readonly<Record<string, number>>
  /** Environment time. */
  readonly nowMs: number
}

/** A chargeback with the payment that it is about. */
export type ListedChargeback = { readonly chargeback: Chargeback; readonly transaction: Transaction }

/** `asOf` is the journal position that the list was read at. */
export type Listed<State> = {
  readonly rows: readonly State[]
  readonly total: number
  readonly asOf: number
  /** Environment time. */
  readonly nowMs: number
}

/** One for each currency; null where they were not asked for. */
export type ListedTransactions = Listed<Transaction> & { readonly totals: readonly Totals[] | null }

export type ExportedTransactions = {
  readonly rows: readonly Transaction[]
  /** Null after the last piece. */
  readonly next: TransactionPosition | null
  readonly total: number | null
  readonly asOf: number
}

export type ListedEvents = {
  readonly events: readonly PublicEvent[]
  /** Where the next page goes on, which may be far from here; null when there is none. */
  readonly next: { readonly after: number; readonly atMs: number } | null
  /** The last journal position that was looked at: a later question goes on after it. */
  readonly end: number
}

/** The environment clock beside the real one. */
export type AccountNow = { readonly account: Account; readonly nowMs: number; readonly realMs: number }

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
