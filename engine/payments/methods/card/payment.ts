import type { Context } from '../../../kernel/context.ts'
import { accept, reject } from '../../../kernel/decision.ts'
import { feeOn } from '../../../ledger/fees.ts'
import { inBatches } from '../../../ledger/receivables.ts'
import { dayMs } from '../../../shared/calendar.ts'
import { randomDigits, type TransactionId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { ProviderRefusal } from '../../provider.ts'
import { type AnswerDeciders, providerSilent } from '../../transaction/calls.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  chargeCreated,
  type ExistingChargeDecider,
  inProgress,
  invalidState,
  newCall,
  rejectNotFound,
  type TransactionDecision,
} from '../../transaction/charge-context.ts'
import type { CreateCharge } from '../../transaction/commands.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { ProviderCall, Transaction } from '../../transaction/transaction.ts'
import { type AcquirerData, type Card, cardOf } from './card.ts'
import type { CaptureCharge, ResolveAuthorization, TimeOutAuthorization } from './commands.ts'
import { declines } from './decline-codes.ts'
import { cardFeeTerms } from './fee.ts'
import type { CardTerms } from './terms.ts'

/** An authorization that is not captured lapses after this (decisions, section 12). */
const authorizationMs = 7 * dayMs
/** After being unknown for this long, an authorization is taken back and the payment fails. */
export const authorizationUnknownMs = 15 * 60_000

/** Records the intent to authorize. The acquirer is called once that is on disk. */
export const createCardPayment = (
  command: CreateCharge,
  terms: CardTerms,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const card: Card = {
    installments: terms.installments,
    captures: terms.captures,
    acquirer: null,
    authorizedAtMs: null,
    capturedAtMs: null,
    capturedCents: null,
    threeDSecure: null,
    ...terms.card,
  }
  const { amountCents, idempotency = null } = command
  return accept<TransactionFact>(
    chargeCreated(
      command,
      chargeContext,
      { card },
      cardFeeTerms(chargeContext.account.profile.fees, terms.method, card),
    ),
    {
      type: 'ProviderCalled',
      call: newCall(
        authorizationVersion,
        { operation: 'AUTHORIZE', amountCents, idempotency },
        chargeContext,
      ),
      ...chargeContext.fact,
    },
  )
}

/** The version at which every card payment makes the call that authorizes it. */
const authorizationVersion = 2

/** The call that authorizes a payment: an acquirer that gave no id of its own knows the sale by it. */
export const authorizationCallId = (id: TransactionId): string => `${id}.${authorizationVersion}`

/** Captures once, in full or in part; the rest of the authorization is released (decisions, section 12). */
export const captureCharge: ChargeDecider<CaptureCharge> = (transaction, command, chargeContext) => {
  if (transaction === undefined || cardOf(transaction) === null) return rejectNotFound('card_payment')
  const busy = inProgress(transaction)
  if (busy !== null) return busy
  if (transaction.status !== 'AUTHORIZED') return invalidState(transaction, ['AUTHORIZED'])
  const amountCents = command.amountCents ?? transaction.amountCents
  if (amountCents > transaction.amountCents) {
    return reject({ reason: 'CAPTURE_EXCEEDS_AUTHORIZED', authorizedCents: transaction.amountCents })
  }
  const { idempotency = null } = command
  const call = newCall(
    transaction.version + 1,
    { operation: 'CAPTURE', amountCents, idempotency },
    chargeContext,
  )
  return accept<TransactionFact>({ type: 'ProviderCalled', call, ...chargeContext.fact })
}

/** Decides what an acquirer's answer means, by the operation that was called. */
export const cardAnswers: AnswerDeciders<'AUTHORIZE' | 'CAPTURE' | 'VOID' | 'REVERSE'> = {
  AUTHORIZE: (transaction, call, answer, chargeContext) => {
    // An authorization without the acquirer's id could be neither captured nor taken back.
    if (answer.type === 'DONE' && answer.evidence !== null)
      return authorized(transaction, call, answer.evidence, chargeContext)
    if (answer.type === 'REFUSED') return refused(call, answer.refusal, chargeContext)
    if (answer.type === 'UNDONE')
      return refused(call, { reason: 'ERROR', message: answer.message }, chargeContext)
    const isFirst = transaction.status === 'CREATED'
    return {
      ...providerSilent(call, chargeContext, answer),
      type: isFirst ? 'AuthorizationPending' : 'ProviderSilent',
    }
  },
  CAPTURE: (transaction, call, answer, chargeContext) => {
    if (answer.type === 'DONE') return captured(transaction, call, chargeContext)
    // An acquirer that took a captured sale back has nothing left to capture.
    if (answer.type === 'UNDONE')
      return { type: 'CardVoided', reason: null, callId: call.id, ...chargeContext.fact }
    if (answer.type !== 'REFUSED') return providerSilent(call, chargeContext, answer)
    return { type: 'CaptureRefused', callId: call.id, message: answer.refusal.message, ...chargeContext.fact }
  },
  VOID: (_, call, answer, chargeContext) => {
    const fact = { callId: call.id, ...chargeContext.fact }
    if (answer.type === 'DONE') return { type: 'CardVoided', reason: call.reason, ...fact }
    if (answer.type !== 'REFUSED') return providerSilent(call, chargeContext, answer)
    return { type: 'VoidRefused', message: answer.refusal.message, ...fact }
  },
  // A reversal that is refused has nothing left to reverse.
  REVERSE: (_, call, answer, chargeContext) =>
    answer.type === 'DONE' || answer.type === 'REFUSED'
      ? { type: 'AuthorizationReversed', callId: call.id, ...chargeContext.fact }
      : providerSilent(call, chargeContext, answer),
}

/** Takes back an authorization whose outcome is unknown. */
export const timeOutAuthorization: ExistingChargeDecider<TimeOutAuthorization> = (
  transaction,
  _,
  chargeContext,
) => {
  const call = authorizationOf(transaction)
  if (transaction.status !== 'PROCESSING' || call === undefined)
    return invalidState(transaction, ['PROCESSING'])
  const { amountCents } = call
  const reversal = newCall(transaction.version + 2, { operation: 'REVERSE', amountCents }, chargeContext)
  return accept<TransactionFact>(
    { type: 'AuthorizationTimedOut', callId: call.id, ...chargeContext.fact },
    { type: 'ProviderCalled', call: reversal, ...chargeContext.fact },
  )
}

/** The Sandbox decides in place of the acquirer (decisions, section 29). */
export const resolveAuthorization: ChargeDecider<ResolveAuthorization> = (
  transaction,
  command,
  chargeContext,
) => {
  if (transaction === undefined || cardOf(transaction) === null) return rejectNotFound('card_payment')
  const call = authorizationOf(transaction)
  if (transaction.status !== 'PROCESSING' || call === undefined)
    return invalidState(transaction, ['PROCESSING'])
  switch (command.result) {
    case 'APPROVED':
      return accept(authorized(transaction, call, fakeAcquirerData(chargeContext.context), chargeContext))
    case 'DECLINED': {
      const code = command.providerCode
      const message = `declined with ${code}`
      const refusal = { reason: 'DECLINED', ...declines[code], code, message, nsu: null, tid: null } as const
      return accept(refused(call, refusal, chargeContext))
    }
    case 'FAILED':
      return accept(refused(call, { reason: 'ERROR', message: 'the Sandbox was told so' }, chargeContext))
  }
}

/** The call that authorizes the payment; undefined when it never had one. */
export const authorizationOf = ({ calls }: Transaction): ProviderCall | undefined =>
  calls.find(({ operation }) => operation === 'AUTHORIZE')

/** Acquirer-like numbers for payments that no acquirer has seen. */
export const fakeAcquirerData = ({ entropy }: Context): AcquirerData => {
  return {
    nsu: randomDigits(6, entropy),
    tid: randomDigits(20, entropy),
    authorizationCode: randomDigits(6, entropy),
    returnCode: '00',
    message: 'approved',
  }
}

const authorized = (
  transaction: Transaction,
  call: ProviderCall,
  acquirer: AcquirerData,
  chargeContext: ChargeContext,
): TransactionFact => {
  const fact = { callId: call.id, acquirer, ...chargeContext.fact }
  if (!cardOf(transaction)!.captures)
    return { type: 'CardAuthorized', expiresAtMs: chargeContext.context.nowMs + authorizationMs, ...fact }
  return { type: 'CardApproved', ...fact, ...receivablesOf(transaction, call.amountCents, chargeContext) }
}

const captured = (
  transaction: Transaction,
  call: ProviderCall,
  chargeContext: ChargeContext,
): TransactionFact => ({
  type: 'CardCaptured',
  callId: call.id,
  capturedCents: call.amountCents,
  ...chargeContext.fact,
  ...receivablesOf(transaction, call.amountCents, chargeContext),
})

const receivablesOf = (transaction: Transaction, capturedCents: Cents, chargeContext: ChargeContext) => {
  const { installments } = cardOf(transaction)!
  const feeCents = feeOn(capturedCents, transaction.method, transaction.feeTerms)
  return {
    feeCents,
    receivables: inBatches(capturedCents, feeCents, installments, transaction, chargeContext),
  }
}

const refused = (
  call: ProviderCall,
  refusal: ProviderRefusal,
  chargeContext: ChargeContext,
): TransactionFact => {
  const fact = { callId: call.id, ...chargeContext.fact }
  const { message } = refusal
  switch (refusal.reason) {
    case 'DECLINED': {
      const { failureReason, retryable, code, nsu, tid } = refusal
      const acquirer = { nsu, tid, authorizationCode: null, returnCode: code, message }
      const failureDetail = { providerCode: code, message, retryable }
      return { type: 'CardDeclined', acquirer, failureReason, failureDetail, ...fact }
    }
    case 'ANTIFRAUD': {
      const acquirer = { nsu: null, tid: null, authorizationCode: null, returnCode: 'AF', message }
      const failureDetail = { providerCode: null, message, retryable: false }
      return { type: 'CardDeclined', acquirer, failureReason: 'ANTIFRAUD_DECLINED', failureDetail, ...fact }
    }
    case 'REGISTRATION_REJECTED':
    case 'ERROR':
      return { type: 'ChargeRefused', failureReason: 'PROVIDER_ERROR', failureDetail: null, ...fact }
  }
}
