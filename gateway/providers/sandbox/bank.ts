import type { Bank } from '../../../engine/providers.ts'

/** No bank has this code: what is sent there comes back (decisions, section 29). */
const refusedBankCode = '000'

/** Pays at once. It remembers nothing: what it answers follows from the request, so asking again gives the same. */
export const sandboxBank: Bank = {
  ask: async ({ bank }) => ({ type: bank.bankCode === refusedBankCode ? 'REFUSED' : 'DONE' }),
}
