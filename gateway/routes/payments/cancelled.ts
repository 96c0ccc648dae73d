import { isAtBank } from '../../../engine/payments/methods/pix/pix.ts'
import { cancellable } from '../../../engine/payments/transaction/charge-context.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { type Problem, problem, unavailable } from '../../problems/problem.ts'
import { isAsked, isVoiding, unknownOutcome, voidRefused } from './cards/capture-and-void-problems.ts'

/** Why a cancellation is not done, by what its provider said; null if it is. */
export const cancellationProblem = (transaction: Transaction): Problem | null => {
  const { status } = transaction
  if (status === 'CANCELLED') return null
  if (!isAtBank(transaction))
    return isVoiding(transaction) ? unknownOutcome('void') : voidRefused(transaction)
  if (isAsked(transaction, 'CANCEL'))
    return { ...unavailable, detail: ({ details }) => details.bankCancellationUnknown }
  const extra = { extra: { currentStatus: status, allowedStatuses: cancellable } }
  if (!cancellable.includes(status))
    return problem('INVALID_STATE', (say) => say.details.invalidState(status, cancellable), extra)
  return problem('INVALID_STATE', (say) => say.details.bankCancellationRefused, extra)
}
