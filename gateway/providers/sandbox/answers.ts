import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import { scenarioOf } from '../../../engine/sandbox/scenarios.ts'

/** What the Sandbox's providers take their time for is decided after this (decisions, section 29). */
const decidesAfterMs = 5_000

export const isDecided = ({ openedAtMs, nowMs }: ProviderRequest): boolean =>
  nowMs - openedAtMs >= decidesAfterMs

/** It cannot do this, and has done nothing. */
export const refused = (message: string): ProviderAnswer => ({
  type: 'REFUSED',
  refusal: { reason: 'ERROR', message },
})

/** What a rail that takes its time says to a refund; null where it confirms at once. */
export const refundAnswer = (request: ProviderRequest): ProviderAnswer | null => {
  const scenario = scenarioOf(request)
  if (scenario !== 'refund_fails' && scenario !== 'refund_slow') return null
  if (!isDecided(request)) return { type: 'PENDING' }
  return scenario === 'refund_slow' ? null : refused('the refund was refused')
}
