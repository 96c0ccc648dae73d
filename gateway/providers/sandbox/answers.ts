import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import { scenarioOf } from '../../../engine/sandbox/scenarios.ts'

/** Sandbox providers that take their time decide after this long (decisions, section 29). */
const decidesAfterMs = 5_000

/** Whether a call has been open long enough for a slow Sandbox provider to decide. */
export const isDecided = ({ openedAtMs, nowMs }: Pick<ProviderRequest, 'openedAtMs' | 'nowMs'>): boolean =>
  nowMs - openedAtMs >= decidesAfterMs

/** A refusal: the provider cannot do this, and nothing was done. */
export const refusedWith = (message: string): ProviderAnswer => ({
  type: 'REFUSED',
  refusal: { reason: 'ERROR', message },
})

/** How a slow rail answers a refund; null if the rail confirms at once. */
export const refundAnswer = (request: ProviderRequest): ProviderAnswer | null => {
  const scenario = scenarioOf(request)
  if (scenario !== 'refund_fails' && scenario !== 'refund_slow') return null
  if (!isDecided(request)) return { type: 'PENDING' }
  return scenario === 'refund_slow' ? null : refusedWith('the refund was refused')
}
