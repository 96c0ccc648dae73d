import type { Work } from '../../kernel/work.ts'
import type { Receivable } from '../../ledger/receivable.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { AccountId, SettlementId } from '../../shared/ids.ts'
import type { Method } from '../../shared/method.ts'
import type { TransactionGroup } from './row.ts'
import type { Transaction } from './transaction.ts'

declare module '../../kernel/ports.ts' {
  interface Memory {
    /** Counts and sums of the receivables that the batches of these days bring, by day and group, from columns. */
    readonly scheduledFigures: (
      accountId: AccountId,
      period: SchedulePeriod & { readonly ahead: BatchesAhead | null },
    ) => Work<readonly ScheduledFigures[]>
    /** These receivables day after day; only the states on the page are loaded. */
    readonly scheduledReceivables: (
      accountId: AccountId,
      filter: ScheduledFilter,
      page: { readonly offset: number; readonly limit: number },
    ) => Work<{ readonly rows: readonly ScheduledReceivable[]; readonly total: number }>
  }
}

/** Days on which batches run, both included; few enough to hold a sum of each. */
export type SchedulePeriod = { readonly from: CalendarDate; readonly to: CalendarDate }

/**
 * Batches that have run on days to which a Sandbox clock that was put back comes again. What they brought is in the balance already, and is not
 * what these days will bring.
 */
export type BatchesAhead = {
  readonly days: ReadonlySet<CalendarDate>
  readonly ids: ReadonlySet<SettlementId>
}

export type ScheduledFilter = SchedulePeriod & {
  /** Leaves out the receivables of these; null when there are none. */
  readonly ahead: BatchesAhead | null
  /** Hides those of transactions that were created after this sequence. */
  readonly asOf: number
  readonly fits: (group: TransactionGroup) => boolean
}

export type ScheduledSum = {
  readonly count: number
  readonly grossCents: bigint
  readonly feeCents: bigint
}

/** What the batches of a day bring of one group. */
export type ScheduledFigures = ScheduledSum & {
  readonly date: CalendarDate
  readonly group: TransactionGroup
}

/** A receivable, with the payment that it is of. */
export type ScheduledReceivable = { readonly receivable: Receivable; readonly transaction: Transaction }

/** What a day brings of one method, by one provider. */
export type AgendaPart = ScheduledSum & { readonly method: Method; readonly providerId: string }

/** What the batches of a day bring. */
export type AgendaDay = ScheduledSum & { readonly date: CalendarDate; readonly parts: readonly AgendaPart[] }

/** Adds up by day, method and provider; days without any are left out. */
export const agendaDays = (figures: readonly ScheduledFigures[]): readonly AgendaDay[] => {
  const days = new Map<CalendarDate, Map<string, AgendaPart>>()
  for (const { date, group, ...sum } of figures) {
    const { method, providerId } = group
    const parts = days.get(date) ?? new Map<string, AgendaPart>()
    days.set(date, parts)
    const key = `${method} ${providerId}`
    parts.set(key, { method, providerId, ...scheduledSumOf([parts.get(key) ?? none, sum]) })
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, parts]) => {
      const inOrder = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
      return { date, ...scheduledSumOf(inOrder), parts: inOrder }
    })
}

/** The sum of sums. */
export const scheduledSumOf = (sums: readonly ScheduledSum[]): ScheduledSum => ({
  count: sums.reduce((total, { count }) => total + count, 0),
  grossCents: sums.reduce((total, { grossCents }) => total + grossCents, 0n),
  feeCents: sums.reduce((total, { feeCents }) => total + feeCents, 0n),
})

const none: ScheduledSum = { count: 0, grossCents: 0n, feeCents: 0n }
