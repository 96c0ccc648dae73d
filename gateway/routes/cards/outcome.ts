import type { ProviderOperation, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { type Problem, problem, unavailable } from '../../http/problem.ts'

/** What an acquirer made of a capture or a void, where it is not what was asked for. */

const isAsked = ({ calls }: Transaction, operation: ProviderOperation): boolean =>
  calls.some((call) => call.operation === operation)

export const isCapturing = (transaction: Transaction): boolean => isAsked(transaction, 'CAPTURE')
export const isVoiding = (transaction: Transaction): boolean => isAsked(transaction, 'VOID')

/** The acquirer is silent. It is asked again until it answers. */
export const unknownOutcome = (what: 'capture' | 'void'): Problem => ({
  ...unavailable,
  detail: ({ details }) => (what === 'capture' ? details.captureUnknown : details.voidUnknown),
})

export const captureFailed = (transaction: Transaction): Problem => {
  const message = lastMessage(transaction)
  return problem('CAPTURE_FAILED', (say) => say.details.captureRefused(message), {
    extra: { failureReason: 'PROVIDER_ERROR' },
  })
}

export const voidRefused = (transaction: Transaction): Problem => {
  const message = lastMessage(transaction)
  return problem('INVALID_STATE', (say) => say.details.voidRefused(message), {
    extra: { currentStatus: transaction.status, allowedStatuses: ['AUTHORIZED'] },
  })
}

/** The acquirer's own words; null where it gave none. */
const lastMessage = ({ timeline }: Transaction): string | null => {
  const message = timeline.findLast(({ data }) => data.message !== undefined)?.data.message
  return message === undefined ? null : String(message)
}
