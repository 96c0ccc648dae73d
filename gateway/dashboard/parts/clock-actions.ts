import { api, dataOf } from '../core/api.ts'
import { t } from '../core/language.ts'
import { refresh } from '../core/query.ts'
import { announce } from './toasts.tsx'

/** Puts the Sandbox's clock forward; what falls due on the way is done, so that every page may be another. */
export const advanceClock = async (body: { by?: string; to?: string }): Promise<void> => {
  await dataOf(api.POST('/v1/sandbox/clock/advance', { body }))
  refresh('/v1/')
  announce(t.sandbox.advanced)
}
