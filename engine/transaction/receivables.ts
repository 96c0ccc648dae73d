import type { Account, ScheduleChange } from '../account/account.ts'
import { nextBatchDay, rescheduled, settlementIdFor } from '../account/schedule.ts'
import { assert } from '../assert.ts'
import { addDays, dateIn, nextBusinessDay } from '../calendar.ts'
import { type Context, contextId } from '../context.ts'
import type { SettlementId } from '../ids.ts'
import { allocate, type Cents, inInstallments, roundHalfUp, toCents } from '../money.ts'
import type { Reversal } from './events.ts'
import type { Method, Receivable } from './transaction.ts'

/** When a batch went through; null while it has not. */
export type SettledAt = (id: SettlementId) => number | null

/** PIX, a cleared boleto: the money is in the balance at once, under a settlement of its own. */
export const settledAtOnce = (
  grossCents: Cents,
  feeCents: Cents,
  account: Account,
  context: Context,
): Receivable => ({
  id: contextId(context, 'rcv'),
  type: 'CREDIT',
  recipientId: null,
  installment: 1,
  installments: 1,
  status: 'SETTLED',
  grossCents,
  feeCents,
  expectedOn: dateIn(account.profile.timeZone, context.nowMs),
  settledAtMs: context.nowMs,
  settlementId: contextId(context, 'set'),
})

/**
 * Instalment k of a credit card comes 30·k days after the capture, a debit card's money the day after it, on a business
 * day (decisions, section 16).
 */
export const inBatches = (
  grossCents: Cents,
  feeCents: Cents,
  installments: number,
  method: Method,
  account: Account,
  context: Context,
): readonly Receivable[] => {
  const { schedule, profile } = account
  const today = dateIn(profile.timeZone, context.nowMs)
  const gross = inInstallments(grossCents, installments)
  const fees = allocate(feeCents, gross)
  return gross.flatMap((grossCents, n) => {
    // There may be more instalments than centavos.
    if (grossCents === 0) return []
    const expectedOn = nextBusinessDay(addDays(today, method === 'DEBIT_CARD' ? 1 : 30 * (n + 1)))
    return {
      id: contextId(context, 'rcv'),
      type: 'CREDIT',
      recipientId: null,
      installment: n + 1,
      installments,
      status: 'SCHEDULED',
      grossCents,
      feeCents: fees[n]!,
      expectedOn,
      settledAtMs: null,
      settlementId: settlementIdFor(schedule, expectedOn, method, () => contextId(context, 'set')),
    }
  })
}

/** What these receivables add to the account's schedule. */
export const scheduleOf = (receivables: readonly Receivable[], method: Method): readonly ScheduleChange[] =>
  receivables
    .filter(({ status }) => status === 'SCHEDULED')
    .map((receivable) => scheduleChange(receivable, receivable.grossCents, receivable.feeCents, 1, method))

/** With the status that their batches have given them meanwhile. */
export const asSettled = (receivables: readonly Receivable[], settledAt: SettledAt): readonly Receivable[] =>
  receivables.map((receivable) => {
    if (receivable.status !== 'SCHEDULED') return receivable
    const settledAtMs = settledAt(receivable.settlementId!)
    return settledAtMs === null ? receivable : { ...receivable, status: 'SETTLED', settledAtMs }
  })

/** What of a fee goes back with a part of the payment: the last part takes the rest exactly (decisions, section 15). */
export const feeShare = (partCents: Cents, feeCents: Cents, heldCents: Cents): Cents =>
  toCents(Number(roundHalfUp(BigInt(partCents) * BigInt(feeCents), BigInt(heldCents))))

/**
 * Takes an amount back from every instalment in proportion to what it still holds (decisions, section 16): one that is not
 * in the balance yet shrinks, for one that is a row of its own leaves the balance now. `SUSPENDED` keeps what a
 * chargeback takes out of the schedule, until it is won or lost.
 */
export const reverse = (
  receivables: readonly Receivable[],
  amountCents: Cents,
  feeCents: Cents,
  reason: 'REFUND' | 'CHARGEBACK',
  method: Method,
  account: Account,
  context: Context,
): Reversal => {
  const installments = Math.max(...receivables.map(({ installments }) => installments))
  const held = heldByInstallment(receivables, installments)
  const gross = allocate(
    amountCents,
    held.map(({ grossCents }) => grossCents),
  )
  const fees = allocate(
    feeCents,
    held.map(({ feeCents }) => feeCents),
  )
  const rows = [...receivables]
  const suspended: Receivable[] = []
  const taken: Receivable[] = []
  const schedule: ScheduleChange[] = []
  let scheduledCents = 0
  let settledCents = 0
  for (let n = 0; n < installments; n++) {
    let rest: Parts = { grossCents: gross[n]!, feeCents: fees[n]! }
    for (const [place, row] of rows.entries()) {
      if (row.installment !== n + 1 || row.status !== 'SCHEDULED' || isNothing(rest)) continue
      const part = least(row, rest)
      if (isNothing(part)) continue
      const left = minus(row, part)
      rest = minus(rest, part)
      const isWhole = isNothing(left)
      schedule.push(negative(row, part, isWhole ? 1 : 0, method))
      scheduledCents += part.grossCents - part.feeCents
      if (reason === 'CHARGEBACK' && isWhole) {
        rows[place] = { ...row, status: 'SUSPENDED' }
        continue
      }
      rows[place] = { ...row, ...left, status: isWhole ? 'CANCELLED' : 'SCHEDULED' }
      if (reason === 'CHARGEBACK')
        suspended.push({ ...row, ...part, id: contextId(context, 'rcv'), status: 'SUSPENDED' })
    }
    if (isNothing(rest)) continue
    settledCents += rest.grossCents - rest.feeCents
    taken.push(nowRow(reason, n + 1, installments, rest, account, context))
  }
  return {
    receivables: [...rows, ...suspended, ...taken],
    amountCents,
    feeCents,
    scheduledCents: toCents(scheduledCents),
    settledCents: toCents(settledCents),
    schedule,
  }
}

/** A chargeback that was won: what was suspended is scheduled again, what left the balance comes back to it now. */
export const release = (
  receivables: readonly Receivable[],
  method: Method,
  account: Account,
  context: Context,
): Reversal => {
  const { timeZone } = account.profile
  const rows: Receivable[] = []
  const back: Receivable[] = []
  const schedule: ScheduleChange[] = []
  /** With what is scheduled again: instalments whose days have passed come together, in one settlement. */
  let planned = account.schedule
  let scheduledCents = 0
  let settledCents = 0
  let amountCents = 0
  let feeCents = 0
  const count = ({ grossCents, feeCents: fee }: Parts): number => {
    amountCents += grossCents
    feeCents += fee
    return grossCents - fee
  }
  for (const row of receivables) {
    if (row.status === 'SUSPENDED') {
      const expectedOn = nextBatchDay(timeZone, row.expectedOn, context.nowMs)
      const settlementId = settlementIdFor(planned, expectedOn, method, () => contextId(context, 'set'))
      const again = { ...row, status: 'SCHEDULED', expectedOn, settlementId } as const
      const change = scheduleChange(again, again.grossCents, again.feeCents, 1, method)
      rows.push(again)
      schedule.push(change)
      planned = rescheduled(planned, [change])
      scheduledCents += count(row)
    } else {
      rows.push(row)
      if (row.type !== 'CHARGEBACK') continue
      settledCents += count(row)
      back.push(nowRow('CHARGEBACK_REVERSAL', row.installment, row.installments, row, account, context))
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

/** A chargeback that was lost: what was suspended will not come. */
export const withoutSuspended = (receivables: readonly Receivable[]): readonly Receivable[] =>
  receivables.map((row) => (row.status === 'SUSPENDED' ? { ...row, status: 'CANCELLED' } : row))

type Parts = { readonly grossCents: Cents; readonly feeCents: Cents }

const heldByInstallment = (receivables: readonly Receivable[], installments: number): readonly Parts[] => {
  const gross = Array.from({ length: installments }, () => 0)
  const fees = Array.from({ length: installments }, () => 0)
  for (const { type, status, installment, grossCents, feeCents } of receivables) {
    if (status === 'CANCELLED' || status === 'SUSPENDED') continue
    const sign = type === 'CREDIT' || type === 'CHARGEBACK_REVERSAL' ? 1 : -1
    gross[installment - 1]! += sign * grossCents
    fees[installment - 1]! += sign * feeCents
  }
  return gross.map((grossCents, n) => {
    assert(grossCents >= 0, 'an instalment never gives more than it has')
    return { grossCents: toCents(grossCents), feeCents: toCents(Math.max(0, fees[n]!)) }
  })
}

const isNothing = ({ grossCents, feeCents }: Parts): boolean => grossCents === 0 && feeCents === 0

const least = (a: Parts, b: Parts): Parts => ({
  grossCents: toCents(Math.min(a.grossCents, b.grossCents)),
  feeCents: toCents(Math.min(a.feeCents, b.feeCents)),
})

const minus = (from: Parts, parts: Parts): Parts => ({
  grossCents: toCents(from.grossCents - parts.grossCents),
  feeCents: toCents(from.feeCents - parts.feeCents),
})

const nowRow = (
  type: 'REFUND' | 'CHARGEBACK' | 'CHARGEBACK_REVERSAL',
  installment: number,
  installments: number,
  { grossCents, feeCents }: Parts,
  account: Account,
  context: Context,
): Receivable => ({
  id: contextId(context, 'rcv'),
  type,
  recipientId: null,
  installment,
  installments,
  status: 'SETTLED',
  grossCents,
  feeCents,
  expectedOn: dateIn(account.profile.timeZone, context.nowMs),
  settledAtMs: context.nowMs,
  settlementId: null,
})

const negative = (row: Receivable, parts: Parts, count: number, method: Method): ScheduleChange =>
  scheduleChange(row, toCents(-parts.grossCents), toCents(-parts.feeCents), -count, method)

const scheduleChange = (
  { settlementId, expectedOn }: Pick<Receivable, 'settlementId' | 'expectedOn'>,
  grossCents: Cents,
  feeCents: Cents,
  receivablesCount: number,
  method: Method,
): ScheduleChange => ({ id: settlementId!, method, date: expectedOn, grossCents, feeCents, receivablesCount })
