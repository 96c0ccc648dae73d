import type { Draft } from '../kernel/draft.ts'
import type { AccountFact } from '../ledger/account.ts'
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

/** What an account knows of all money on its way out. */
export type MoneyOutSums = {
  /** What waits for approval or for its day, fees included. */
  readonly plannedCents: bigint
  /** What has left by way and person, each on its last day. */
  readonly sums: Readonly<Record<string, DaySum>>
  /** What has left to new payees of late; missing where nothing has. */
  readonly recent?: readonly RecentOut[]
}

type DaySum = { readonly date: CalendarDate; readonly cents: Cents }

/** What a payment adds to a sum of a day or of 24 hours, or gives back. */
export type MoneyOutCount =
  | { readonly sum: string; readonly date: CalendarDate; readonly cents: Cents }
  | (RecentOut & { readonly sum: typeof newPayees })

/** The sum of all payees in their first day, whichever of them: it is of any 24 hours, so that no midnight helps. */
export const newPayees = 'new payees'

/**
 * A step of a payment in the books (dashboard, section 2.7). PLANNED: it waits. COUNTED: it was approved. UNCOUNTED: it waits for approval once
 * more. RESERVED: its money is set aside. PAID: it has left. RETURNED: it is back. DROPPED: it waits no more.
 */
export type MoneyOutStep = 'PLANNED' | 'COUNTED' | 'UNCOUNTED' | 'RESERVED' | 'PAID' | 'RETURNED' | 'DROPPED'

export type MoneyOutBooked = AccountFact<'MoneyOutBooked'> & {
  /** The payment's id. */
  readonly paymentId: string
  readonly step: MoneyOutStep
  readonly amountCents: Cents
  readonly feeCents: Cents
  /** How much more is planned from now on; negative for less. */
  readonly plannedCents: Cents
  readonly counts: readonly MoneyOutCount[]
  /** Those of amount, fee and postings. */
  readonly currency: Currency
  readonly postings: readonly Posting[]
}

/** What the books need to know of a payment. */
type BookedPayment = {
  readonly id: string
  readonly currency: Currency
  readonly amountCents: Cents
  readonly feeCents: Cents
}

/** Books a step of a payment, with what it counts. */
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

/** The counts that take these back. */
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
    case 'PLANNED':
    case 'COUNTED':
    case 'UNCOUNTED':
    case 'DROPPED':
      return []
  }
}

const nothing: MoneyOutSums = { plannedCents: 0n, sums: {} }

/** A night counts until the morning after the day on which it began, so the day before is kept as well. */
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

const countedByDay = (
  sums: MoneyOutSums['sums'],
  counts: readonly Extract<MoneyOutCount, { date: CalendarDate }>[],
): MoneyOutSums['sums'] => {
  if (counts.length === 0) return sums
  const next: Record<string, DaySum> = { ...sums }
  for (const { sum, date, cents } of counts) {
    const before = next[sum]
    if (before?.date === date) next[sum] = { date, cents: toCents(before.cents + cents) }
    // What is given back of a day that is over is of no sum any more.
    else if (cents > 0) next[sum] = { date, cents }
  }
  const newest = counts.reduce((latest, { date }) => (date > latest ? date : latest), counts[0]!.date)
  for (const [sum, { date }] of Object.entries(next)) if (date < addDays(newest, -1)) delete next[sum]
  return next
}

/** What is on its way out, and what has left today. */
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
