import type { Account } from './account/account.ts'
import type { CalendarDate } from './calendar.ts'
import type { Delivery, DeliveryStatus } from './delivery/delivery.ts'
import type { AccountId, DeliveryId, EndpointId, TransactionId } from './ids.ts'
import type { OverviewDays, PixOverview } from './methods/pix/overview.ts'
import type { ReceivedPix } from './received/received.ts'
import type { Origin, Transaction, TransactionStatus } from './transaction/transaction.ts'

/** Every question that an account's actors answer. Plain data: it travels between threads and nodes. */
export type Query =
  | FindTransaction
  | ListTransactions
  | ListReceived
  | OverviewPix
  | FindAccount
  | ListDeliveries
  | FindDelivery

type Question<Type extends string> = { readonly type: Type; readonly accountId: AccountId }

export type FindTransaction = Question<'FindTransaction'> & {
  readonly transactionId: TransactionId
  /** Which family of routes asks; null accepts any. */
  readonly family: Origin | null
}

export type ListTransactions = Question<'ListTransactions'> &
  Paging & {
    readonly family: Origin
    readonly statuses: readonly TransactionStatus[]
    readonly externalId: string | null
    /** Found in ids exactly, in the customer's name and e-mail anywhere. */
    readonly search: string | null
  }

export type ListReceived = Question<'ListReceived'> &
  Paging & {
    readonly statuses: readonly ('RECEIVED' | 'RETURNED')[]
    readonly endToEndId: string | null
    readonly txid: string | null
    readonly externalId: string | null
    readonly search: string | null
  }

export type OverviewPix = Question<'OverviewPix'> & OverviewDays

export type FindAccount = Question<'FindAccount'>
export type FindDelivery = Question<'FindDelivery'> & { readonly deliveryId: DeliveryId }
export type ListDeliveries = Question<'ListDeliveries'> &
  Paging & { readonly endpointId: EndpointId | null; readonly statuses: readonly DeliveryStatus[] }

export type Paging = {
  readonly page: number
  readonly pageSize: number
  readonly asOf: number | null
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

export type TransactionDetail = {
  readonly transaction: Transaction
  readonly deliveries: readonly Delivery[]
}

/** `asOf` is the journal position that the list was read at. */
export type Listed<State> = { readonly rows: readonly State[]; readonly total: number; readonly asOf: number }

/** The environment clock beside the real one. */
export type AccountNow = { readonly account: Account; readonly nowMs: number; readonly realMs: number }

/** The answer to each question; null where what was asked for is not there. */
export type Answers = {
  readonly FindTransaction: TransactionDetail | null
  readonly ListTransactions: Listed<Transaction>
  readonly ListReceived: Listed<ReceivedPix>
  readonly OverviewPix: PixOverview
  readonly FindAccount: AccountNow | null
  readonly FindDelivery: Delivery | null
  readonly ListDeliveries: Listed<Delivery>
}
