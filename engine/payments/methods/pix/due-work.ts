import type { Timer } from '../../../kernel/due-work.ts'
import { timer } from '../../transaction/due-work.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import { bankTimers } from './bank/due-work.ts'

/** What the clock does to a PIX. Of one at a bank it decides nothing, not even a MED. */
export const pixTimers = (transaction: Transaction): readonly (Timer | null)[] =>
  transaction.connectionId === null ? medTimers(transaction) : bankTimers(transaction)

/** An open MED is accepted when its analysis time ends. */
const medTimers = (transaction: Transaction): readonly Timer[] => {
  const med = transaction.reversals.meds.find(({ status }) => status === 'OPEN')
  if (med === undefined) return []
  const command = { type: 'CloseMed', reversalId: med.id, result: 'ACCEPTED', returnedCents: null } as const
  return [timer(transaction, med.analysisDueAtMs, command)]
}
