import { contextId } from '../../../kernel/context.ts'
import { accept, reject } from '../../../kernel/decision.ts'
import { asSettled, feeShare, release, reverse, withoutSuspended } from '../../../ledger/receivables.ts'
import { addDays, dateIn, dayMs, endOfDay } from '../../../shared/calendar.ts'
import type { ChargebackId } from '../../../shared/ids.ts'
import { toCents } from '../../../shared/money.ts'
import { isUndecided, refundableStatuses, refundedCents, refundingCents } from '../../transaction/amounts.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  invalidState,
  rejectNotFound,
} from '../../transaction/charge-context.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { Chargeback, ChargebackReason, Transaction } from '../../transaction/transaction.ts'
import { cardOf } from './card.ts'
import type { DisputeChargeback, OpenChargeback, ResolveChargeback } from './commands.ts'

/**
 * Decisions, section 13: how long an issuer may take a payment back, and how long the merchant and the network have.
 */
const windowDays = 180
const defenseDays = 10
export const reviewMs = 30 * dayMs

/** The Visa network's reason codes. Other brands have their own; the Sandbox uses these for all. */
export const reasonCodes: Readonly<Record<ChargebackReason, string>> = {
  FRAUD: '10.4',
  PRODUCT_NOT_RECEIVED: '13.1',
  PRODUCT_UNACCEPTABLE: '13.3',
  DUPLICATE: '12.6.1',
  CREDIT_NOT_PROCESSED: '13.6',
  SUBSCRIPTION_CANCELLED: '13.2',
  OTHER: '11.3',
}

/** Opens a chargeback: suspends what is still expected and blocks what was settled. */
export const openChargeback: ChargeDecider<OpenChargeback> = (transaction, command, chargeContext) => {
  const { account, context } = chargeContext
  const card = transaction === undefined ? null : cardOf(transaction)
  if (card === null || transaction === undefined) return rejectNotFound('card_payment')
  if (!refundableStatuses.includes(transaction.status)) return invalidState(transaction, refundableStatuses)
  if (transaction.reversals.chargebacks.length > 0)
    return invalidState(transaction.reversals.chargebacks[0]!, [])
  const capturedAtMs = card.capturedAtMs ?? transaction.approvedAtMs!
  if (context.nowMs > capturedAtMs + windowDays * dayMs && command.isForced !== true)
    return reject({ reason: 'REFUND_WINDOW_EXPIRED', what: 'CHARGEBACK', days: windowDays })
  const disputableCents = toCents(transaction.paidCents - refundedCents(transaction))
  const disputedCents = command.amountCents ?? disputableCents
  if (disputedCents > disputableCents || disputableCents === 0)
    return reject({ reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: disputableCents })

  // The money cannot go back twice, and only the acquirer knows of refunds under way: what they return is left out until it has said.
  const amountCents = toCents(Math.max(0, disputedCents - refundingCents(transaction)))
  const feeCents = feeShare(amountCents, transaction.feeCents, disputableCents)
  const reason = command.reason ?? 'FRAUD'
  const { timeZone } = account.profile
  const lastDay = addDays(dateIn(timeZone, context.nowMs), defenseDays)
  const chargeback: Chargeback = {
    id: contextId(context, 'cbk'),
    amountCents,
    ...(amountCents !== disputedCents && { disputedCents }),
    reasonCode: reasonCodes[reason],
    reason,
    status: 'OPEN',
    lostReason: null,
    statusBefore: transaction.status,
    feeCents,
    defense: null,
    openedAtMs: context.nowMs,
    defenseDueAtMs: endOfDay(timeZone, lastDay) - 1,
    resolvedAtMs: null,
    updatedAtMs: context.nowMs,
  }
  const settled = asSettled(transaction.receivables, chargeContext.settledAt)
  const reversal = reverse(
    settled,
    { grossCents: amountCents, feeCents },
    'CHARGEBACK',
    transaction,
    chargeContext,
  )
  return accept<TransactionFact>(
    {
      type: 'ChargebackOpened',
      chargeback,
      reversal,
      ...chargeContext.fact,
    },
    ...askedAtOnce(transaction, chargeContext),
  )
}

/** Refunds that wait to be repeated are inquired after at once; those under way are answered. */
const askedAtOnce = ({ calls }: Transaction, { fact }: ChargeContext): readonly TransactionFact[] =>
  calls
    .filter(({ operation, dueAtMs }) => operation === 'REFUND' && dueAtMs !== null)
    .map(({ id: callId }) => ({ type: 'ProviderCalledAgain', callId, ...fact }))

/** Files the merchant's defense, within the time limit. */
export const disputeChargeback: ChargeDecider<DisputeChargeback> = (transaction, command, chargeContext) => {
  const chargeback = findChargeback(transaction, command.reversalId)
  if (transaction === undefined || chargeback === undefined) return rejectNotFound('chargeback')
  const { defenseDueAtMs } = chargeback
  const isLate = chargeback.lostReason === 'NO_DEFENSE' || chargeContext.context.nowMs > defenseDueAtMs
  if (isLate && chargeback.defense === null)
    return reject({ reason: 'DEFENSE_WINDOW_CLOSED', defenseDueAtMs })
  if (chargeback.status !== 'OPEN') return invalidState(chargeback, ['OPEN'])
  return accept<TransactionFact>({
    type: 'ChargebackDisputed',
    chargebackId: chargeback.id,
    text: command.text,
    ...chargeContext.fact,
  })
}

/** Decides a chargeback. Won or lost after a defense; without one it is lost when the time limit passes. */
export const resolveChargeback: ChargeDecider<ResolveChargeback> = (transaction, command, chargeContext) => {
  const chargeback = findChargeback(transaction, command.reversalId)
  if (transaction === undefined || chargeback === undefined) return rejectNotFound('chargeback')
  // What it takes is known once the refunds are that were on their way.
  if (isUndecided(transaction, chargeback))
    return reject({
      reason: 'OPERATION_IN_PROGRESS',
      currentStatus: chargeback.status,
      operation: 'REFUND',
    })
  const isOverdue = chargeback.status === 'OPEN' && chargeContext.context.nowMs > chargeback.defenseDueAtMs
  if (chargeback.status !== 'UNDER_REVIEW' && !isOverdue) return invalidState(chargeback, ['UNDER_REVIEW'])
  const fact = { chargebackId: chargeback.id, ...chargeContext.fact }
  const receivables = asSettled(transaction.receivables, chargeContext.settledAt)
  if (command.result === 'WON') {
    return accept<TransactionFact>({
      type: 'ChargebackWon',
      release: release(receivables, transaction.method, chargeContext),
      ...fact,
    })
  }
  return accept<TransactionFact>({
    type: 'ChargebackLost',
    lostReason: isOverdue ? 'NO_DEFENSE' : 'DEFENSE_REJECTED',
    receivables: withoutSuspended(receivables),
    ...fact,
  })
}

/** The chargeback with this id; undefined when the transaction has none such. */
const findChargeback = (transaction: Transaction | undefined, id: ChargebackId): Chargeback | undefined =>
  transaction?.reversals.chargebacks.find((chargeback) => chargeback.id === id)
