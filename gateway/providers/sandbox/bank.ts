import type { Bank } from '../../../engine/payouts/bank.ts'
import { refusedBankCode } from '../../../engine/sandbox/scenarios.ts'

/** Pays at once. It remembers nothing: what it answers follows from the request, so asking again gives the same. */
export const sandboxBank: Bank = {
  ask: async ({ bank }) => ({ type: bank.bankCode === refusedBankCode ? 'REFUSED' : 'DONE' }),
}
