import { contextId } from '../../../kernel/context.ts'
import { accept, reject } from '../../../kernel/decision.ts'
import type { Timer } from '../../../kernel/due-work.ts'
import { dayMs } from '../../../shared/calendar.ts'
import { toCents } from '../../../shared/money.ts'
import { refundableStatuses, refundedCents } from '../../transaction/amounts.ts'
import { type ChargeDecider, invalidState, rejectNotFound } from '../../transaction/charge-context.ts'
import { timer } from '../../transaction/due-work.ts'
import type { TransactionEvent } from '../../transaction/events.ts'
import { disputeRefusal, refundCompleted } from '../../transaction/reversal.ts'
import type { Med, Transaction } from '../../transaction/transaction.ts'
import type { CloseMed, OpenMed } from './commands.ts'
import { pixRefunds } from './refunds.ts'

/** Decisions, section 11: how long after a payment its bank may contest it, and how long the analysis takes. */
const windowDays = 80
const analysisMs = 7 * dayMs

/** Opens a MED: the payer's bank contests a PIX, and what the balance has of it is blocked meanwhile. */
export const openMed: ChargeDecider<OpenMed> = (transaction, command, turn) => {
  const { account, context } = turn
  if (transaction === undefined || transaction.method !== 'PIX') return rejectNotFound()
  const dispute = disputeRefusal(transaction)
  if (dispute !== null) return reject(dispute)
  if (!refundableStatuses.includes(transaction.status)) return invalidState(transaction, refundableStatuses)
  if (context.nowMs > transaction.approvedAtMs! + windowDays * dayMs && command.isForced !== true)
    return reject({ reason: 'REFUND_WINDOW_EXPIRED', what: 'MED', days: windowDays })
  const refunding = transaction.reversals.refunds.filter(({ status }) => status === 'PROCESSING')
  const contestableCents = toCents(
    transaction.paidCents -
      refundedCents(transaction) -
      refunding.reduce((sum, { amountCents }) => sum + amountCents, 0),
  )
  const amountCents = command.amountCents ?? contestableCents
  if (amountCents > contestableCents || contestableCents === 0)
    return reject({ reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: contestableCents })
  const available = account.balances.available < 0n ? 0n : account.balances.available
  const blockedCents = available < BigInt(amountCents) ? toCents(Number(available)) : amountCents
  const med: Med = {
    id: contextId(context, 'med'),
    amountCents,
    blockedCents,
    returnedCents: toCents(0),
    reason: command.reason ?? 'FRAUD',
    status: 'OPEN',
    result: null,
    details: null,
    openedAtMs: context.nowMs,
    analysisDueAtMs: context.nowMs + analysisMs,
    closedAtMs: null,
  }
  return accept<TransactionEvent>({ type: 'MedOpened', med, ...turn.fact })
}

/** Closes a MED. An accepted one returns money as an ordinary refund; rejected or cancelled, the payment stays. */
export const closeMed: ChargeDecider<CloseMed> = (transaction, command, turn) => {
  const med = transaction?.reversals.meds.find(({ id }) => id === command.reversalId)
  if (transaction === undefined || med === undefined) return rejectNotFound('med')
  if (med.status !== 'OPEN') return invalidState(med, ['OPEN'])
  const { result } = command
  const returnedCents = result === 'ACCEPTED' ? (command.returnedCents ?? med.blockedCents) : toCents(0)
  if (returnedCents > med.blockedCents)
    return reject({ reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: med.blockedCents })
  const closed: TransactionEvent = { type: 'MedClosed', medId: med.id, result, returnedCents, ...turn.fact }
  if (returnedCents === 0) return accept(closed)
  const refund = { id: contextId(turn.context, 'rfd'), amountCents: returnedCents }
  return accept<TransactionEvent>(
    closed,
    {
      type: 'RefundRequested',
      refundId: refund.id,
      amountCents: returnedCents,
      origin: 'MED',
      reason: med.reason,
      address: null,
      ...turn.fact,
    },
    refundCompleted(transaction, refund, null, turn, pixRefunds),
  )
}

/** An open MED is accepted when its analysis time ends. */
export const medTimer = (transaction: Transaction): Timer | null => {
  const med = transaction.reversals.meds.find(({ status }) => status === 'OPEN')
  if (med === undefined) return null
  return timer(transaction, med.analysisDueAtMs, {
    type: 'CloseMed',
    reversalId: med.id,
    result: 'ACCEPTED',
    returnedCents: null,
  })
}
