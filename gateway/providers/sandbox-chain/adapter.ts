import type { Provider } from '../provider.ts'
import { refusedWith } from '../sandbox/answers.ts'

/** Processes seeded crypto transactions. There are no others, so it is never called. */
export const sandboxChain: Provider = {
  name: 'sandbox-chain',
  label: 'Sandbox chain',
  rails: ['CRYPTO'],
  request: async () => refusedWith('nothing is asked of a chain'),
}
