import type { Provider } from '../provider.ts'
import { refundAnswer, refusedWith } from '../sandbox/answers.ts'

/** The Sandbox's PIX provider: it returns money, and confirms at once unless a scenario says otherwise. */
export const sandboxPsp: Provider = {
  name: 'sandbox-psp',
  label: 'Sandbox PSP',
  rails: ['PIX'],
  request: async (request) =>
    request.operation === 'REFUND'
      ? (refundAnswer(request) ?? { type: 'DONE', evidence: null })
      : refusedWith('a PSP only returns money'),
}
