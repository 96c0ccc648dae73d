import { wayOf } from '../../connections/way.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import {
  addDays,
  type CalendarDate,
  dateIn,
  daysBetween,
  endOfDay,
  instantOf,
} from '../../shared/calendar.ts'
import type { MandateId, TransactionId } from '../../shared/ids.ts'
import type { Invoice } from '../invoice/invoice.ts'
import type { Subscription } from '../subscription/subscription.ts'
import { callBank, dropCalls } from './call.ts'
import type { ChargeOfMandate } from './held.ts'
import { type ChargeByMandate, hasLiveAttempt, type Mandate } from './mandate.ts'

const hourMs = 3_600_000
/** A charge reaches the payer's bank 10 to 2 days before its due date (rails, section 4). */
const scheduledDays = { most: 10, fewest: 2 }
/** By eight in the evening, two days before, it has to be known whether it was taken: a QR code can still be paid. */
const answeredBy = { days: 2, hourMs: 20 * hourMs }
/** A receiver calls a charge off until ten in the evening before. */
const calledOffBy = { days: 1, hourMs: 22 * hourMs }
/** Attempts end a week after the due date. */
const attemptDays = 7
const retriesMax = 3

/** The mandate that an invoice can be collected by when it is due on that day; null when it needs a QR code. */
export const mandateFor = (
  draft: Draft,
  { method, mandate: shown, timeZone }: Subscription,
  { kind, totalCents, periodStart }: Invoice,
  dueOn: CalendarDate,
): Mandate | null => {
  if (method !== 'PIX' || shown?.status !== 'ACTIVE' || kind !== 'CYCLE') return null
  const mandate = draft.find('mandate', shown.id)
  if (mandate === undefined || mandate.isEnding || mandate.idRec === null) return null
  const { amountCents, maximumCents, takenPeriods, endOn } = mandate
  if (amountCents !== null && amountCents !== totalCents) return null
  if (maximumCents !== null && totalCents > maximumCents) return null
  if (takenPeriods.includes(periodStart) || dueOn < mandate.startOn) return null
  if (endOn !== null && dueOn > endOn) return null
  const { institution, nowMs } = draft.context
  const days = daysBetween(dateIn(timeZone, nowMs), dueOn)
  if (days > scheduledDays.most || days < scheduledDays.fewest) return null
  if (nowMs >= deadline(timeZone, dueOn, answeredBy)) return null
  return wayOf(institution, draft.account(), 'PIX')?.connectionId === mandate.connectionId ? mandate : null
}

/** Schedules a charge by a mandate. */
export const chargeMandate = (
  draft: Draft,
  { id, timeZone }: Mandate,
  { id: invoiceId, totalCents: amountCents, periodStart }: Invoice,
  { txid, transactionId, dueOn }: Pick<ChargeByMandate, 'txid' | 'transactionId' | 'dueOn'>,
): void => {
  const charge: ChargeByMandate = {
    txid,
    transactionId,
    invoiceId,
    amountCents,
    periodStart,
    dueOn,
    state: 'SCHEDULING',
    isReplaced: false,
    attempts: [],
    retries: 0,
    nextAtMs: deadline(timeZone, dueOn, answeredBy),
  }
  draft.add({ type: 'MandateChargeStarted', charge, ...factOf(draft, 'mandate', id) })
  callBank(draft, id, { operation: 'SCHEDULE', txid, on: dueOn, amountCents })
}

/** Changes a charge by a mandate. */
export const changeCharge = (
  draft: Draft,
  { mandate: { id }, charge: { txid } }: ChargeOfMandate,
  changes: Partial<Pick<ChargeByMandate, 'state' | 'isReplaced' | 'attempts' | 'retries' | 'nextAtMs'>>,
): void => draft.add({ type: 'MandateChargeChanged', txid, changes, ...factOf(draft, 'mandate', id) })

/** The charge is over at the bank: whatever it is that it brought, nothing more comes of it. */
export const endCharge = (
  draft: Draft,
  { mandate: { id }, charge: { txid } }: ChargeOfMandate,
  isPeriodFree: boolean,
): void => {
  dropCalls(draft, id, txid)
  draft.add({ type: 'MandateChargeEnded', txid, isPeriodFree, ...factOf(draft, 'mandate', id) })
}

/** Whether the bank still calls it off: until the evening before its first attempt, and not from then on (R4). */
export const canCallOff = (draft: Draft, { mandate, charge }: ChargeOfMandate): boolean =>
  charge.retries === 0 && draft.context.nowMs < deadline(mandate.timeZone, charge.dueOn, calledOffBy)

/**
 * Closes a charge that is no longer wanted: it is called off where the bank still does that, and not retried. What it brings after all is
 * returned, because its transaction is over.
 */
export const closeCharge = (draft: Draft, of: ChargeOfMandate, isReplaced: boolean): void => {
  const { mandate, charge } = of
  if (charge.state === 'CLOSING') {
    if (charge.isReplaced !== isReplaced) changeCharge(draft, of, { isReplaced })
    return
  }
  dropCalls(draft, mandate.id, charge.txid)
  // One that is on its way to the bank is called off once its answer says that it has arrived.
  const isOnItsWay = draft.find('mandate', mandate.id)!.calls.some(({ txid }) => txid === charge.txid)
  const lastOn = charge.attempts.at(-1)?.on ?? charge.dueOn
  const nextAtMs = lapsesOf(mandate, lastOn) ?? endsAtMs(mandate, charge)
  changeCharge(draft, of, { state: 'CLOSING', isReplaced, nextAtMs })
  if (!isOnItsWay) callOff(draft, of)
}

/** Calls a closing charge off, if that is still possible. */
export const callOff = (draft: Draft, of: ChargeOfMandate): void => {
  if (!canCallOff(draft, of)) return
  const { txid, dueOn: on, amountCents } = of.charge
  callBank(draft, of.mandate.id, { operation: 'UNSCHEDULE', txid, on, amountCents })
}

/** How many of a policy's first steps are retries by mandate: up to three, within a week and before the next cycle (R9). */
export const stepsByMandate = (
  { mandate, charge }: ChargeOfMandate,
  retryDays: readonly number[],
  failedOn: CalendarDate,
  periodEnd: CalendarDate,
): number => {
  if (!mandate.allowsRetries || charge.state !== 'OPEN') return 0
  const isWithin = (days: number) => isRetryDay(charge, addDays(failedOn, days), periodEnd)
  const first = retryDays.findIndex((days) => !isWithin(days))
  return Math.min(first === -1 ? retryDays.length : first, retriesMax - charge.retries)
}

const isRetryDay = ({ dueOn }: ChargeByMandate, on: CalendarDate, periodEnd: CalendarDate): boolean =>
  on > dueOn && on < periodEnd && daysBetween(dueOn, on) <= attemptDays

/** The day of a retry that is requested now: that of its step, or the next one; null when it cannot be any more. */
export const retryDay = (
  draft: Draft,
  { mandate, charge }: ChargeOfMandate,
  wanted: CalendarDate,
  periodEnd: CalendarDate,
): CalendarDate | null => {
  if (mandate.status !== 'ACTIVE' || mandate.isEnding || charge.state !== 'OPEN') return null
  if (hasLiveAttempt(mandate, charge) || charge.retries >= retriesMax) return null
  const tomorrow = addDays(dateIn(mandate.timeZone, draft.context.nowMs), 1)
  const on = wanted < tomorrow ? tomorrow : wanted
  return isRetryDay(charge, on, periodEnd) ? on : null
}

/** Requests one attempt more. */
export const tryOnceMore = (draft: Draft, of: ChargeOfMandate, on: CalendarDate): void => {
  const { txid, amountCents, retries } = of.charge
  changeCharge(draft, of, { retries: retries + 1 })
  callBank(draft, of.mandate.id, { operation: 'RESCHEDULE', txid, on, amountCents })
}

/** When the Sandbox's bank ends an attempt that nothing was played for; null in Production, where only the bank says it. */
export const lapsesOf = ({ connectionId, timeZone }: Mandate, on: CalendarDate): number | null =>
  connectionId === null ? endOfDay(timeZone, on) : null

/** What a charge by mandate adds to the transaction that stands for it. */
export type MandateTerms = { readonly mandateId: MandateId; readonly txid: string }

/** The transaction of a charge by mandate ends by itself once no attempt can be left. */
export const endsAtMs = ({ timeZone }: Mandate, { dueOn }: Pick<ChargeByMandate, 'dueOn'>): number =>
  endOfDay(timeZone, addDays(dueOn, attemptDays + 1))

/** The day and hour, so many days before. */
const deadline = (
  timeZone: string,
  dueOn: CalendarDate,
  { days, hourMs: atMs }: { readonly days: number; readonly hourMs: number },
): number => instantOf(timeZone, addDays(dueOn, -days), atMs)

/** The ids of a new charge by a mandate. */
export type NewMandateCharge = MandateTerms & { readonly transactionId: TransactionId }
