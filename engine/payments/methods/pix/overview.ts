import type { Memory } from '../../../kernel/ports.ts'
import type { Work } from '../../../kernel/work.ts'
import type { Account } from '../../../ledger/account.ts'
import { addDays, type CalendarDate, dateIn, endOfDay, startOfDay } from '../../../shared/calendar.ts'
import type { AccountId } from '../../../shared/ids.ts'
import { roundHalfUp } from '../../../shared/money.ts'
import { anyTransaction, figuresOnly, filterOf } from '../../transaction/filters.ts'
import type { Tally } from '../../transaction/search.ts'
import type { TransactionStatus } from '../../transaction/transaction.ts'

/** Days in the company's time zone, both included; null when the caller gave none. */
export type OverviewDays = { readonly from: CalendarDate | null; readonly to: CalendarDate | null }

/** A summary of PIX for a period: charges by day of creation, money by day of arrival (decisions, section 10). */
export type PixOverview = {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly timeZone: string
  readonly charges: Readonly<Record<ChargeBucket, Tally>>
  readonly received: Tally
  readonly deposits: Tally
  /** By the day they completed. */
  readonly refunds: Tally
  readonly returned: Tally
  /** By the day they were opened, and how they ended; a MED cancelled by its opener is not counted. */
  readonly med: Readonly<Record<MedBucket, Tally>>
  readonly feeCents: bigint
  readonly averageTicketCents: bigint
  readonly conversionBps: number
  readonly daily: readonly { readonly date: CalendarDate; readonly received: Tally }[]
}

type MedBucket = 'open' | 'accepted' | 'rejected'
type ChargeBucket = 'created' | 'pending' | 'paid' | 'expired' | 'cancelled' | 'failed'

export const overviewDaysMax = 366

/** The requested period. By default from the first day of this month, or of the end's month, to today. */
const overviewPeriod = (
  query: OverviewDays,
  nowMs: number,
  timeZone: string,
): { readonly from: CalendarDate; readonly to: CalendarDate } => {
  const to = query.to ?? dateIn(timeZone, nowMs)
  return { from: query.from ?? (`${to.slice(0, 8)}01` as CalendarDate), to }
}

/** Sums up a period's charges, received PIX, refunds and MEDs, in slices. */
export const summarisePix = function* (
  query: OverviewDays & { readonly accountId: AccountId },
  memory: Memory,
  account: Account,
  nowMs: number,
): Work<PixOverview> {
  const { timeZone } = account.profile
  const { from, to } = overviewPeriod(query, nowMs, timeZone)
  const charges = talliesOf('created', 'pending', 'paid', 'expired', 'cancelled', 'failed')
  const med = talliesOf('open', 'accepted', 'rejected')
  const sums = { charges, med, ...talliesOf('received', 'deposits', 'refunds', 'returned') }
  const daily: { date: CalendarDate; received: Tally }[] = []
  let feeCents = 0n

  const fromMs = startOfDay(timeZone, from)
  const toMs = endOfDay(timeZone, to)
  const ofPix = { ...anyTransaction, family: 'PIX_CHARGE' } as const
  const filter = filterOf(ofPix, { asOf: null, fromMs, toMs, from: null, to: null })
  const { groups } = yield* memory.transactions(account.id, filter, figuresOnly)
  for (const { status, count, amountCents: cents } of groups) {
    add(charges.created, { count, cents })
    add(charges[bucketOf[status]], { count, cents })
  }
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const [startMs, endMs] = [startOfDay(timeZone, date), endOfDay(timeZone, date)]
    const day = yield* memory.receivedFigures(account.id, startMs, endMs)
    for (const name of ['received', 'deposits', 'returned'] as const) add(sums[name], day[name])
    feeCents += day.feeCents
    daily.push({ date, received: day.received })
  }
  const within = { fromMs, toMs }
  for (const { id } of memory.reversals(account.id, 'rfd', within)) {
    // A cold state is rebuilt from the journal, so other work runs after each.
    yield
    const { method, reversals } = memory.transactionOfReversal(id)!.state
    const { status, amountCents } = reversals.refunds.find((refund) => refund.id === id)!
    if (method === 'PIX' && status === 'COMPLETED')
      add(sums.refunds, { count: 1, cents: BigInt(amountCents) })
  }
  for (const { id } of memory.reversals(account.id, 'med', within)) {
    yield
    const { meds } = memory.transactionOfReversal(id)!.state.reversals
    const { result, amountCents } = meds.find((med) => med.id === id)!
    if (result !== 'CANCELLED')
      add(sums.med[medBuckets[result ?? 'OPEN']], { count: 1, cents: BigInt(amountCents) })
  }

  const { created, paid } = charges
  const { received } = sums
  return {
    from,
    to,
    timeZone,
    feeCents,
    averageTicketCents: received.count === 0 ? 0n : roundHalfUp(received.cents, BigInt(received.count)),
    conversionBps:
      created.count === 0 ? 0 : Number(roundHalfUp(10_000n * BigInt(paid.count), BigInt(created.count))),
    daily,
    ...sums,
  }
}

const medBuckets = { OPEN: 'open', ACCEPTED: 'accepted', REJECTED: 'rejected' } as const

type MutableTally = { count: number; cents: bigint }

const talliesOf = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, { count: 0, cents: 0n }])) as Record<Name, MutableTally>

const add = (to: MutableTally, { count, cents }: Tally): void => {
  to.count += count
  to.cents += cents
}

const bucketOf: Readonly<Record<TransactionStatus, ChargeBucket>> = {
  CREATED: 'pending',
  PENDING: 'pending',
  PROCESSING: 'pending',
  AUTHORIZED: 'pending',
  APPROVED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  CHARGEBACK: 'paid',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  DECLINED: 'failed',
}
