import { earliestOf, type Timer } from '../../kernel/due-work.ts'
import { methodOf } from '../methods/index.ts'
import { timer } from './due-work.ts'
import type { Transaction } from './transaction.ts'

/** What the clock will do to a transaction next, derived from its state: after a restart nothing has to be re-armed. */
export const nextTransactionTimer = (transaction: Transaction): Timer | null =>
  earliestOf([...methodOf(transaction).dueWork(transaction), expires(transaction), asksAgain(transaction)])

const expires = (transaction: Transaction): Timer | null => {
  const { status, expiresAtMs, calls } = transaction
  if (status !== 'PENDING' && status !== 'AUTHORIZED') return null
  // The acquirer is asked to capture or void: its answer decides first.
  if (expiresAtMs === null || calls.length > 0) return null
  return timer(transaction, expiresAtMs, { type: 'ExpireCharge', method: null })
}

/** The earliest call that nobody answered. */
const asksAgain = (transaction: Transaction): Timer | null =>
  earliestOf(
    transaction.calls.map(({ id: callId, dueAtMs }) =>
      dueAtMs === null ? null : timer(transaction, dueAtMs, { type: 'CallAgain', callId }),
    ),
  )
