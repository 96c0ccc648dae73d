import { knownConnection } from '../../connections/rail-connection.ts'
import { accept, reject } from '../../kernel/decision.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { Cents } from '../../shared/money.ts'
import { refundEnded } from '../methods/card/overtaken-refund.ts'
import { methodOf } from '../methods/index.ts'
import { heldCents, refundableStatuses } from './amounts.ts'
import { type AnswerDeciders, providerSilent } from './calls.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  type ExistingChargeDecider,
  invalidState,
  newCall,
  rejectNotFound,
  type TransactionDecision,
} from './charge-context.ts'
import type { CancelCardPayment, RequestRefund, ResolveRefund } from './commands.ts'
import type { RefundFailed, TransactionFact } from './facts.ts'
import { refundableUntilMs } from './refundable.ts'
import { disputeRefusal, refundCompleted } from './reversal.ts'
import type { ProviderCall, Refund, Transaction } from './transaction.ts'

/** Reserves the amount and calls the rail: concurrent refunds never exceed what was paid. */
export const requestRefund: ChargeDecider<RequestRefund> = (transaction, command, chargeContext) => {
  if (transaction === undefined) return rejectNotFound()
  return refund(transaction, command, command.amountCents, command.reason, 'API', chargeContext)
}

/** `POST /v1/card-payments/:id/cancel` for a captured payment: refunds everything still refundable. */
export const refundCardPayment: ExistingChargeDecider<CancelCardPayment> = (
  transaction,
  command,
  chargeContext,
) => refund(transaction, command, null, 'Cancelled by API', 'CARD_CANCEL', chargeContext)

/** Decides what a rail's answer to a refund means. */
export const refundAnswers: AnswerDeciders<'REFUND'> = {
  REFUND: (transaction, call, answer, chargeContext) => {
    const refund = transaction.reversals.refunds.find(({ id }) => id === call.refundId)!
    switch (answer.type) {
      case 'DONE':
      case 'RETURNED': {
        const rules = methodOf(transaction).refunds!
        const returnId = answer.type === 'RETURNED' ? answer.returnId : null
        return refundEnded(
          transaction,
          refundCompleted(transaction, refund, call.id, chargeContext, rules, returnId),
          chargeContext,
        )
      }
      case 'REFUSED':
        return refundEnded(
          transaction,
          refundRefused(refund, call, chargeContext, answer.refusal.message),
          chargeContext,
        )
      case 'UNDONE':
        return refundEnded(
          transaction,
          refundRefused(refund, call, chargeContext, answer.message),
          chargeContext,
        )
      default:
        return providerSilent(call, chargeContext, answer)
    }
  },
}

/** The Sandbox decides in place of the rail (decisions, section 29). */
export const resolveRefund: ChargeDecider<ResolveRefund> = (transaction, command, chargeContext) => {
  const refund = transaction?.reversals.refunds.find(({ id }) => id === command.reversalId)
  if (transaction === undefined || refund === undefined) return rejectNotFound('refund')
  const call = transaction.calls.find(({ refundId }) => refundId === refund.id)
  if (refund.status !== 'PROCESSING' || call === undefined) return invalidState(refund, ['PROCESSING'])
  const ended =
    command.result === 'COMPLETED'
      ? refundCompleted(transaction, refund, call.id, chargeContext, methodOf(transaction).refunds!)
      : refundRefused(refund, call, chargeContext)
  return accept<TransactionFact>(...refundEnded(transaction, ended, chargeContext))
}

const refundRefused = (
  refund: Refund,
  call: ProviderCall,
  chargeContext: ChargeContext,
  failureMessage: string | null = null,
): RefundFailed => ({
  type: 'RefundFailed',
  refundId: refund.id,
  callId: call.id,
  failureReason: 'REFUSED_BY_PROVIDER',
  failureMessage,
  ...chargeContext.fact,
})

const refund = (
  transaction: Transaction,
  { refundId, address, idempotency }: RequestRefund | CancelCardPayment,
  wantedCents: Cents | null,
  reason: string | null,
  origin: Refund['origin'],
  chargeContext: ChargeContext,
): TransactionDecision => {
  const refusal = cannotRefund(transaction, wantedCents, chargeContext)
  if (refusal !== null) return reject(refusal)
  const amountCents = wantedCents ?? heldCents(transaction)
  const asked = { operation: 'REFUND', amountCents, refundId, idempotency: idempotency ?? null } as const
  return accept<TransactionFact>(
    {
      type: 'RefundRequested',
      refundId,
      amountCents,
      origin,
      reason,
      address,
      bankReturnId: null,
      ...chargeContext.fact,
    },
    {
      type: 'ProviderCalled',
      call: newCall(transaction.version + 2, asked, chargeContext),
      ...chargeContext.fact,
    },
  )
}

/** Whether what the charge was made by can take money back: its own connection, whatever is active since. */
const takesRefunds = (
  transaction: Transaction,
  account: ChargeContext['account'],
  { institution }: ChargeContext['context'],
): boolean => {
  const { connectionId } = transaction
  if (connectionId === null) return institution.offers(account.id, methodOf(transaction).rail, 'REFUND')
  return knownConnection(account, connectionId)?.offers.includes('REFUND') === true
}

const cannotRefund = (
  transaction: Transaction,
  wantedCents: Cents | null,
  { account, context }: ChargeContext,
): Rejection | null => {
  const { method, status } = transaction
  const { refunds } = methodOf(transaction)
  if (refunds === null || !takesRefunds(transaction, account, context))
    return { reason: 'REFUND_NOT_SUPPORTED', method }
  const dispute = disputeRefusal(transaction)
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
