import type { Provider } from '../../../engine/payments/provider.ts'
import { refundAnswer } from './refund.ts'

/** The PIX rail: it returns money, and confirms at once unless a Sandbox scenario says otherwise. */
export const sandboxPsp: Provider = {
  ask: async (request) =>
    refundAnswer(request) ?? {
      type: 'DONE',
      nsu: null,
      tid: null,
      authorizationCode: null,
      returnCode: '00',
      message: 'returned',
    },
}
