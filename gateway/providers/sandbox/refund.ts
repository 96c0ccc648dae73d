import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import { scenarioOf } from '../../../engine/sandbox/scenarios.ts'
import { decidesAfterMs } from './decides-after.ts'

/** What a rail that takes its time says to a refund; null where it confirms at once. */
export const refundAnswer = (request: ProviderRequest): ProviderAnswer | null => {
  const scenario = scenarioOf(request)
  if (scenario !== 'refund_fails' && scenario !== 'refund_slow') return null
  if (request.nowMs - request.openedAtMs < decidesAfterMs) return { type: 'PENDING' }
  if (scenario === 'refund_slow') return null
  return { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'the refund was refused' } }
}
