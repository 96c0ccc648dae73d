import type { Timer } from '../../../../kernel/due-work.ts'
import type { Transaction } from '../../../transaction/transaction.ts'
import { expiryAtBankTimer } from './charge-state.ts'
import { registrationTimer } from './register.ts'
import { returnTimers } from './returns.ts'

/** What the clock does to a charge at a bank: it asks. Only the bank's word decides about money that the bank holds. */
export const bankTimers = (transaction: Transaction): readonly (Timer | null)[] => [
  ...returnTimers(transaction),
  registrationTimer(transaction),
  expiryAtBankTimer(transaction),
]
