import { post } from '../core/api.ts'
import { t } from '../core/language.ts'
import { done } from './toasts.tsx'

/** Puts the Sandbox's clock forward; what falls due on the way is done, so that every page may be another. */
export const advanceClock = async (body: { by?: string; to?: string }): Promise<void> => {
  await post('/v1/sandbox/clock/advance', { body })
  done(t.sandbox.advanced, '/v1/')
}
