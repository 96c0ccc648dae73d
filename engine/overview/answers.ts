import { overviewOf } from '../billing/figures/figures.ts'
import { activeRails } from '../connections/rail-connection.ts'
import type { Memory } from '../kernel/ports.ts'
import type { Answerers } from '../kernel/reader.ts'
import type { Work } from '../kernel/work.ts'
import { methodOf } from '../payments/methods/index.ts'
import type { PeriodFigures, Tally } from '../payments/transaction/search.ts'
import type { TransactionStatus } from '../payments/transaction/transaction.ts'
import { assert } from '../shared/assert.ts'
import {
  addDays,
  type CalendarDate,
  dateIn,
  dayMs,
  daysBetween,
  instantOf,
  startOfDay,
} from '../shared/calendar.ts'
import type { Method } from '../shared/method.ts'
import { type Overview, type OverviewFound, overviewPeriodDaysMax } from './queries.ts'

/** Figures come from columns and from what the account keeps; no state is read. */
export const overviewAnswers: Answerers<Overview> = {
  Overview: function* (query, { memory, account, nowMs, realMs, everywhereRails, result }) {
    assert(account !== undefined, 'a caller exists only for an open account')
    const { timeZone } = account.profile
    const today = dateIn(timeZone, nowMs)
    const to = query.to ?? today
    const first = addDays(to, 1 - overviewPeriodDaysMax)
    const asked = query.from ?? addDays(to, -defaultDays)
    const from = asked < first ? first : asked
    const days = daysFrom(from, to)
    const hourly = yield* hourlyFigures(memory, query, timeZone, days)
    const before = { from: addDays(from, -days.length), to: addDays(from, -1) }
    const [earlier, start, end] = [before.from, from, addDays(to, 1)].map((date) =>
      startOfDay(timeZone, date),
    ) as [number, number, number]
    const dated = yield* memory.periodFigures(query.accountId, [earlier, start], query.dateField)
    const dayStarts = days.map((date) => startOfDay(timeZone, date))
    const created = yield* memory.periodFigures(query.accountId, [...dayStarts, end], 'createdAt')
    const createdBefore = yield* memory.periodFigures(query.accountId, [earlier, start], 'createdAt')
    const approval = approvalOf(days, created)
    const approvalBefore = approvalOf([before.from], createdBefore)
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
      ...paymentsOf(days, hourly),
      approval,
      totals: { ...paidIn(hourly), ...decidedIn(approval) },
      previous: { ...before, ...paidIn(dated), ...decidedIn(approvalBefore) },
      connectedRails: [...new Set([...everywhereRails, ...activeRails(account)])],
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

const daysFrom = (from: CalendarDate, to: CalendarDate): readonly CalendarDate[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, n) => addDays(from, n))

/** Figures of each hour that clocks show; a month at a time bounds what is summed up at once. */
const hourlyFigures = function* (
  memory: Memory,
  { accountId, dateField }: Overview,
  timeZone: string,
  days: readonly CalendarDate[],
): Work<readonly HourFigures[]> {
  const figures: HourFigures[] = []
  for (let first = 0; first < days.length; first += monthDays) {
    const some = days.slice(first, first + monthDays)
    const instants = some.flatMap((date) =>
      Array.from({ length: 24 }, (_, hour) => instantOf(timeZone, date, hour * hourMs)),
    )
    instants.push(startOfDay(timeZone, addDays(some.at(-1)!, 1)))
    for (const { period, ...sums } of yield* memory.periodFigures(accountId, instants, dateField))
      figures.push({ day: first + Math.floor(period / 24), hour: period % 24, ...sums })
  }
  return figures
}

const monthDays = 31
const hourMs = 3_600_000

type HourFigures = Omit<PeriodFigures, 'period'> & { readonly day: number; readonly hour: number }

/** Other currencies do not add up with reais. */
const isPaid = ({ group }: Pick<PeriodFigures, 'group'>): boolean =>
  paidStatuses.has(group.status) && group.currency === 'BRL'

const paymentsOf = (
  days: readonly CalendarDate[],
  figures: readonly HourFigures[],
): Pick<OverviewFound, 'volume' | 'methods' | 'days' | 'hours'> => {
  const ofDays = days.map((): Tallies => new Map())
  const ofAll: Tallies = new Map()
  const hours = Array.from({ length: 24 }, () => ({ count: 0, cents: 0n }))
  for (const { day, hour, group, count, paidCents } of figures.filter(isPaid)) {
    add(ofDays[day]!, group.method, count, paidCents)
    add(ofAll, group.method, count, paidCents)
    hours[hour]!.count += count
    hours[hour]!.cents += paidCents
  }
  return {
    days: ofDays.map((tallies, n) => ({ date: days[n]!, ...sumOf([...tallies.values()]) })),
    hours,
    volume: ofDays.flatMap((tallies, n) =>
      [...tallies.values()]
        .sort((a, b) => (a.method < b.method ? -1 : 1))
        .map((tally) => ({ date: days[n]!, ...tally })),
    ),
    methods: [...ofAll.values()].sort((a, b) => b.count - a.count),
  }
}

const paidIn = (figures: readonly Pick<PeriodFigures, 'group' | 'count' | 'paidCents'>[]): Tally =>
  sumOf(figures.filter(isPaid).map(({ count, paidCents }) => ({ count, cents: paidCents })))

const decidedIn = (approval: OverviewFound['approval']) => ({
  attempts: approval.reduce((sum, { attempts }) => sum + attempts, 0),
  approved: approval.reduce((sum, { approved }) => sum + approved, 0),
})

const sumOf = (tallies: readonly Tally[]): Tally => ({
  count: tallies.reduce((sum, { count }) => sum + count, 0),
  cents: tallies.reduce((sum, { cents }) => sum + cents, 0n),
})

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
