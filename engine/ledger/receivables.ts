import { type Context, contextId } from '../kernel/context.ts'
import { assert } from '../shared/assert.ts'
import { addDays, type CalendarDate, dateIn, nextBusinessDay } from '../shared/calendar.ts'
import type { SettlementId } from '../shared/ids.ts'
import type { Method } from '../shared/method.ts'
import { allocate, type Cents, inInstallments, roundHalfUp, toCents } from '../shared/money.ts'
import type { Account, ScheduleChange } from './account.ts'
import {
  allocateParts,
  divide,
  inInstallmentsOf,
  type Part,
  type PartyId,
  partiesOf,
  type Share,
  subtract,
} from './divide.ts'
import type { Receivable, RefundShare, Reversal } from './receivable.ts'
import { nextBatchDay, rescheduled, settlementIdFor, unscheduled } from './schedule.ts'
import type { Split } from './split.ts'

/** The account of a turn, and its context. */
export type AccountContext = { readonly account: Account; readonly context: Context }

/** The method of a payment, and how it is divided. */
export type Divided = { readonly method: Method; readonly split: Split | null }

/** When a batch was completed; null if it was not. */
export type SettledAt = (id: SettlementId) => number | null

/** Receivables of a PIX or a cleared boleto: one per party, in the balance at once under a settlement of their own. */
export const settledAtOnce = (
  grossCents: Cents,
  feeCents: Cents,
  split: Split | null,
  accountContext: AccountContext,
): readonly Receivable[] => {
  const settlementId = contextId(accountContext.context, 'set')
  return sharesOf(split, grossCents, feeCents).map((share) =>
    settledRow('CREDIT', share.partyId, 1, 1, share, settlementId, accountContext),
  )
}

/**
 * Receivables of a card payment, one per party and instalment (decisions, section 16): a credit instalment k arrives
 * 30·k days after capture, debit the day after, moved to a business day.
 */
export const inBatches = (
  grossCents: Cents,
  feeCents: Cents,
  installments: number,
  { method, split }: Divided,
  { account: { schedule, profile }, context }: AccountContext,
): readonly Receivable[] => {
  const today = dateIn(profile.timeZone, context.nowMs)
  return installmentsOf(split, grossCents, feeCents, installments).flatMap((shares, n) => {
    // There may be more instalments than centavos.
    if (shares.length === 0) return []
    const expectedOn = installmentDay(today, n + 1, method)
    const settlementId = settlementIdFor(schedule, expectedOn, method, () => contextId(context, 'set'))
    return shares.map(({ partyId, grossCents, feeCents }) => ({
      id: contextId(context, 'rcv'),
      type: 'CREDIT' as const,
      recipientId: partyId,
      installment: n + 1,
      installments,
      status: 'SCHEDULED' as const,
      grossCents,
      feeCents,
      expectedOn,
      settledAtMs: null,
      settlementId,
    }))
  })
}

/** When the money of an instalment is expected. */
export const installmentDay = (today: CalendarDate, installment: number, method: Method): CalendarDate =>
  nextBusinessDay(addDays(today, method === 'DEBIT_CARD' ? 1 : 30 * installment))

/** Each party's share of each instalment; empty shares are left out. */
export const installmentsOf = (
  split: Pick<Split, 'items'> | null,
  grossCents: Cents,
  feeCents: Cents,
  installments: number,
): readonly (readonly Share[])[] => {
  const gross = inInstallments(grossCents, installments)
  const fees = allocate(feeCents, gross)
  const parts = gross.map((grossCents, n) => ({ grossCents, feeCents: fees[n]! }))
  const shares =
    split === null
      ? parts.map((part) => [{ partyId: null, ...part }])
      : inInstallmentsOf(divide(split.items, grossCents, feeCents).shares, parts)
  return shares.map(nonZero)
}

const sharesOf = (split: Split | null, grossCents: Cents, feeCents: Cents): readonly Share[] =>
  split === null
    ? [{ partyId: null, grossCents, feeCents }]
    : nonZero(divide(split.items, grossCents, feeCents).shares)

const nonZero = (shares: readonly Share[]): readonly Share[] => shares.filter((share) => !isZero(share))

/** What these receivables add to the account's schedule. */
export const scheduleOf = (receivables: readonly Receivable[], method: Method): readonly ScheduleChange[] =>
  receivables
    .filter(({ status }) => status === 'SCHEDULED')
    .map((receivable) => scheduleChange(receivable, receivable, 1, method))

/** The receivables with their current status, taken from the batches settled since. */
export const asSettled = (receivables: readonly Receivable[], settledAt: SettledAt): readonly Receivable[] =>
  receivables.map((receivable) => {
    if (receivable.status !== 'SCHEDULED') return receivable
    const settledAtMs = settledAt(receivable.settlementId!)
    return settledAtMs === null ? receivable : { ...receivable, status: 'SETTLED', settledAtMs }
  })

/** How much of a fee goes back with part of a payment; the last part returns the exact rest (decisions, section 15). */
export const feeShare = (partCents: Cents, feeCents: Cents, heldCents: Cents): Cents =>
  toCents(Number(roundHalfUp(BigInt(partCents) * BigInt(feeCents), BigInt(heldCents))))

/**
 * Takes an amount back from every party in proportion to what it still holds, and from its instalments likewise
 * (decisions, sections 15 and 16). An instalment not yet in the balance shrinks; for a settled one a new row leaves the
 * balance now. A chargeback keeps what it takes from the schedule as `SUSPENDED` until it is won or lost.
 */
export const reverse = (
  receivables: readonly Receivable[],
  whole: Part,
  reason: 'REFUND' | 'CHARGEBACK',
  { method, split }: Divided,
  accountContext: AccountContext,
): Reversal => {
  const installments = Math.max(...receivables.map(({ installments }) => installments))
  const rows = [...receivables]
  const suspended: Receivable[] = []
  const taken: Receivable[] = []
  const schedule: ScheduleChange[] = []
  let scheduledCents = 0
  let settledCents = 0
  for (const { recipientId, parts } of partsTaken(receivables, whole, installments, split)) {
    for (const [n, part] of parts.entries()) takeFrom(recipientId, n + 1, part)
  }
  return {
    receivables: [...rows, ...suspended, ...taken],
    amountCents: whole.grossCents,
    feeCents: whole.feeCents,
    scheduledCents: toCents(scheduledCents),
    settledCents: toCents(settledCents),
    schedule,
  }

  function takeFrom(recipientId: PartyId, installment: number, wanted: Part): void {
    let rest = wanted
    for (const [place, row] of rows.entries()) {
      if (row.recipientId !== recipientId || row.installment !== installment) continue
      if (row.status !== 'SCHEDULED' || isZero(rest)) continue
      const part = min(row, rest)
      if (isZero(part)) continue
      const left = subtract(row, part)
      rest = subtract(rest, part)
      const isWhole = isZero(left)
      schedule.push(unscheduled(scheduleChange(row, part, isWhole ? 1 : 0, method)))
      scheduledCents += part.grossCents - part.feeCents
      if (reason === 'CHARGEBACK' && isWhole) {
        rows[place] = { ...row, status: 'SUSPENDED' }
        continue
      }
      rows[place] = { ...row, ...left, status: isWhole ? 'CANCELLED' : 'SCHEDULED' }
      if (reason === 'CHARGEBACK')
        suspended.push({ ...row, ...part, id: contextId(accountContext.context, 'rcv'), status: 'SUSPENDED' })
    }
    if (isZero(rest)) return
    settledCents += rest.grossCents - rest.feeCents
    taken.push(settledRow(reason, recipientId, installment, installments, rest, null, accountContext))
  }
}

/** The amount that each party would give back in a refund. */
export const quoteRefundShares = (
  receivables: readonly Receivable[],
  amountCents: Cents,
  split: Split | null,
): readonly RefundShare[] => {
  const parties = partiesIn(split)
  const held = parties.map((party) => heldBy(receivables, party).grossCents)
  const parts = allocate(amountCents, held)
  return parties.map((recipientId, place) => ({ recipientId, amountCents: parts[place]! }))
}

/** What each party gave back, from the difference in what it holds; null when the company is the only party. */
export const refundShares = (
  { split, receivables }: { readonly split: Split | null; readonly receivables: readonly Receivable[] },
  after: readonly Receivable[],
): readonly RefundShare[] | null => {
  if (split === null) return null
  return partiesIn(split).map((recipientId) => {
    const left = heldBy(after, recipientId).grossCents
    return { recipientId, amountCents: toCents(heldBy(receivables, recipientId).grossCents - left) }
  })
}

/** What a party holds of a payment now, or of one of its instalments. */
export const heldBy = (
  receivables: readonly Receivable[],
  party: PartyId,
  installment: number | null = null,
): Part => {
  let grossCents = 0
  let feeCents = 0
  for (const row of receivables) {
    if (row.recipientId !== party || (installment !== null && row.installment !== installment)) continue
    const sign = signOf(row)
    grossCents += sign * row.grossCents
    feeCents += sign * row.feeCents
  }
  return { grossCents: toCents(grossCents), feeCents: toCents(feeCents) }
}

const partiesIn = (split: Split | null): readonly PartyId[] =>
  split === null ? companyAlone : partiesOf(split.items)

const companyAlone: readonly PartyId[] = [null]

/** Splits a part by party, then by instalment. */
const partsTaken = (
  receivables: readonly Receivable[],
  whole: Part,
  installments: number,
  split: Split | null,
): readonly { readonly recipientId: PartyId; readonly parts: readonly Part[] }[] => {
  const parties = partiesIn(split)
  const held = parties.map((party) => heldBy(receivables, party))
  return allocateParts(whole, held).map((ofParty, place) => {
    const recipientId = parties[place]!
    const byInstallment = heldByInstallment(receivables, recipientId, installments)
    return { recipientId, parts: allocateParts(ofParty, byInstallment) }
  })
}

/** Undoes a won chargeback: suspended rows are scheduled again, and what left the balance returns now. */
export const release = (
  receivables: readonly Receivable[],
  method: Method,
  accountContext: AccountContext,
): Reversal => {
  const { account, context } = accountContext
  const { timeZone } = account.profile
  const rows: Receivable[] = []
  const back: Receivable[] = []
  const schedule: ScheduleChange[] = []
  /** The schedule including rows rescheduled so far: instalments whose day has passed share one settlement. */
  let planned = account.schedule
  let scheduledCents = 0
  let settledCents = 0
  let amountCents = 0
  let feeCents = 0
  const count = ({ grossCents, feeCents: fee }: Part): number => {
    amountCents += grossCents
    feeCents += fee
    return grossCents - fee
  }
  for (const row of receivables) {
    if (row.status === 'SUSPENDED') {
      const expectedOn = nextBatchDay(timeZone, row.expectedOn, context.nowMs)
      const settlementId = settlementIdFor(planned, expectedOn, method, () => contextId(context, 'set'))
      const rescheduledRow = { ...row, status: 'SCHEDULED', expectedOn, settlementId } as const
      const change = scheduleChange(rescheduledRow, row, 1, method)
      rows.push(rescheduledRow)
      schedule.push(change)
      planned = rescheduled(planned, [change])
      scheduledCents += count(row)
    } else {
      rows.push(row)
      if (row.type !== 'CHARGEBACK') continue
      settledCents += count(row)
      const { recipientId, installment, installments } = row
      back.push(
        settledRow('CHARGEBACK_REVERSAL', recipientId, installment, installments, row, null, accountContext),
      )
    }
  }
  return {
    receivables: [...rows, ...back],
    amountCents: toCents(amountCents),
    feeCents: toCents(feeCents),
    scheduledCents: toCents(scheduledCents),
    settledCents: toCents(settledCents),
    schedule,
  }
}

/** Returns a refund's money to the parties that gave it: the receivables with rows that are in the balance now. */
export const restored = (
  receivables: readonly Receivable[],
  { amountCents, split }: { readonly amountCents: Cents; readonly split: readonly RefundShare[] | null },
  accountContext: AccountContext,
): readonly Receivable[] => [
  ...receivables,
  ...(split ?? [{ recipientId: null, amountCents }])
    .filter(({ amountCents }) => amountCents > 0)
    .map(({ recipientId, amountCents: grossCents }) =>
      settledRow(
        'REFUND_REVERSAL',
        recipientId,
        1,
        1,
        { grossCents, feeCents: toCents(0) },
        null,
        accountContext,
      ),
    ),
]

/** Ends a lost chargeback: suspended receivables are cancelled. */
export const withoutSuspended = (receivables: readonly Receivable[]): readonly Receivable[] =>
  receivables.map((row) => (row.status === 'SUSPENDED' ? { ...row, status: 'CANCELLED' } : row))

const heldByInstallment = (
  receivables: readonly Receivable[],
  party: PartyId,
  installments: number,
): readonly Part[] =>
  Array.from({ length: installments }, (_, n) => {
    const held = heldBy(receivables, party, n + 1)
    assert(held.grossCents >= 0 && held.feeCents >= 0, 'an instalment never gives more than it has')
    return held
  })

/** The sign with which a row counts towards what its party holds. */
export const signOf = ({ type, status }: Receivable): 1 | 0 | -1 => {
  if (status === 'CANCELLED' || status === 'SUSPENDED') return 0
  return type === 'REFUND' || type === 'CHARGEBACK' ? -1 : 1
}

const isZero = ({ grossCents, feeCents }: Part): boolean => grossCents === 0 && feeCents === 0

const min = (a: Part, b: Part): Part => ({
  grossCents: toCents(Math.min(a.grossCents, b.grossCents)),
  feeCents: toCents(Math.min(a.feeCents, b.feeCents)),
})

/** A row whose money moves now. */
const settledRow = (
  type: Receivable['type'],
  recipientId: PartyId,
  installment: number,
  installments: number,
  { grossCents, feeCents }: Part,
  settlementId: SettlementId | null,
  { account, context }: AccountContext,
): Receivable => ({
  id: contextId(context, 'rcv'),
  type,
  recipientId,
  installment,
  installments,
  status: 'SETTLED',
  grossCents,
  feeCents,
  expectedOn: dateIn(account.profile.timeZone, context.nowMs),
  settledAtMs: context.nowMs,
  settlementId,
})

const scheduleChange = (
  { settlementId, expectedOn }: Pick<Receivable, 'settlementId' | 'expectedOn'>,
  { grossCents, feeCents }: Part,
  receivablesCount: number,
  method: Method,
): ScheduleChange => ({ id: settlementId!, method, date: expectedOn, grossCents, feeCents, receivablesCount })
