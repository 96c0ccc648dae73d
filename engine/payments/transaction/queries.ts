import type { PackedStates } from '../../kernel/ports.ts'
import type { DateRange, Listed, Paging, Question } from '../../kernel/query.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { TransactionId } from '../../shared/ids.ts'
import type { Method } from '../../shared/method.ts'
import type { Delivery } from '../../webhooks/delivery.ts'
import type { OverviewDays, PixOverview } from '../methods/pix/overview.ts'
import type { ReceivedPix, ReceivedStatus } from '../received/received.ts'
import type { Family } from './family.ts'
import type { Facets, Totals } from './figures.ts'
import type { TransactionFilters } from './filters.ts'
import type { AgendaDay, ScheduledReceivable, ScheduledSum } from './scheduled.ts'
import type { TransactionOrder, TransactionPosition } from './search.ts'
import type { Chargeback, Med, Transaction } from './transaction.ts'

declare module '../../kernel/registry.ts' {
  interface FolderQueries {
    readonly payments: TransactionQuery
  }
  interface Answers {
    readonly FindTransaction: TransactionDetail | null
    readonly ListTransactions: ListedTransactions
    readonly FacetTransactions: Facets
    readonly ExportTransactions: ExportedTransactions
    readonly ListReceived: Listed<ReceivedPix>
    readonly OverviewPix: PixOverview
    readonly ListChargebacks: Listed<ListedChargeback>
    readonly ListMeds: Listed<ListedMed>
    readonly ListReceivables: ListedReceivables
    readonly ReadAgenda: Agenda
  }
}

export type FindTransaction = Question<'FindTransaction'> & {
  readonly transactionId: TransactionId
  /** The route family of the request; null accepts any. */
  readonly family: Family | null
}

export type ListTransactions = Question<'ListTransactions'> &
  Paging &
  TransactionFilters & {
    readonly order: TransactionOrder
    /** Whether sums over all matches are wanted besides their number. */
    readonly totals: boolean
  }

/** The choices that the filters leave. */
export type FacetTransactions = Question<'FacetTransactions'> & DateRange & TransactionFilters

/** The list in pieces: rows after a position where the previous piece ended. */
export type ExportTransactions = Question<'ExportTransactions'> &
  DateRange &
  TransactionFilters & {
    readonly order: TransactionOrder
    /** Null for the first piece, the only one with the total number of rows. */
    readonly after: TransactionPosition | null
    readonly limit: number
  }

export type ListReceived = Question<'ListReceived'> &
  Paging & {
    readonly statuses: readonly ReceivedStatus[]
    readonly endToEndId: string | null
    readonly txid: string | null
    readonly externalId: string | null
    readonly search: string | null
  }

export type OverviewPix = Question<'OverviewPix'> & OverviewDays

export type ListChargebacks = Question<'ListChargebacks'> &
  Paging & {
    readonly statuses: readonly Chargeback['status'][]
    readonly transactionId: string | null
  }

export type ListMeds = Question<'ListMeds'> &
  Paging & {
    readonly statuses: readonly Med['status'][]
    readonly transactionId: string | null
  }

export type TransactionDetail = {
  readonly transaction: Transaction
  readonly deliveries: readonly Delivery[]
  /** When the settlements of its receivables were completed; open ones are left out. */
  readonly settledAt: Readonly<Record<string, number>>
  /** Environment time. */
  readonly nowMs: number
}

/** A chargeback with its payment. */
export type ListedChargeback = { readonly chargeback: Chargeback; readonly transaction: Transaction }

/** A MED with its payment. */
export type ListedMed = { readonly med: Med; readonly transaction: Transaction }

/** Per currency; null unless requested. */
export type ListedTransactions = Listed<Transaction> & { readonly totals: readonly Totals[] | null }

export type ExportedTransactions = {
  readonly packed: PackedStates
  /** Null after the last piece. */
  readonly next: TransactionPosition | null
  readonly total: number | null
  readonly asOf: number
}

/** Receivables that come with a batch, day after day. */
export type ListReceivables = Question<'ListReceivables'> &
  Paging & { readonly methods: readonly Method[]; readonly providerId: string | null }

/** What the batches of some days bring: by default those of the next 90 days. */
export type ReadAgenda = Question<'ReadAgenda'> & {
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

export type ListedReceivables = Listed<ScheduledReceivable & { readonly settledAtMs: number | null }> & {
  readonly totals: ScheduledSum
}

export type Agenda = {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly timeZone: string
  readonly totals: ScheduledSum
  readonly days: readonly AgendaDay[]
}

/** A whole leap year. */
export const agendaDaysMax = 366

/** Queries about transactions and received PIX. */
export type TransactionQuery =
  | FindTransaction
  | ListTransactions
  | FacetTransactions
  | ExportTransactions
  | ListReceived
  | OverviewPix
  | ListChargebacks
  | ListMeds
  | ListReceivables
  | ReadAgenda
