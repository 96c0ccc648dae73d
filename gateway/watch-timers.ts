import type { AccountId } from '../engine/ids.ts'
import type { Journal } from '../engine/ports.ts'
import type { TimerPutAside } from '../engine/timer.ts'

/** A journal that lets an operator know of due work that was put aside: nobody's request fails because of it. */
export const watchTimers = (
  journal: Journal,
  onPutAside: (fact: TimerPutAside, accountId: AccountId) => void,
): Journal => ({
  ...journal,
  append: (entry) => {
    for (const event of entry.events) if (event.type === 'TimerPutAside') onPutAside(event, entry.accountId)
    return journal.append(entry)
  },
})
