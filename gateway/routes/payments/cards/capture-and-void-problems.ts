// Routes of cards: payments with capture and void, chargebacks, and the fee table.
import type { ProviderOperation, Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import { type Problem, problem, unavailable } from '../../../problems/problem.ts'

/** The answers to captures and voids that did not go as requested. */

/** Whether its provider is being asked for this. */
export const isAsked = ({ calls }: Transaction, operation: ProviderOperation): boolean =>
  calls.some((call) => call.operation === operation)

/** Whether the acquirer is being asked to capture. */
export const isCapturing = (transaction: Transaction): boolean => isAsked(transaction, 'CAPTURE')
/** Whether the acquirer is being asked to void. */
export const isVoiding = (transaction: Transaction): boolean => isAsked(transaction, 'VOID')

/** The acquirer is silent, and is asked again until it answers. */
export const unknownOutcome = (what: 'capture' | 'void'): Problem => ({
  ...unavailable,
  detail: ({ details }) => (what === 'capture' ? details.captureUnknown : details.voidUnknown),
})

/** 422 for a capture that the acquirer refused, with its message. */
export const captureFailed = (transaction: Transaction): Problem => {
  const message = lastMessage(transaction)
  return problem('CAPTURE_FAILED', (say) => say.details.captureRefused(message), {
    extra: { failureReason: 'PROVIDER_ERROR' },
  })
}

/** 409 for a void that the acquirer refused, with its message. */
export const voidRefused = (transaction: Transaction): Problem => {
  const message = lastMessage(transaction)
  return problem('INVALID_STATE', (say) => say.details.voidRefused(message), {
    extra: { currentStatus: transaction.status, allowedStatuses: ['AUTHORIZED'] },
  })
}

/** The acquirer's own message; null if it gave none. */
const lastMessage = ({ timeline }: Transaction): string | null => {
  const message = timeline.findLast(({ data }) => data.message !== undefined)?.data.message
  return message === undefined ? null : String(message)
}
