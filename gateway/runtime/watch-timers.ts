import type { Journal } from '../../engine/kernel/ports.ts'
import type { TimerParked } from '../../engine/kernel/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'

/** A journal that lets an operator know of due work that was put aside: nobody's request fails because of it. */
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
