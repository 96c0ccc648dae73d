import { overviewOf } from '../billing/figures/figures.ts'
import type { Answerers } from '../kernel/reader.ts'
import { methodOf } from '../payments/methods/index.ts'
import type { PeriodFigures } from '../payments/transaction/search.ts'
import type { TransactionStatus } from '../payments/transaction/transaction.ts'
import { assert } from '../shared/assert.ts'
import { addDays, type CalendarDate, dateIn, dayMs, startOfDay } from '../shared/calendar.ts'
import type { Method } from '../shared/method.ts'
import { type Overview, type OverviewFound, overviewPeriodDaysMax } from './queries.ts'

/** Figures come from columns and from what the account keeps; no state is read. */
export const overviewAnswers: Answerers<Overview> = {
  Overview: function* (query, { memory, account, nowMs, realMs, result }) {
    assert(account !== undefined, 'a caller exists only for an open account')
    const { timeZone } = account.profile
    const today = dateIn(timeZone, nowMs)
    const to = query.to ?? today
    const first = addDays(to, 1 - overviewPeriodDaysMax)
    const asked = query.from ?? addDays(to, -defaultDays)
    const from = asked < first ? first : asked
    const days: CalendarDate[] = []
    for (let date = from; date <= to; date = addDays(date, 1)) days.push(date)
    const instants = [...days, addDays(to, 1)].map((date) => startOfDay(timeZone, date))
    const created = yield* memory.periodFigures(query.accountId, instants, 'createdAt')
    const figures =
      query.dateField === 'createdAt'
        ? created
        : yield* memory.periodFigures(query.accountId, instants, query.dateField)
    const failed = yield* memory.listing(query.accountId, 'delivery', {
      offset: 0,
      limit: 0,
      fromMs: realMs - failureDays * dayMs,
      fits: (label) => label.endsWith(' EXHAUSTED'),
    })
    let pendingApprovals = 0
    for (const kind of ['transfer', 'withdrawal'] as const) {
      const fits = (label: string) => label.startsWith('PENDING_APPROVAL ')
      const { total } = yield* memory.listing(query.accountId, kind, { offset: 0, limit: 0, fits })
      pendingApprovals += total
    }
    return result({
      from,
      to,
      timeZone,
      ...paymentsOf(days, figures),
      approval: approvalOf(days, created),
      mrrCents: overviewOf(account.recurring, today).mrrCents,
      balances: account.balances,
      openChargebacks: memory.openDisputes(query.accountId, 'cbk'),
      openMeds: memory.openDisputes(query.accountId, 'med'),
      pendingApprovals,
      failedDeliveries: failed.total,
    })
  },
}

/** With the last day itself, a default period has 30 days. */
const defaultDays = 29
/** How long a failed delivery can be sent once more. */
const failureDays = 30

const paymentsOf = (
  days: readonly CalendarDate[],
  figures: readonly PeriodFigures[],
): Pick<OverviewFound, 'volume' | 'methods'> => {
  const ofDays = days.map((): Tallies => new Map())
  const ofAll: Tallies = new Map()
  for (const { period, group, count, paidCents } of figures) {
    // Other currencies do not add up with reais.
    if (!paidStatuses.has(group.status) || group.currency !== 'BRL') continue
    add(ofDays[period]!, group.method, count, paidCents)
    add(ofAll, group.method, count, paidCents)
  }
  return {
    volume: ofDays.flatMap((tallies, n) =>
      [...tallies.values()]
        .sort((a, b) => (a.method < b.method ? -1 : 1))
        .map((tally) => ({ date: days[n]!, ...tally })),
    ),
    methods: [...ofAll.values()].sort((a, b) => b.count - a.count),
  }
}

const approvalOf = (
  days: readonly CalendarDate[],
  figures: readonly PeriodFigures[],
): OverviewFound['approval'] => {
  const approval = days.map((date) => ({ date, attempts: 0, approved: 0 }))
  for (const { period, group, count } of figures) {
    if (methodOf(group).rail !== 'CARD') continue
    const isApproved = authorizedStatuses.has(group.status)
    if (!isApproved && group.status !== 'DECLINED') continue
    const day = approval[period]!
    day.attempts += count
    if (isApproved) day.approved += count
  }
  return approval
}

type Tallies = Map<Method, { readonly method: Method; count: number; cents: bigint }>

const add = (tallies: Tallies, method: Method, count: number, cents: bigint): void => {
  const tally = tallies.get(method)
  if (tally === undefined) tallies.set(method, { method, count, cents })
  else {
    tally.count += count
    tally.cents += cents
  }
}

/** Statuses of payments that were paid at some time, even if refunded since. */
const paidStatuses: ReadonlySet<TransactionStatus> = new Set([
  'APPROVED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'CHARGEBACK',
])

/** Statuses of card payments whose authorisation was approved: a paid one, or one that is captured yet, voided or has lapsed. */
const authorizedStatuses: ReadonlySet<TransactionStatus> = new Set([
  ...paidStatuses,
  'AUTHORIZED',
  'CANCELLED',
  'EXPIRED',
])
