import type { Question } from '../kernel/query.ts'
import type { Balances } from '../ledger/postings.ts'
import type { InstantField, Tally } from '../payments/transaction/search.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { Method } from '../shared/method.ts'
import type { Rail } from '../shared/rail.ts'

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
  readonly dateField: InstantField
  /** Days in the company's time zone, both included; null for 30 days up to today. */
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

export type OverviewFound = {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly timeZone: string
  /** What was paid on every day. */
  readonly days: readonly (Tally & { readonly date: CalendarDate })[]
  /** What was paid in each of the 24 hours that clocks show, on all days together. */
  readonly hours: readonly Tally[]
  /** The whole period, and as many days before it. */
  readonly totals: PeriodTotals
  readonly previous: PeriodTotals & { readonly from: CalendarDate; readonly to: CalendarDate }
  /** What was paid, by day and method; days without a payment are left out. */
  readonly volume: readonly (Tally & { readonly date: CalendarDate; readonly method: Method })[]
  /** Authorisations of the card payments created on each day: how many were decided, and how many of them approved. */
  readonly approval: readonly {
    readonly date: CalendarDate
    readonly attempts: number
    readonly approved: number
  }[]
  readonly methods: readonly (Tally & { readonly method: Method })[]
  /** The rails on which a bank or acquirer is connected. */
  readonly connectedRails: readonly Rail[]
  readonly mrrCents: bigint
  readonly balances: Balances
  readonly openChargebacks: number
  readonly openMeds: number
  /** Transfers and withdrawals that other people have to approve. */
  readonly pendingApprovals: number
  /** Deliveries of the last 30 days that have used up their attempts. */
  readonly failedDeliveries: number
}

/** What was paid in a period, and how its card authorisations were decided. */
export type PeriodTotals = Tally & { readonly attempts: number; readonly approved: number }

/** A whole leap year, so that years can be compared. */
export const overviewPeriodDaysMax = 366
