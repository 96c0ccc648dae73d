import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { ProviderAnswer } from '../../../engine/payments/provider.ts'
import type { Provider } from '../provider.ts'
import { refundAnswer, refusedWith } from '../sandbox/answers.ts'

/** The Sandbox's PIX provider: it returns money, and confirms at once unless a scenario says otherwise. */
export const sandboxPsp = {
  name: 'sandbox-psp',
  label: 'Sandbox PSP',
  rails: ['PIX'],
  request: async (request: ProviderCallRequest): Promise<ProviderAnswer> =>
    request.operation === 'REFUND'
      ? (refundAnswer(request) ?? { type: 'DONE', evidence: null })
      : refusedWith('a PSP only returns money'),
} satisfies Provider
