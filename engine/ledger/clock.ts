import type { Context } from '../kernel/context.ts'
import { accept, type Decision, reject } from '../kernel/decision.ts'
import { addDuration, readDuration } from '../shared/calendar.ts'
import { limits } from '../shared/limits.ts'
import type { Account, AccountEvent } from './account.ts'
import type { AdvanceClock } from './commands.ts'

/** Starts an advance (decisions, section 29): due work on the way is done by the shard's ticks, and so is the arrival. */
export const advanceClock = (
  { id, advance }: Account,
  { step }: AdvanceClock,
  { nowMs }: Context,
): Decision<AccountEvent> => {
  if (advance !== null)
    return reject({ reason: 'INVALID_STATE', currentStatus: 'ADVANCING', allowedStatuses: ['IDLE'] })
  const targetMs = 'toMs' in step ? step.toMs : addDuration(nowMs, readDuration(step.by)!)
  if (targetMs < nowMs) return reject({ reason: 'CLOCK_CANNOT_GO_BACK' })
  if (targetMs - nowMs > limits.clockStepMsMax || targetMs > limits.clockMsMax)
    return reject({ reason: 'CLOCK_STEP_TOO_LONG' })
  return accept({ actor: 'account', type: 'ClockAdvanceStarted', id, atMs: nowMs, targetMs })
}
