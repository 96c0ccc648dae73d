import { earliestOf, type Timer } from '../../kernel/due-work.ts'
import { methodOf } from '../methods/index.ts'
import { hasCodeAtBank } from '../methods/pix/pix.ts'
import { timer } from './due-work.ts'
import type { Transaction } from './transaction.ts'

/** What the clock will do to a transaction next. Derived from its state, so a restart has nothing to re-arm. */
export const nextTransactionTimer = (transaction: Transaction): Timer | null =>
  earliestOf([...methodOf(transaction).dueWork(transaction), expires(transaction), asksAgain(transaction)])

const expires = (transaction: Transaction): Timer | null => {
  const { status, expiresAtMs, calls } = transaction
  if (status !== 'PENDING' && status !== 'AUTHORIZED') return null
  // Whether one is over that a bank has registered, the bank says.
  if (hasCodeAtBank(transaction)) return null
  // A capture or void is under way: its answer decides first.
  if (expiresAtMs === null || calls.length > 0) return null
  return timer(transaction, expiresAtMs, { type: 'ExpireCharge', method: null })
}

/** The earliest repeat of an unanswered call. */
const asksAgain = (transaction: Transaction): Timer | null =>
  earliestOf(
    transaction.calls.map(({ id: callId, dueAtMs }) =>
      dueAtMs === null ? null : timer(transaction, dueAtMs, { type: 'CallAgain', callId }),
    ),
  )
