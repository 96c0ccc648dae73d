import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import { controlsOf } from './controls.ts'

/**
 * Keeps the night limit of a company that is an MEI no longer. Otherwise a change of the profile would raise it at once, without the day
 * and the second person that every increase of a limit takes (dashboard, section 2.4).
 */
export const keepNightLimit = (draft: Draft): void => {
  const account = draft.account()
  const before = draft.before('account', account.id)
  if (before === undefined) return
  const { pixNightCents } = controlsOf(before)
  if (controlsOf(account).pixNightCents <= pixNightCents) return
  draft.add({
    type: 'ControlsChanged',
    ...factOf(draft, 'account', account.id),
    changes: { pixNightCents },
    pending: account.controls.pending,
  })
}
