import { accept, reject } from '../../kernel/decision.ts'
import { cardOf } from '../methods/card/card.ts'
import { cardAnswers } from '../methods/card/payment.ts'
import { addressAnswers } from '../methods/crypto/create.ts'
import { familyOf, methods } from '../methods/index.ts'
import { cancelAtBank, chargeStateAnswers, expireAtBank } from '../methods/pix/bank/charge-state.ts'
import { defenseAnswers } from '../methods/pix/bank/defend-med.ts'
import { registrationAnswers } from '../methods/pix/bank/register.ts'
import { returnAnswers } from '../methods/pix/bank/returns.ts'
import { hasCodeAtBank } from '../methods/pix/pix.ts'
import { type AnswerDeciders, callAgain } from './calls.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  type ChargeDeciders,
  cancellable,
  type ExistingChargeDecider,
  inProgress,
  invalidState,
  newCall,
  onExisting,
  rejectNotFound,
  type TransactionDecision,
} from './charge-context.ts'
import type {
  CancelCardPayment,
  CancelCharge,
  ChangeTransaction,
  CommonCommand,
  ExpireCharge,
  RecordAnswer,
} from './commands.ts'
import type { TransactionFact } from './facts.ts'
import { setFiscalDocuments } from './fiscal-documents.ts'
import { refundAnswers, refundCardPayment, requestRefund, resolveRefund } from './refund.ts'
import { disputeRefusal } from './reversal.ts'
import { settleTransaction } from './settle.ts'
import type { ProviderOperation, Transaction } from './transaction.ts'

const cancelCharge: ChargeDecider<CancelCharge> = (transaction, command, chargeContext) => {
  if (transaction === undefined) return rejectNotFound()
  if (command.family !== null && familyOf(transaction) !== command.family) return rejectNotFound()
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  if (!cancellable.includes(transaction.status)) return invalidState(transaction, cancellable)
  // Only cards have an acquirer to call; seeds of other methods can be AUTHORIZED as well.
  if (transaction.status === 'AUTHORIZED' && cardOf(transaction) !== null)
    return voidAuthorization(transaction, command.reason, command, chargeContext)
  if (hasCodeAtBank(transaction)) return cancelAtBank(transaction, command, chargeContext)
  return accept<TransactionFact>({
    type: 'ChargeCancelled',
    reason: command.reason,
    callId: null,
    ...chargeContext.fact,
  })
}

/** Voids an authorization, or refunds a captured payment (decisions, section 12). */
const cancelCardPayment: ChargeDecider<CancelCardPayment> = (transaction, command, chargeContext) => {
  if (transaction === undefined || cardOf(transaction) === null) return rejectNotFound('card_payment')
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  const dispute = disputeRefusal(transaction)
  if (dispute !== null) return reject(dispute)
  switch (transaction.status) {
    case 'AUTHORIZED':
      return voidAuthorization(transaction, null, command, chargeContext)
    case 'APPROVED':
    case 'PARTIALLY_REFUNDED':
      if (!command.mayRefund) return reject({ reason: 'REFUND_NOT_PERMITTED' })
      return refundCardPayment(transaction, command, chargeContext)
    default:
      return invalidState(transaction, ['AUTHORIZED', 'APPROVED', 'PARTIALLY_REFUNDED'])
  }
}

const voidAuthorization = (
  { version, amountCents }: Transaction,
  reason: string | null,
  command: CancelCharge | CancelCardPayment,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const idempotency = command.idempotency ?? null
  const call = newCall(version + 1, { operation: 'VOID', amountCents, reason, idempotency }, chargeContext)
  return accept<TransactionFact>({ type: 'ProviderCalled', call, ...chargeContext.fact })
}

const expirable = ['PENDING', 'AUTHORIZED'] as const

const expireCharge: ChargeDecider<ExpireCharge> = (transaction, command, chargeContext) => {
  if (transaction === undefined) return rejectNotFound()
  if (command.method !== null && transaction.method !== command.method) return rejectNotFound()
  if (!expirable.some((status) => status === transaction.status)) return invalidState(transaction, expirable)
  if (hasCodeAtBank(transaction)) return expireAtBank(transaction, chargeContext)
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  return accept<TransactionFact>({ type: 'ChargeExpired', callId: null, ...chargeContext.fact })
}

const answers: AnswerDeciders<ProviderOperation> = {
  ...cardAnswers,
  ...addressAnswers,
  ...refundAnswers,
  ...registrationAnswers,
  ...chargeStateAnswers,
  ...returnAnswers,
  ...defenseAnswers,
}

/** Records a provider's answer. One for a finished call is too late to matter, and so is a repeated silence. */
const recordAnswer: ExistingChargeDecider<RecordAnswer> = (transaction, command, chargeContext) => {
  const call = transaction.calls.find(({ id }) => id === command.callId)
  if (call === undefined) return accept()
  const { answer } = command
  const isKnown = call.dueAtMs !== null && (answer.type === 'SILENT' || answer.type === 'PENDING')
  if (isKnown) return accept()
  const decided = answers[call.operation](transaction, call, answer, chargeContext)
  return 'type' in decided ? accept(decided) : accept(...decided)
}

const common: ChargeDeciders<CommonCommand> = {
  CancelCharge: cancelCharge,
  ExpireCharge: expireCharge,
  CancelCardPayment: cancelCardPayment,
  RequestRefund: requestRefund,
  ResolveRefund: resolveRefund,
  SettleTransaction: onExisting(settleTransaction),
  SetFiscalDocuments: onExisting(setFiscalDocuments),
  RecordAnswer: onExisting(recordAnswer),
  CallAgain: onExisting(callAgain),
}

/** The decider of each command about a transaction: refusals first, in order of precedence. */
export const chargeDeciders: ChargeDeciders<ChangeTransaction> = Object.assign(
  {},
  common,
  ...Object.values(methods).map(({ deciders }) => deciders),
)
