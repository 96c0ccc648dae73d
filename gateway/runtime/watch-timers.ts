import type { Journal } from '../../engine/kernel/ports.ts'
import type { TimerParked } from '../../engine/kernel/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'

/**
 * Wraps a journal so that operators hear of due work that was parked. No request fails because of it, so nothing else would
 * report it.
 */
export const watchTimers = (
  journal: Journal,
  onParked: (fact: TimerParked, accountId: AccountId) => void,
): Journal => ({
  ...journal,
  append: (entry) => {
    for (const event of entry.events) if (event.type === 'TimerParked') onParked(event, entry.accountId)
    return journal.append(entry)
  },
})
