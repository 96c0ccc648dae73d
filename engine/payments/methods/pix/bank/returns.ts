import { accept } from '../../../../kernel/decision.ts'
import type { Timer } from '../../../../kernel/due-work.ts'
import { dayMs } from '../../../../shared/calendar.ts'
import type { ReceivedPixId } from '../../../../shared/ids.ts'
import type { Cents } from '../../../../shared/money.ts'
import { toReturnCents } from '../../../transaction/amounts.ts'
import { type AnswerDeciders, providerSilent } from '../../../transaction/calls.ts'
import {
  type ChargeContext,
  type ExistingChargeDecider,
  invalidState,
  newCall,
  rejectNotFound,
} from '../../../transaction/charge-context.ts'
import { timer } from '../../../transaction/due-work.ts'
import type { ProviderCalled, TransactionFact } from '../../../transaction/facts.ts'
import type { ReturningPix, Transaction } from '../../../transaction/transaction.ts'
import type { RepeatReturn } from '../commands.ts'
import { returnOf } from '../evolve.ts'
import type { ReturnRefused } from '../facts.ts'

/** A refused return is begun once more on each of the next three days (rails, section 2.3). */
export const returnAttemptsMax = 4

/** The call that sends a PIX back. */
export const returnCall = (
  version: number,
  { receivedPixId }: { readonly receivedPixId: ReceivedPixId },
  amountCents: Cents,
  chargeContext: ChargeContext,
): ProviderCalled => ({
  type: 'ProviderCalled',
  call: newCall(version, { operation: 'RETURN', amountCents, receivedPixId }, chargeContext),
  ...chargeContext.fact,
})

/** Decides what a bank's answer to a return means. */
export const returnAnswers: AnswerDeciders<'RETURN'> = {
  RETURN: (transaction, call, answer, chargeContext) => {
    const returned = returnOf(transaction, call.receivedPixId!)!
    const { receivedPixId } = returned
    switch (answer.type) {
      case 'RETURNED':
      case 'DONE': {
        const returnId = answer.type === 'RETURNED' ? answer.returnId : null
        return { type: 'ReturnCompleted', receivedPixId, callId: call.id, returnId, ...chargeContext.fact }
      }
      case 'REFUSED':
        return returnRefused(returned, call.id, answer.refusal.message, chargeContext)
      case 'UNDONE':
        return returnRefused(returned, call.id, answer.message, chargeContext)
      default:
        return providerSilent(call, chargeContext, answer)
    }
  },
}

/** The bank did not send the money: it is asked another day, and after the last one the money stays in `suspense`. */
export const returnRefused = (
  { receivedPixId, attempts }: ReturningPix,
  callId: string | null,
  message: string,
  { context, fact }: ChargeContext,
): ReturnRefused => ({
  type: 'ReturnRefused',
  receivedPixId,
  callId,
  message,
  retryAtMs: attempts < returnAttemptsMax ? context.nowMs + dayMs : null,
  ...fact,
})

/** Begins another attempt at a return, by an id that the bank has not seen. A person may begin one after the last. */
export const repeatReturn: ExistingChargeDecider<RepeatReturn> = (
  transaction,
  { receivedPixId, by },
  chargeContext,
) => {
  const returned = returnOf(transaction, receivedPixId)
  if (returned === undefined) return rejectNotFound('received_pix')
  const isWanted = returned.status === 'FAILED' && by.kind === 'PERSON'
  if (returned.retryAtMs === null && !isWanted) return invalidState(returned, ['FAILED'])
  return accept<TransactionFact>(
    { type: 'ReturnRepeated', receivedPixId, ...chargeContext.fact },
    returnCall(transaction.version + 2, returned, toReturnCents(returned), chargeContext),
  )
}

/** Due when a refused return is to be begun once more. */
export const returnTimers = (transaction: Transaction): readonly Timer[] =>
  (transaction.reversals.returns ?? []).flatMap(({ receivedPixId, retryAtMs }) =>
    retryAtMs === null ? [] : [timer(transaction, retryAtMs, { type: 'RepeatReturn', receivedPixId })],
  )

/** Whether the bank knows one of the attempts at a return by this id. */
export const isReferenceOf = (returned: ReturningPix, id: string): boolean =>
  Array.from({ length: returned.attempts }, (_, n) =>
    returnReference({ ...returned, attempts: n + 1 }),
  ).includes(id)

/** The id of an attempt at a return: the first has that of the PIX, and each later one its number behind it. */
export const returnReference = ({ receivedPixId, attempts }: ReturningPix): string => {
  const ulid = receivedPixId.slice(receivedPixId.indexOf('_') + 1)
  return attempts === 1 ? ulid : ulid + attempts
}
