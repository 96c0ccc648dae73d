import type { Logger } from 'pino'
import type { FlushedEntry } from '../../engine/kernel/step.ts'

/** Logs due work that was parked. No request fails because of it, so nothing else would report it. */
export const logParkedTimers = (log: Pick<Logger, 'error'>, { accountId, steps }: FlushedEntry): void => {
  for (const { event } of steps) {
    if (event.type !== 'TimerParked') continue
    log.error({ actor: event.id, due: event.due, accountId }, 'due work cannot be done, and is parked')
  }
}
