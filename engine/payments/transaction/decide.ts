import type { Idempotency } from '../../kernel/command.ts'
import { accept, reject } from '../../kernel/decision.ts'
import { unreachable } from '../../shared/assert.ts'
import type { Initiator } from '../../shared/initiator.ts'
import {
  clearBoleto,
  createBoleto,
  markOverdue,
  payBoleto,
  payBoletoByPix,
} from '../methods/boleto/decide.ts'
import { disputeChargeback, openChargeback, resolveChargeback } from '../methods/card/chargeback.ts'
import {
  callAgain,
  captureCharge,
  cardAnswered,
  createCardPayment,
  giveUpAuthorization,
  resolveAuthorization,
} from '../methods/card/payment.ts'
import { createPix, receivePix, receiveUnrequestedPix } from '../methods/pix/decide.ts'
import { closeMed, openMed } from '../methods/pix/med.ts'
import type {
  CancelCardPayment,
  CancelCharge,
  CreateCharge,
  ExpireCharge,
  RecordAnswer,
  TransactionCommand,
} from './commands.ts'
import type { TransactionEvent } from './events.ts'
import { familyOf } from './family.ts'
import { openDispute, refundAnswered, refundCardPayment, requestRefund, resolveRefund } from './refund.ts'
import { settleTransaction } from './settle.ts'
import type { Transaction } from './transaction.ts'
import {
  cancellable,
  factOf,
  inProgress,
  invalidState,
  newCall,
  notFound,
  type TransactionDecision,
  type Turn,
} from './turn.ts'

/** What a transaction answers to a command: refusals first, in order of precedence. */
export const decideTransaction = (
  transaction: Transaction | undefined,
  command: TransactionCommand,
  turn: Turn,
): TransactionDecision => {
  const decide = deciders[command.type] as (
    transaction: Transaction | undefined,
    command: TransactionCommand,
    turn: Turn,
  ) => TransactionDecision
  return decide(transaction, command, turn)
}

const deciders: {
  readonly [Type in TransactionCommand['type']]: (
    transaction: Transaction | undefined,
    command: Extract<TransactionCommand, { readonly type: Type }>,
    turn: Turn,
  ) => TransactionDecision
} = {
  CreateCharge: (_, command, turn) => createCharge(command, turn),
  CancelCharge: (...asked) => cancelCharge(...asked),
  ExpireCharge: (...asked) => expireCharge(...asked),
  SettleTransaction: onThere(settleTransaction),
  ReceivePix: receivePix,
  ReceiveUnrequestedPix: (_, command, turn) => receiveUnrequestedPix(command, turn),
  OpenMed: openMed,
  CloseMed: closeMed,
  PayBoleto: payBoleto,
  PayBoletoByPix: payBoletoByPix,
  ClearBoleto: onThere(clearBoleto),
  MarkOverdue: onThere(markOverdue),
  CaptureCharge: captureCharge,
  CancelCardPayment: (...asked) => cancelCardPayment(...asked),
  ResolveAuthorization: resolveAuthorization,
  GiveUpAuthorization: onThere(giveUpAuthorization),
  OpenChargeback: openChargeback,
  DisputeChargeback: disputeChargeback,
  ResolveChargeback: resolveChargeback,
  RequestRefund: requestRefund,
  ResolveRefund: resolveRefund,
  RecordAnswer: onThere((...asked) => recordAnswer(...asked)),
  CallAgain: onThere(callAgain),
}

/** What comes from inside is about a transaction that is there. */
function onThere<Decided>(
  decide: (transaction: Transaction, command: Decided, turn: Turn) => TransactionDecision,
): (transaction: Transaction | undefined, command: Decided, turn: Turn) => TransactionDecision {
  return (transaction, command, turn) =>
    transaction === undefined ? notFound() : decide(transaction, command, turn)
}

const createCharge = (command: CreateCharge, turn: Turn): TransactionDecision => {
  const { terms } = command
  switch (terms.method) {
    case 'PIX':
      return createPix(command, terms, turn)
    case 'CREDIT_CARD':
      return createCardPayment(command, terms, turn)
    case 'BOLETO':
      return createBoleto(command, terms, turn)
    default:
      return unreachable(terms)
  }
}

const cancelCharge = (
  transaction: Transaction | undefined,
  command: CancelCharge,
  turn: Turn,
): TransactionDecision => {
  if (transaction === undefined) return notFound()
  if (command.family !== null && familyOf(transaction) !== command.family) return notFound()
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  if (!cancellable.includes(transaction.status)) return invalidState(transaction, cancellable)
  // Only a card has an acquirer to ask; a seed of another method can be AUTHORIZED, too.
  if (transaction.status === 'AUTHORIZED' && transaction.card !== null)
    return voidAuthorization(transaction, command.by, command.reason, command.idempotency ?? null, turn)
  const fact = factOf(transaction.id, command.by, turn)
  return accept<TransactionEvent>({ ...fact, type: 'ChargeCancelled', reason: command.reason })
}

/** Voids what is authorized, refunds what is captured (decisions, section 12). */
const cancelCardPayment = (
  transaction: Transaction | undefined,
  command: CancelCardPayment,
  turn: Turn,
): TransactionDecision => {
  if (transaction === undefined || transaction.card === null) return notFound('card_payment')
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
  turn: Turn,
): TransactionDecision => {
  const { id, version, amountCents } = transaction
  const call = newCall(id, version + 1, { operation: 'VOID', amountCents, reason, idempotency }, turn)
  return accept<TransactionEvent>({ ...factOf(id, by, turn), type: 'ProviderCalled', call })
}

const expirable = ['PENDING', 'AUTHORIZED'] as const

const expireCharge = (
  transaction: Transaction | undefined,
  command: ExpireCharge,
  turn: Turn,
): TransactionDecision => {
  if (transaction === undefined) return notFound()
  if (command.method !== null && transaction.method !== command.method) return notFound()
  if (!expirable.some((status) => status === transaction.status)) return invalidState(transaction, expirable)
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  return accept<TransactionEvent>({ ...factOf(transaction.id, command.by, turn), type: 'ChargeExpired' })
}

/** An answer to a call that is over comes too late to mean anything; so does silence that is known already. */
const recordAnswer = (transaction: Transaction, command: RecordAnswer, turn: Turn): TransactionDecision => {
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
