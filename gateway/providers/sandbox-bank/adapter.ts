import { refusedBankCode } from '../../../engine/sandbox/scenarios.ts'
import type { Provider } from '../provider.ts'
import { refusedWith } from '../sandbox/answers.ts'

/**
 * The Sandbox's bank. Boletos are issued in its name without asking it, and it pays recipients at once. It is stateless: its
 * answers follow from the request, so that asking again gives the same answer.
 */
export const sandboxBank: Provider = {
  name: 'sandbox-bank',
  label: 'Sandbox bank',
  rails: ['BOLETO', 'PAYOUT'],
  request: async (request) => {
    if (request.operation !== 'PAY_OUT') return refusedWith('a bank only pays out')
    return request.bank.bankCode === refusedBankCode
      ? refusedWith('no such bank')
      : { type: 'DONE', evidence: null }
  },
}
