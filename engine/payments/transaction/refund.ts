import { accept, reject } from '../../kernel/decision.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Cents } from '../../shared/money.ts'
import { methodOf } from '../methods/index.ts'
import type { ProviderAnswer } from '../provider.ts'
import { heldCents, refundableStatuses } from './amounts.ts'
import { dueAgain } from './calls.ts'
import {
  type ChargeContext,
  invalidState,
  newCall,
  rejectNotFound,
  type TransactionDecision,
  transactionFact,
} from './charge-context.ts'
import type { CancelCardPayment, RequestRefund, ResolveRefund } from './commands.ts'
import type { TransactionEvent } from './events.ts'
import { refundableUntilMs } from './refundable.ts'
import { openDispute, refundCompleted } from './reversal.ts'
import type { ProviderCall, Refund, Transaction } from './transaction.ts'

/** Reserves the amount and calls the rail: concurrent refunds never exceed what was paid. */
export const requestRefund = (
  transaction: Transaction | undefined,
  command: RequestRefund,
  turn: ChargeContext,
): TransactionDecision => {
  if (transaction === undefined) return rejectNotFound()
  const { amountCents, reason } = command
  return refund(transaction, command, { amountCents, reason, origin: 'API' }, turn)
}

/** `POST /v1/card-payments/:id/cancel` for a captured payment: refunds everything still refundable. */
export const refundCardPayment = (
  transaction: Transaction,
  command: CancelCardPayment,
  turn: ChargeContext,
): TransactionDecision => {
  const wanted = { amountCents: null, reason: 'Cancelled by API', origin: 'CARD_CANCEL' } as const
  return refund(transaction, command, wanted, turn)
}

/** Records the rail's answer to a refund; without effect once the refund is finished. */
export const refundAnswered = (
  transaction: Transaction,
  call: ProviderCall,
  answer: ProviderAnswer,
  by: Initiator,
  turn: ChargeContext,
): TransactionEvent => {
  const refund = transaction.reversals.refunds.find(({ id }) => id === call.refundId)!
  const fact = { ...transactionFact(transaction.id, by, turn), callId: call.id }
  switch (answer.type) {
    case 'DONE':
      return refundCompleted(transaction, refund, call.id, by, turn, methodOf(transaction).refunds!)
    case 'REFUSED':
      return { ...fact, type: 'RefundFailed', refundId: refund.id, failureReason: 'REFUSED_BY_PROVIDER' }
    default:
      return { ...fact, type: 'ProviderSilent', ...dueAgain(call, turn) }
  }
}

/** The Sandbox decides in place of the rail (decisions, section 29). */
export const resolveRefund = (
  transaction: Transaction | undefined,
  command: ResolveRefund,
  turn: ChargeContext,
): TransactionDecision => {
  const refund = transaction?.reversals.refunds.find(({ id }) => id === command.reversalId)
  if (transaction === undefined || refund === undefined) return rejectNotFound('refund')
  const call = transaction.calls.find(({ refundId }) => refundId === refund.id)
  if (refund.status !== 'PROCESSING' || call === undefined) return invalidState(refund, ['PROCESSING'])
  if (command.result === 'COMPLETED')
    return accept<TransactionEvent>(
      refundCompleted(transaction, refund, call.id, command.by, turn, methodOf(transaction).refunds!),
    )
  const fact = { ...transactionFact(transaction.id, command.by, turn), refundId: refund.id, callId: call.id }
  return accept<TransactionEvent>({ ...fact, type: 'RefundFailed', failureReason: 'REFUSED_BY_PROVIDER' })
}

const refund = (
  transaction: Transaction,
  { by, refundId, address, idempotency }: RequestRefund | CancelCardPayment,
  {
    amountCents: wantedCents,
    reason,
    origin,
  }: Pick<RequestRefund, 'amountCents' | 'reason'> & Pick<Refund, 'origin'>,
  turn: ChargeContext,
): TransactionDecision => {
  const refusal = cannotRefund(transaction, wantedCents, turn)
  if (refusal !== null) return reject(refusal)
  const amountCents = wantedCents ?? heldCents(transaction)
  const asked = { operation: 'REFUND', amountCents, refundId, idempotency: idempotency ?? null } as const
  const fact = transactionFact(transaction.id, by, turn)
  return accept<TransactionEvent>(
    { ...fact, type: 'RefundRequested', refundId, amountCents, origin, reason, address },
    { ...fact, type: 'ProviderCalled', call: newCall(transaction.id, transaction.version + 2, asked, turn) },
  )
}

const cannotRefund = (
  transaction: Transaction,
  wantedCents: Cents | null,
  { account, context }: ChargeContext,
): Rejection | null => {
  const { method, status } = transaction
  const { refunds } = methodOf(transaction)
  if (refunds === null) return { reason: 'REFUND_NOT_SUPPORTED', method }
  const dispute = openDispute(transaction)
  if (dispute !== null) return dispute
  if (!refundableStatuses.includes(status))
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: refundableStatuses }
  if (context.nowMs > refundableUntilMs(transaction, refunds))
    return { reason: 'REFUND_WINDOW_EXPIRED', what: 'REFUND', days: refunds.days }
  const leftCents = heldCents(transaction)
  if (leftCents === 0 || (wantedCents !== null && wantedCents > leftCents))
    return { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: leftCents }
  const { outcomes } = context.institution
  if (outcomes.refusesRefund(transaction)) return { reason: 'INSUFFICIENT_BALANCE' }
  const isFunded = !refunds.isReserved || !outcomes.needsFunds(account.id)
  if (!isFunded && account.balances.available < BigInt(wantedCents ?? leftCents))
    return { reason: 'INSUFFICIENT_BALANCE' }
  return null
}
