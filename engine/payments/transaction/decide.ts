import type { Idempotency } from '../../kernel/command.ts'
import { accept, reject } from '../../kernel/decision.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { cardOf } from '../methods/card/card.ts'
import { cardAnswered } from '../methods/card/payment.ts'
import { familyOf, methods } from '../methods/index.ts'
import { callAgain } from './calls.ts'
import {
  type ChargeContext,
  type ChargeDeciders,
  cancellable,
  inProgress,
  invalidState,
  newCall,
  onThere,
  rejectNotFound,
  type TransactionDecision,
  transactionFact,
} from './charge-context.ts'
import type {
  CancelCardPayment,
  CancelCharge,
  ChangeTransaction,
  CommonCommand,
  ExpireCharge,
  RecordAnswer,
} from './commands.ts'
import type { TransactionEvent } from './events.ts'
import { refundAnswered, refundCardPayment, requestRefund, resolveRefund } from './refund.ts'
import { openDispute } from './reversal.ts'
import { settleTransaction } from './settle.ts'
import type { Transaction } from './transaction.ts'

const cancelCharge = (
  transaction: Transaction | undefined,
  command: CancelCharge,
  turn: ChargeContext,
): TransactionDecision => {
  if (transaction === undefined) return rejectNotFound()
  if (command.family !== null && familyOf(transaction) !== command.family) return rejectNotFound()
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  if (!cancellable.includes(transaction.status)) return invalidState(transaction, cancellable)
  // Only cards have an acquirer to call; seeds of other methods can be AUTHORIZED as well.
  if (transaction.status === 'AUTHORIZED' && cardOf(transaction) !== null)
    return voidAuthorization(transaction, command.by, command.reason, command.idempotency ?? null, turn)
  const fact = transactionFact(transaction.id, command.by, turn)
  return accept<TransactionEvent>({ ...fact, type: 'ChargeCancelled', reason: command.reason })
}

/** Voids an authorization, or refunds a captured payment (decisions, section 12). */
const cancelCardPayment = (
  transaction: Transaction | undefined,
  command: CancelCardPayment,
  turn: ChargeContext,
): TransactionDecision => {
  if (transaction === undefined || cardOf(transaction) === null) return rejectNotFound('card_payment')
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  const dispute = openDispute(transaction)
  if (dispute !== null) return reject(dispute)
  switch (transaction.status) {
    case 'AUTHORIZED':
      return voidAuthorization(transaction, command.by, null, command.idempotency ?? null, turn)
    case 'APPROVED':
    case 'PARTIALLY_REFUNDED':
      return refundCardPayment(transaction, command, turn)
    default:
      return invalidState(transaction, ['AUTHORIZED', 'APPROVED', 'PARTIALLY_REFUNDED'])
  }
}

const voidAuthorization = (
  transaction: Transaction,
  by: Initiator,
  reason: string | null,
  idempotency: Idempotency | null,
  turn: ChargeContext,
): TransactionDecision => {
  const { id, version, amountCents } = transaction
  const call = newCall(id, version + 1, { operation: 'VOID', amountCents, reason, idempotency }, turn)
  return accept<TransactionEvent>({ ...transactionFact(id, by, turn), type: 'ProviderCalled', call })
}

const expirable = ['PENDING', 'AUTHORIZED'] as const

const expireCharge = (
  transaction: Transaction | undefined,
  command: ExpireCharge,
  turn: ChargeContext,
): TransactionDecision => {
  if (transaction === undefined) return rejectNotFound()
  if (command.method !== null && transaction.method !== command.method) return rejectNotFound()
  if (!expirable.some((status) => status === transaction.status)) return invalidState(transaction, expirable)
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  return accept<TransactionEvent>({
    ...transactionFact(transaction.id, command.by, turn),
    type: 'ChargeExpired',
  })
}

/** Records a provider's answer. One for a finished call is too late to matter, and so is a repeated silence. */
const recordAnswer = (
  transaction: Transaction,
  command: RecordAnswer,
  turn: ChargeContext,
): TransactionDecision => {
  const call = transaction.calls.find(({ id }) => id === command.callId)
  if (call === undefined) return accept()
  const { answer, by } = command
  const isKnown = call.dueAtMs !== null && (answer.type === 'SILENT' || answer.type === 'PENDING')
  if (isKnown) return accept()
  return accept(
    call.operation === 'REFUND'
      ? refundAnswered(transaction, call, answer, by, turn)
      : cardAnswered(transaction, call, answer, by, turn),
  )
}

const common: ChargeDeciders<CommonCommand> = {
  CancelCharge: cancelCharge,
  ExpireCharge: expireCharge,
  CancelCardPayment: cancelCardPayment,
  RequestRefund: requestRefund,
  ResolveRefund: resolveRefund,
  SettleTransaction: onThere(settleTransaction),
  RecordAnswer: onThere(recordAnswer),
  CallAgain: onThere(callAgain),
}

/** The decider of each command about a transaction: refusals first, in order of precedence. */
export const chargeDeciders: ChargeDeciders<ChangeTransaction> = Object.assign(
  {},
  common,
  ...Object.values(methods).map(({ deciders }) => deciders),
)
