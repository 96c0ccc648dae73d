import { refusedBankCode } from '../../../engine/sandbox/scenarios.ts'
import type { Provider } from '../provider.ts'
import { refused } from '../sandbox/answers.ts'

/**
 * The Sandbox's bank: boletos are issued in its name without asking it, and it pays recipients at once. It remembers nothing:
 * what it answers follows from the request, so asking again gives the same.
 */
export const sandboxBank: Provider = {
  name: 'sandbox-bank',
  label: 'Sandbox bank',
  rails: ['BOLETO', 'PAYOUT'],
  request: async (request) => {
    if (request.operation !== 'PAY_OUT') return refused('a bank only pays out')
    return request.bank.bankCode === refusedBankCode
      ? refused('no such bank')
      : { type: 'DONE', evidence: null }
  },
}
