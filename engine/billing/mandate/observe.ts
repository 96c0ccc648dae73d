import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { executeOnTransaction } from '../../payments/transaction/execute.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { changeCharge, closeCharge } from './charge.ts'
import type {
  CallMandateAgain,
  ChargeReport,
  MandateReport,
  PlayMandate,
  PlayMandateCharge,
  ReportMandate,
  ReportMandateCharge,
  RunMandate,
} from './commands.ts'
import { type ChargeOfMandate, showMandate } from './held.ts'
import type { Mandate, MandateAttempt } from './mandate.ts'
import { attemptsSeen, chargeClosed, chargeLost, chargeTaken, fresh } from './outcome.ts'

/** A mandate as its bank has it. */
export const reportMandate = (draft: Draft, { idRec, by, ...report }: ReportMandate): Rejection | null => {
  const [mandate] = draft.lookup('mandate', idRec)
  if (mandate === undefined) return { reason: 'NOT_FOUND', resource: 'mandate' }
  observe(draft, mandate, report, by)
  return null
}

/** A charge by a mandate as its bank has it. */
export const reportMandateCharge = (
  draft: Draft,
  { txid, by, accountId, state, attempts, payments }: ReportMandateCharge,
): Rejection | null => {
  const [mandate] = draft.lookup('mandate', txid)
  const charge = mandate?.charges.find((one) => one.txid === txid)
  const id = charge?.transactionId ?? draft.lookupId('transaction', txid)
  if (id === undefined) return { reason: 'NOT_FOUND', resource: 'mandate_charge' }
  for (const payment of payments) {
    const transaction = draft.find('transaction', id)
    executeOnTransaction(draft, transaction, { type: 'ReceivePixAtBank', accountId, by, txid, ...payment })
  }
  if (mandate !== undefined && charge !== undefined) {
    const of = fresh(draft, { mandate, charge })
    if (of !== null) observeCharge(draft, of, { state, attempts, payments }, by)
  }
  return null
}

/** Plays the payer and their bank: they accept the mandate, reject it, let it expire or end it. */
export const playMandate = (
  draft: Draft,
  mandate: Mandate,
  { by, ...report }: PlayMandate,
): Rejection | null => {
  const allowed = report.status === 'CANCELLED' ? ['CREATED', 'ACTIVE'] : ['CREATED']
  if (mandate.idRec === null || !allowed.includes(mandate.status))
    return { reason: 'INVALID_STATE', currentStatus: mandate.status, allowedStatuses: allowed }
  observe(draft, mandate, report, by)
  // The bank of the Sandbox cancels what was to be charged at once.
  if (report.status === 'CANCELLED')
    for (const charge of mandate.charges) {
      const attempts = charge.attempts.map((one) => ended(one, 'CANCELLED', report.code))
      const of = fresh(draft, { mandate, charge })
      if (of !== null) observeCharge(draft, of, { state: 'CANCELLED', attempts, payments: [] }, by)
    }
  return null
}

/** Plays what becomes of the oldest attempt that is under way. */
export const playMandateCharge = (
  draft: Draft,
  mandate: Mandate,
  { result, code, by, accountId }: PlayMandateCharge,
): Rejection | null => {
  const charge = mandate.charges.find(({ attempts }) => attempts.some(isLive))
  if (charge === undefined)
    return { reason: 'INVALID_STATE', currentStatus: 'NO_ATTEMPT', allowedStatuses: ['REQUESTED'] }
  const { transactionId } = charge
  if (result === 'PAID')
    return executeOnTransaction(draft, draft.find('transaction', transactionId), {
      type: 'ReceivePix',
      accountId,
      by,
      transactionId,
      amountCents: null,
    })
  const attempts = charge.attempts.map((one) => ended(one, result, code))
  observeCharge(draft, { mandate, charge }, { state: 'ACTIVE', attempts, payments: [] }, by)
  return null
}

/** The clock: a charge that was not taken in time is closed, an attempt of the Sandbox lapses, and a closing one is over. */
export const runMandate = (draft: Draft, mandate: Mandate, { by }: RunMandate): Rejection | null => {
  const { nowMs } = draft.context
  for (const charge of mandate.charges) {
    if (charge.nextAtMs === null || charge.nextAtMs > nowMs) continue
    const of = fresh(draft, { mandate, charge })
    if (of === null) continue
    switch (charge.state) {
      case 'SCHEDULING':
        closeCharge(draft, of, true)
        break
      case 'OPEN': {
        const attempts = charge.attempts.map((one) => ended(one, 'EXPIRED', null))
        changeCharge(draft, of, { nextAtMs: null })
        observeCharge(draft, fresh(draft, of)!, { state: 'ACTIVE', attempts, payments: [] }, by)
        break
      }
      case 'CLOSING':
        chargeClosed(draft, of, by, false)
    }
  }
  return null
}

/** Repeats an unanswered call with the same reference. */
export const callMandateAgain = (
  draft: Draft,
  { id, calls }: Mandate,
  { callId }: CallMandateAgain,
): Rejection | null => {
  if (calls.some((call) => call.id === callId && call.dueAtMs !== null))
    draft.add({ type: 'MandateCalledAgain', callId, ...factOf(draft, 'mandate', id) })
  return null
}

/** A mandate that has ended stays so, whatever arrives late. */
const observe = (draft: Draft, mandate: Mandate, report: MandateReport, by: Initiator): void => {
  const { status, closedBy, code, maximumCents } = report
  const isOpen = mandate.status === 'CREATED' || mandate.status === 'ACTIVE'
  if (!isOpen || (mandate.status === 'ACTIVE' && status === 'CREATED')) return
  const isSame = mandate.status === status && mandate.maximumCents === maximumCents
  if (isSame) return
  draft.add({
    type: 'MandateStatusChanged',
    status,
    closedBy,
    code,
    maximumCents,
    ...factOf(draft, 'mandate', mandate.id),
  })
  showMandate(draft, mandate, by)
}

const observeCharge = (
  draft: Draft,
  of: ChargeOfMandate,
  { state, attempts }: ChargeReport,
  by: Initiator,
): void => {
  const { charge } = of
  switch (state) {
    // Its money is booked as it is reported: before that nothing is over.
    case 'PAID':
      return
    case 'REJECTED':
    case 'CANCELLED':
    case 'EXPIRED': {
      const isPeriodFree = state !== 'EXPIRED'
      const code = attempts.findLast((one) => one.code !== null)?.code ?? null
      if (charge.state === 'CLOSING') chargeClosed(draft, of, by, isPeriodFree)
      else chargeLost(draft, of, code, by, isPeriodFree)
      return
    }
    case 'CREATED':
    case 'ACTIVE':
      if (charge.state === 'SCHEDULING') chargeTaken(draft, of, by)
      attemptsSeen(draft, fresh(draft, of)!, attempts.length === 0 ? charge.attempts : attempts, by)
  }
}

const isLive = ({ state }: MandateAttempt): boolean => state === 'REQUESTED' || state === 'SCHEDULED'

const ended = (
  attempt: MandateAttempt,
  state: MandateAttempt['state'],
  code: string | null,
): MandateAttempt => (isLive(attempt) ? { ...attempt, state, code } : attempt)
