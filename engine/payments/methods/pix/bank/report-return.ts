import { contextId } from '../../../../kernel/context.ts'
import { accept, reject } from '../../../../kernel/decision.ts'
import type { ReceivedPixId } from '../../../../shared/ids.ts'
import { toCents } from '../../../../shared/money.ts'
import { keptCents, toReturnCents } from '../../../transaction/amounts.ts'
import type {
  ChargeContext,
  ExistingChargeDecider,
  TransactionDecision,
} from '../../../transaction/charge-context.ts'
import type { TransactionFact } from '../../../transaction/facts.ts'
import { refundCompleted } from '../../../transaction/reversal.ts'
import type { Med, Refund, ReturningPix, Transaction } from '../../../transaction/transaction.ts'
import type { ReportReturn } from '../commands.ts'
import { analysisMs } from '../med.ts'
import type { ReturnAtBank } from '../pix.ts'
import { pixRefunds } from '../refunds.ts'
import { isReferenceOf, returnRefused } from './returns.ts'

/**
 * What a bank says of money that went back, or is to: one of our refunds or returns, which it decides; or what was done without us, in the
 * bank's app or by a MED, which has happened and is booked. Whatever is known changes nothing.
 */
export const reportReturn: ExistingChargeDecider<ReportReturn> = (transaction, command, chargeContext) => {
  const { endToEndId, returned } = command
  const { refunds, returns = [] } = transaction.reversals
  const refund = refunds.find(({ id }) => id.slice(id.indexOf('_') + 1) === returned.id)
  if (refund !== undefined) return decideRefund(transaction, refund, returned, chargeContext)
  const going = returns.find((one) => one.endToEndId === endToEndId)
  if (going !== undefined) return decideReturn(transaction, going, returned, chargeContext)
  const isKnown = refunds.some(({ bankReturnId }) => bankReturnId === returned.id)
  if (isKnown || returned.status !== 'DONE') return accept()
  const leftCents = keptCents(transaction)
  if (returned.amountCents > leftCents)
    return reject({ reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: leftCents })
  const reason = returned.nature.startsWith('MED_') ? reasonOfMed(returned) : null
  if (reason === null)
    return accept<TransactionFact>(...refunded(transaction, returned, 'BANK', returned.reason, chargeContext))
  return accept<TransactionFact>(
    ...medAccepted(transaction, returned, reason, chargeContext),
    ...refunded(transaction, returned, 'MED', reason, chargeContext),
  )
}

/** Decides a refund that we asked for. */
const decideRefund = (
  transaction: Transaction,
  refund: Refund,
  { status, returnId, reason, amountCents }: ReturnAtBank,
  chargeContext: ChargeContext,
): TransactionDecision => {
  if (refund.status !== 'PROCESSING' || status === 'PROCESSING') return accept()
  // Another amount than the one that was asked for is no answer to it: a person has to look.
  if (amountCents !== refund.amountCents)
    return reject({ reason: 'AMOUNT_MISMATCH', payableCents: refund.amountCents })
  const callId = transaction.calls.find(({ refundId }) => refundId === refund.id)?.id ?? null
  if (status === 'DONE')
    return accept(refundCompleted(transaction, refund, callId, chargeContext, pixRefunds, returnId))
  return accept<TransactionFact>({
    type: 'RefundFailed',
    refundId: refund.id,
    callId,
    failureReason: 'REFUSED_BY_PROVIDER',
    failureMessage: reason,
    ...chargeContext.fact,
  })
}

/**
 * Decides a return of money that was not kept, by whomever it was made. A part of it may go back in the bank's app or by a MED: then a call for all of
 * it is refused, and the next attempt is about the rest. A call's own answer with another amount is none, and a person has to look.
 */
const decideReturn = (
  transaction: Transaction,
  going: ReturningPix,
  returned: ReturnAtBank,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { receivedPixId, parts = [] } = going
  const { status, returnId, amountCents } = returned
  if (going.status === 'RETURNED' || parts.some(({ bankReturnId }) => bankReturnId === returned.id))
    return accept()
  const callId = callOf(transaction, receivedPixId)
  if (status === 'DONE') {
    const leftCents = toReturnCents(going)
    const isPart = amountCents < leftCents && !isReferenceOf(going, returned.id)
    if (isPart)
      return accept<TransactionFact>({
        type: 'ReturnedInPart',
        receivedPixId,
        bankReturnId: returned.id,
        amountCents,
        ...chargeContext.fact,
      })
    if (amountCents !== leftCents) return reject({ reason: 'AMOUNT_MISMATCH', payableCents: leftCents })
    return accept<TransactionFact>({
      type: 'ReturnCompleted',
      receivedPixId,
      callId,
      returnId,
      ...chargeContext.fact,
    })
  }
  const isOurs = status === 'NOT_DONE' && callId !== null && isReferenceOf(going, returned.id)
  if (!isOurs) return accept()
  return accept(returnRefused(going, callId, returned.reason ?? 'NAO_REALIZADO', chargeContext))
}

const callOf = ({ calls }: Transaction, id: ReceivedPixId): string | null =>
  calls.find(({ receivedPixId }) => receivedPixId === id)?.id ?? null

/** A refund that has happened at the bank. */
const refunded = (
  transaction: Transaction,
  { id: bankReturnId, amountCents, returnId }: ReturnAtBank,
  origin: 'BANK' | 'MED',
  reason: string | null,
  chargeContext: ChargeContext,
): readonly TransactionFact[] => {
  const refundId = contextId(chargeContext.context, 'rfd')
  const { fact } = chargeContext
  return [
    {
      type: 'RefundRequested',
      refundId,
      amountCents,
      origin,
      reason,
      address: null,
      bankReturnId,
      ...fact,
    },
    refundCompleted(
      transaction,
      { id: refundId, amountCents },
      null,
      chargeContext,
      pixRefunds,
      returnId ?? bankReturnId,
    ),
  ]
}

const reasonOfMed = ({ nature }: ReturnAtBank): Med['reason'] =>
  nature === 'MED_OPERATIONAL' ? 'OPERATIONAL_FAILURE' : 'FRAUD'

/** A MED of which the bank has sent money back is accepted. One that was not heard of before is opened for it. */
const medAccepted = (
  { reversals: { meds } }: Transaction,
  { amountCents }: ReturnAtBank,
  reason: Med['reason'],
  { context, fact }: ChargeContext,
): readonly TransactionFact[] => {
  const open = meds.find(({ status }) => status === 'OPEN')
  const medId = open?.id ?? contextId(context, 'med')
  const closed = {
    type: 'MedClosed',
    medId,
    result: 'ACCEPTED',
    returnedCents: amountCents,
    ...fact,
  } as const
  if (open !== undefined) return [closed]
  const med: Med = {
    id: medId,
    amountCents,
    // The money is gone already, whatever the balance is.
    blockedCents: amountCents,
    returnedCents: toCents(0),
    reason,
    status: 'OPEN',
    result: null,
    details: null,
    rootEndToEndId: null,
    openedAtMs: context.nowMs,
    analysisDueAtMs: context.nowMs + analysisMs[reason],
    closedAtMs: null,
  }
  return [{ type: 'MedOpened', med, ...fact }, closed]
}
