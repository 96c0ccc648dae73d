import type { Timer } from '../../../kernel/due-work.ts'
import { isUndecided } from '../../transaction/amounts.ts'
import { timer } from '../../transaction/due-work.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import { reviewMs } from './chargeback.ts'
import { authorizationOf, authorizationUnknownMs } from './payment.ts'

/** Longer than any provider may take: after this long, an unanswered call is considered lost. */
const answerLostMs = 60_000

/**
 * Due when an authorization has been unknown for too long. A call under way is answered first: an acquirer that
 * received it after the reversal would authorize again, and that would never be taken back.
 */
export const authorizationTimer = (transaction: Transaction): Timer | null => {
  const call = authorizationOf(transaction)
  if (transaction.status !== 'PROCESSING' || call === undefined) return null
  const unknownAtMs = call.openedAtMs + authorizationUnknownMs
  const lostAtMs = transaction.updatedAtMs + answerLostMs
  const atMs = call.dueAtMs === null ? Math.max(unknownAtMs, lostAtMs) : unknownAtMs
  return timer(transaction, atMs, { type: 'TimeOutAuthorization' })
}

/** A chargeback is lost when it is not defended, or not decided, in time. */
export const chargebackTimer = (transaction: Transaction): Timer | null => {
  const [chargeback] = transaction.reversals.chargebacks
  if (chargeback === undefined || isUndecided(transaction, chargeback)) return null
  const resolve = (atMs: number, result: 'WON' | 'LOST') =>
    timer(transaction, atMs, { type: 'ResolveChargeback', reversalId: chargeback.id, result })
  if (chargeback.status === 'OPEN') return resolve(chargeback.defenseDueAtMs + 1, 'LOST')
  if (chargeback.status !== 'UNDER_REVIEW') return null
  return resolve(chargeback.defense!.submittedAtMs + reviewMs, 'LOST')
}
