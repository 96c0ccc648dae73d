import type { Draft } from '../kernel/draft.ts'
import type { AccountFactOf } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'
import { withPostings } from '../ledger/evolve.ts'
import { type Posting, transfer } from '../ledger/postings.ts'
import { addDays, type CalendarDate } from '../shared/calendar.ts'
import type { Currency } from '../shared/method.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { addRecent, type RecentOut } from './recent-out.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    /** Missing in accounts that were stored before money could leave. */
    readonly moneyOut?: MoneyOutSums
  }
  interface AccountPartFacts {
    readonly moneyOut: MoneyOutBooked
  }
}

/** The sums that an account keeps of its money out. */
export type MoneyOutSums = {
  /** Payments that wait for approval or for their day, fees included. */
  readonly plannedCents: bigint
  /** Amounts by limit or person, each for the last day that names it. */
  readonly sums: Readonly<Record<string, DaySum>>
  /** Recent amounts to new payees; missing until there are any. */
  readonly recent?: readonly RecentOut[]
}

type DaySum = { readonly date: CalendarDate; readonly cents: Cents }

/**
 * How many days each sum counts, from the day that names it on: that of a night counts until the next morning. The
 * account keeps all of them for the longest, so a limit over a longer window has to have its days here.
 */
export const daysCounted = { PIX: 1, TED: 1, CRYPTO: 1, 'PIX at night': 2, person: 1 } as const

/** The sum of a method, of the nights, or of one person over all methods. */
export type DaySumName = Exclude<keyof typeof daysCounted, 'person'> | `person ${string}`

/** The amount that a payment adds to a sum of a day or of 24 hours; negative to give it back. */
export type MoneyOutCount =
  | { readonly sum: DaySumName; readonly date: CalendarDate; readonly cents: Cents }
  | (RecentOut & { readonly sum: typeof newPayees })

/** The sum over all payees in their first day, in any 24 hours, so that waiting for midnight does not help. */
export const newPayees = 'new payees'

/**
 * A step of a payment in the books (dashboard, section 2.7). PLANNED: it waits. COUNTED: it was approved.
 * UNCOUNTED: it needs approval again. RESERVED: its money is set aside. PAID: it has left. RETURNED: its money is
 * back. DROPPED: it was cancelled while it waited. TARIFF: the bank has taken more than the fee. CAME_BACK: some of it had left, and is back.
 */
export type MoneyOutStep =
  | 'PLANNED'
  | 'COUNTED'
  | 'UNCOUNTED'
  | 'RESERVED'
  | 'PAID'
  | 'RETURNED'
  | 'DROPPED'
  | 'TARIFF'
  | 'CAME_BACK'

export type MoneyOutBooked = AccountFactOf<'MoneyOutBooked'> & {
  /** The payment's id. */
  readonly paymentId: string
  readonly step: MoneyOutStep
  readonly amountCents: Cents
  readonly feeCents: Cents
  /** How much more is planned from now on; negative for less. */
  readonly plannedCents: Cents
  readonly counts: readonly MoneyOutCount[]
  /** The currency of amount, fee and postings. */
  readonly currency: Currency
  readonly postings: readonly Posting[]
}

/** The members of a payment that its bookings need. */
type BookedPayment = {
  readonly id: string
  readonly currency: Currency
  readonly amountCents: Cents
  readonly feeCents: Cents
}

/** Books a step of a payment, with its counts. */
export const bookMoneyOut = (
  draft: Draft,
  { id: paymentId, currency, amountCents, feeCents }: BookedPayment,
  step: MoneyOutStep,
  { wasPlanned = false, counts = [] }: { wasPlanned?: boolean; counts?: readonly MoneyOutCount[] } = {},
): void => {
  // Planned payments are counted in reais.
  const wholeCents = toCents(currency === 'BRL' ? amountCents + feeCents : 0)
  draft.add({
    actor: 'account',
    type: 'MoneyOutBooked',
    id: draft.account().id,
    atMs: draft.context.nowMs,
    paymentId,
    step,
    amountCents,
    feeCents,
    plannedCents: toCents(step === 'PLANNED' ? wholeCents : wasPlanned ? 0 - wholeCents : 0),
    counts,
    currency,
    postings: postingsOf(step, amountCents, feeCents),
  })
}

/** The same counts, negated. */
export const countedBack = (counts: readonly MoneyOutCount[]): readonly MoneyOutCount[] =>
  counts.map((count) => ({ ...count, cents: toCents(-count.cents) }))

const postingsOf = (step: MoneyOutStep, amountCents: Cents, feeCents: Cents): readonly Posting[] => {
  const wholeCents = toCents(amountCents + feeCents)
  switch (step) {
    case 'RESERVED':
      return transfer('available', 'blocked', wholeCents)
    case 'RETURNED':
      return transfer('blocked', 'available', wholeCents)
    case 'PAID':
      return [
        { account: 'blocked', cents: toCents(-wholeCents) },
        { account: 'paidOut', cents: amountCents },
        { account: 'fees', cents: feeCents },
      ]
    case 'TARIFF':
      return transfer('available', 'fees', feeCents)
    case 'CAME_BACK':
      return transfer('paidOut', 'available', amountCents)
    case 'PLANNED':
    case 'COUNTED':
    case 'UNCOUNTED':
    case 'DROPPED':
      return []
  }
}

const nothing: MoneyOutSums = { plannedCents: 0n, sums: {} }

const counted = (before: MoneyOutSums, counts: readonly MoneyOutCount[]): MoneyOutSums => {
  const ofDays = counts.filter((count) => 'date' in count)
  const recent = counts.reduce(
    (recent, count) => ('atMs' in count ? addRecent(recent, count) : recent),
    before.recent ?? [],
  )
  return {
    ...before,
    sums: countedByDay(before.sums, ofDays),
    ...(recent.length > 0 || before.recent !== undefined ? { recent } : {}),
  }
}

const daysKept = Math.max(...Object.values(daysCounted))

/** Adds counts to the sums of days, and drops the sums that no longer count. */
export const countedByDay = (
  sums: MoneyOutSums['sums'],
  counts: readonly Extract<MoneyOutCount, { date: CalendarDate }>[],
): MoneyOutSums['sums'] => {
  if (counts.length === 0) return sums
  const next: Record<string, DaySum> = { ...sums }
  for (const { sum, date, cents } of counts) {
    const before = next[sum]
    if (before?.date === date) next[sum] = { date, cents: toCents(before.cents + cents) }
    // Money returned after its day has ended counts towards no limit.
    else if (cents > 0) next[sum] = { date, cents }
  }
  const newest = counts.reduce((latest, { date }) => (date > latest ? date : latest), counts[0]!.date)
  const oldest = addDays(newest, 1 - daysKept)
  for (const [sum, { date }] of Object.entries(next)) if (date < oldest) delete next[sum]
  return next
}

/** The account's sums of money that is planned, and that left lately. */
export const moneyOutAccountPart: AccountPart<'moneyOut'> = {
  opened: {},
  cleared: () => ({ moneyOut: nothing }),
  evolve: {
    MoneyOutBooked: (account, { plannedCents, counts, currency, postings }) => {
      const before = account.moneyOut ?? nothing
      return {
        ...withPostings(account, postings, currency),
        moneyOut: {
          ...counted(before, counts),
          plannedCents: before.plannedCents + BigInt(plannedCents),
        },
      }
    },
  },
}
