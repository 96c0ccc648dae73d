import type { Question } from '../kernel/query.ts'
import type { Balances } from '../ledger/postings.ts'
import type { DateField, Tally } from '../payments/transaction/search.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { Method } from '../shared/method.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly overview: Overview
  }
  interface Answers {
    readonly Overview: OverviewFound
  }
}

/** The start page: payments of a period, and what is open now. */
export type Overview = Question<'Overview'> & {
  /** The day on which a payment counts. */
  readonly dateField: DateField
  /** Days in the company's time zone, both included; null for 30 days up to today. */
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

export type OverviewFound = {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly timeZone: string
  /** What was paid, by day and method; days without a payment are left out. */
  readonly volume: readonly (Tally & { readonly date: CalendarDate; readonly method: Method })[]
  /** Authorisations of the card payments created on each day: how many were decided, and how many of them approved. */
  readonly approval: readonly {
    readonly date: CalendarDate
    readonly attempts: number
    readonly approved: number
  }[]
  readonly methods: readonly (Tally & { readonly method: Method })[]
  readonly mrrCents: bigint
  readonly balances: Balances
  readonly openChargebacks: number
  readonly openMeds: number
  /** Transfers and withdrawals that other people have to approve. */
  readonly pendingApprovals: number
  /** Deliveries of the last 30 days that have used up their attempts. */
  readonly failedDeliveries: number
}

/** A whole leap year, so that years can be compared. */
export const overviewPeriodDaysMax = 366
