import type { Provider } from '../provider.ts'
import { refused } from '../sandbox/answers.ts'

/** Processes the crypto transactions that are seeded: there are no others, so it is asked nothing. */
export const sandboxChain: Provider = {
  name: 'sandbox-chain',
  label: 'Sandbox chain',
  rails: ['CRYPTO'],
  request: async () => refused('nothing is asked of a chain'),
}
