import type { MandateAnswer } from '../../engine/billing/mandate/mandate-request.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { KeyAnswer } from '../../engine/money-out/lookups/key-lookup.ts'
import { ownerChanged } from '../../engine/money-out/methods/bank-request.ts'
import { type DeclineReason, declines } from '../../engine/payments/methods/card/decline-codes.ts'
import { type PixAtBank, payerAtBank } from '../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer, ProviderRefusal } from '../../engine/payments/provider.ts'
import type { TransferAnswer } from '../../engine/payments/sent-money.ts'
import { unreachable } from '../../engine/shared/assert.ts'
import type { Evidence, PixReceived, ProviderOutcome, Refusal } from './port.ts'

/** What the engine is told about a call: of a payment, a transfer, or a PIX key. */
export type AnyAnswer = MandateAnswer | ProviderAnswer | TransferAnswer | KeyAnswer

/** What an outcome means to the engine, which knows the call by what it asked for. */
export const answerOf = (
  { operation }: Pick<ProviderCallRequest, 'operation'>,
  outcome: ProviderOutcome,
): AnyAnswer => {
  switch (outcome.type) {
    case 'DONE':
      return doneAnswer(operation, outcome.evidence)
    case 'REFUSED':
      return refusedAnswer(operation, outcome.refusal)
    case 'UNDONE':
      return undoneAnswer(operation, outcome)
    case 'PENDING':
      return pendingAnswer(operation, outcome.evidence, outcome.againInMs)
    // Less than the amount does not do: no ask says that it would.
    case 'PARTIAL':
      return silentAnswer
    case 'SILENT':
      return sending.has(operation) ? silenceOf(outcome) : silentAnswer
    default:
      return unreachable(outcome)
  }
}

/** No answer, or none that can be believed. */
export const silentAnswer = { type: 'SILENT' } as const

/** What a silence says of money that was to be sent: whether its bank can be asked about it no more, and by which number it can. */
const silenceOf = ({ isLost, bankNumber }: Silence): TransferAnswer => ({
  type: 'SILENT',
  ...(isLost === true && { isLost }),
  ...(bankNumber !== undefined && { bankNumber }),
})

type Silence = Extract<ProviderOutcome, { readonly type: 'SILENT' }>

type Operation = ProviderCallRequest['operation']
const sending: ReadonlySet<Operation> = new Set(['PAY_OUT', 'SEND_TRANSFER'])

/** Evidence of another kind than the call needs is none. */
const doneAnswer = (operation: Operation, evidence: Evidence | null): AnyAnswer => {
  switch (operation) {
    case 'AUTHORIZE': {
      if (evidence?.kind !== 'CARD') return { type: 'DONE', evidence: null }
      const { nsu, tid, authorizationCode, returnCode, message } = evidence
      return { type: 'DONE', evidence: { nsu, tid, authorizationCode, returnCode, message } }
    }
    case 'FIND_KEY':
      return evidence?.kind === 'KEY' ? { type: 'FOUND', owner: evidence.owner } : silentAnswer
    case 'OPEN_ADDRESS': {
      if (evidence?.kind !== 'ADDRESS') return silentAnswer
      const { address, uri } = evidence
      return { type: 'OPENED', address, uri }
    }
    case 'QUOTE': {
      if (evidence?.kind !== 'QUOTE') return silentAnswer
      const { midRateMicros, rateMicros, spreadBps, taxCents } = evidence
      return { type: 'QUOTED', midRateMicros, rateMicros, spreadBps, taxCents }
    }
    case 'SEND':
      return evidence?.kind === 'CHAIN' ? { type: 'CONFIRMED', txHash: evidence.txHash } : silentAnswer
    case 'PAY_OUT':
    case 'SEND_TRANSFER': {
      if (evidence?.kind !== 'PIX') return { type: 'DONE' }
      const { endToEndId, tariffCents } = evidence
      return { type: 'DONE', endToEndId, ...(tariffCents !== undefined && { tariffCents }) }
    }
    case 'REGISTER': {
      if (evidence?.kind !== 'PIX_CHARGE') return silentAnswer
      const { copyPaste, location, createdAtMs } = evidence
      return { type: 'REGISTERED', copyPaste, location, createdAtMs }
    }
    case 'READ_CHARGE':
      return evidence?.kind === 'CHARGE_STATE' ? chargeState(evidence) : silentAnswer
    case 'CANCEL':
      return evidence?.kind === 'CHARGE_STATE' ? chargeState(evidence) : { type: 'DONE', evidence: null }
    case 'RETURN':
    case 'RETURN_SUSPENSE':
    case 'REFUND':
      return evidence?.kind === 'PIX'
        ? { type: 'RETURNED', returnId: evidence.returnId }
        : { type: 'DONE', evidence: null }
    case 'CAPTURE':
    case 'VOID':
    case 'REVERSE':
    case 'CONVERT':
    case 'DEFEND_MED':
      return { type: 'DONE', evidence: null }
    case 'MANDATE_CREATE':
      if (evidence?.kind !== 'MANDATE' || evidence.mandateId === null) return silentAnswer
      return { type: 'DONE', idRec: evidence.mandateId, copyPaste: evidence.copyPaste }
    case 'MANDATE_CANCEL':
    case 'SCHEDULE':
    case 'RESCHEDULE':
    case 'UNSCHEDULE':
      return { type: 'DONE', idRec: null, copyPaste: null }
    default:
      return unreachable(operation)
  }
}

const chargeState = ({
  status,
  payments,
}: Extract<Evidence, { readonly kind: 'CHARGE_STATE' }>): AnyAnswer => ({
  type: 'CHARGE_STATE',
  status,
  payments: payments.map(pixAtBank),
})

/** A PIX as the engine books it: who paid is a payer of whom the bank says no more than that. */
export const pixAtBank = ({
  endToEndId,
  amountCents,
  componentsCents,
  paidAtMs,
  payer,
  taxWithheldCents,
}: PixReceived): PixAtBank => ({
  endToEndId,
  amountCents,
  componentsCents,
  paidAtMs,
  payer: payer && payerAtBank(payer, endToEndId),
  ...(taxWithheldCents && { taxWithheldCents }),
})

const refusedAnswer = (operation: Operation, refusal: Refusal): AnyAnswer => {
  const { reason, message, network, provider } = refusal
  switch (operation) {
    case 'FIND_KEY':
      return reason === 'KEY_NOT_FOUND' ? { type: 'NOT_FOUND' } : silentAnswer
    case 'PAY_OUT':
    case 'SEND_TRANSFER':
      return {
        type: 'REFUSED',
        code: reason === 'BENEFICIARY_CHANGED' ? ownerChanged : (network?.code ?? provider?.code ?? null),
      }
    case 'MANDATE_CREATE':
    case 'MANDATE_CANCEL':
    case 'SCHEDULE':
    case 'RESCHEDULE':
    case 'UNSCHEDULE':
      return { type: 'REFUSED', code: network?.code ?? null }
    case 'QUOTE':
    case 'CONVERT':
    case 'SEND':
      return { type: 'REFUSED', refusal: { reason: 'ERROR', message: reason } }
    case 'AUTHORIZE':
      return { type: 'REFUSED', refusal: paymentRefusal(refusal) }
    case 'REGISTER':
      return { type: 'REFUSED', refusal: registrationRefusal(refusal) }
    case 'REFUND':
    case 'RETURN':
    case 'RETURN_SUSPENSE':
    case 'CANCEL':
    case 'DEFEND_MED':
      return { type: 'REFUSED', refusal: { reason: 'ERROR', message: refusal.provider?.message ?? message } }
    default:
      return { type: 'REFUSED', refusal: { reason: 'ERROR', message } }
  }
}

/** What the bank says of it is what the merchant has to read: which field it did not like. */
const registrationRefusal = ({ reason, message, provider }: Refusal): ProviderRefusal =>
  reason === 'REGISTRATION_REJECTED'
    ? { reason, code: provider?.code ?? null, message: provider?.message ?? message }
    : { reason: 'ERROR', message: provider?.message ?? message }

const paymentRefusal = ({
  reason,
  message,
  network,
  provider,
  retryOn,
  attempt,
}: Refusal): ProviderRefusal => {
  if (reason === 'ANTIFRAUD_DECLINED') return { reason: 'ANTIFRAUD', message }
  if (!isDeclineReason(reason)) return { reason: 'ERROR', message }
  return {
    reason: 'DECLINED',
    failureReason: reason,
    retryable: retryOn !== 'NONE',
    code: network?.code ?? provider?.code ?? '',
    message,
    nsu: attempt?.nsu ?? null,
    tid: attempt?.tid ?? null,
  }
}

const declineReasons: ReadonlySet<string> = new Set(
  Object.values(declines).map(({ failureReason }) => failureReason),
)

const isDeclineReason = (reason: Refusal['reason']): reason is DeclineReason => declineReasons.has(reason)

const undoneAnswer = (
  operation: Operation,
  { how, message }: Extract<ProviderOutcome, { readonly type: 'UNDONE' }>,
): AnyAnswer => {
  switch (operation) {
    // What a network dropped, and a conversion that was taken back, never happened.
    case 'SEND':
      return { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'DROPPED' } }
    case 'CONVERT':
      return { type: 'REFUSED', refusal: { reason: 'ERROR', message } }
    case 'PAY_OUT':
    case 'SEND_TRANSFER':
      return { type: 'UNDONE', hadArrived: how === 'RETURNED' }
    // A charge that was cancelled at the bank is not there: another way to pay takes its place.
    case 'SCHEDULE':
      return { type: 'REFUSED', code: null }
    case 'AUTHORIZE':
    case 'CAPTURE':
    case 'REFUND':
    case 'REGISTER':
    case 'RETURN':
    case 'RETURN_SUSPENSE':
      return { type: 'UNDONE', message }
    // A void or a reversal that was taken back would be an authorization again: nothing of it is sure.
    default:
      return silentAnswer
  }
}

const pendingAnswer = (
  operation: Operation,
  evidence: Evidence | null,
  asksAgainInMs: number | null,
): AnyAnswer => {
  if (operation === 'FIND_KEY') return silentAnswer
  if (operation === 'SEND' && evidence?.kind === 'CHAIN')
    return { type: 'SENT', txHash: evidence.txHash, asksAgainInMs }
  if (sending.has(operation) && evidence?.kind === 'PIX') {
    const { endToEndId, bankNumber } = evidence
    return { type: 'PENDING', asksAgainInMs, endToEndId, ...(bankNumber !== undefined && { bankNumber }) }
  }
  return { type: 'PENDING', asksAgainInMs }
}
