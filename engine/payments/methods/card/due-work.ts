import type { Timer } from '../../../kernel/due-work.ts'
import { timer } from '../../transaction/due-work.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import { reviewMs } from './chargeback.ts'
import { authorizationOf, authorizationUnknownMs } from './payment.ts'

/** Longer than any provider may take to answer: after this nobody will hear the answer any more. */
const answerLostMs = 60_000

/**
 * An authorization that has been unknown for too long. While a question is on its way its answer comes first: an acquirer that hears it after the reversal would authorize
 * again, and nobody would take that back.
 */
export const givesUp = (transaction: Transaction): Timer | null => {
  const call = authorizationOf(transaction)
  if (transaction.status !== 'PROCESSING' || call === undefined) return null
  const unknownAtMs = call.openedAtMs + authorizationUnknownMs
  const lostAtMs = transaction.updatedAtMs + answerLostMs
  const atMs = call.dueAtMs === null ? Math.max(unknownAtMs, lostAtMs) : unknownAtMs
  return timer(transaction, atMs, { type: 'GiveUpAuthorization' })
}

/** A chargeback that nobody defends in time, or that the network does not decide in time, is lost. */
export const chargebackEnds = (transaction: Transaction): Timer | null => {
  const [chargeback] = transaction.reversals.chargebacks
  if (chargeback === undefined) return null
  const resolve = (atMs: number, result: 'WON' | 'LOST') =>
    timer(transaction, atMs, { type: 'ResolveChargeback', reversalId: chargeback.id, result })
  if (chargeback.status === 'OPEN') return resolve(chargeback.defenseDueAtMs + 1, 'LOST')
  if (chargeback.status !== 'UNDER_REVIEW') return null
  return resolve(chargeback.defense!.submittedAtMs + reviewMs, 'LOST')
}
