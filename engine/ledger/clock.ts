import type { Context } from '../kernel/context.ts'
import { accept, type Decision, reject } from '../kernel/decision.ts'
import type { AuditedFields } from '../shared/audit.ts'
import { bounds } from '../shared/bounds.ts'
import { addDuration, isoInstant, readDuration } from '../shared/calendar.ts'
import type { Account, AccountFact } from './account.ts'
import type { AdvanceClock } from './commands.ts'

/** Starts an advance (decisions, section 29). The shard's ticks do the due work on the way, and then arrive. */
export const advanceClock = (
  { id, advance }: Account,
  { step }: AdvanceClock,
  { nowMs }: Context,
): Decision<AccountFact> => {
  if (advance !== null)
    return reject({ reason: 'INVALID_STATE', currentStatus: 'ADVANCING', allowedStatuses: ['IDLE'] })
  const targetMs = 'toMs' in step ? step.toMs : addDuration(nowMs, readDuration(step.by)!)
  if (targetMs < nowMs) return reject({ reason: 'CLOCK_CANNOT_GO_BACK' })
  if (targetMs - nowMs > bounds.clockStepMsMax || targetMs > bounds.clockMsMax)
    return reject({ reason: 'CLOCK_STEP_TOO_LONG' })
  return accept({ actor: 'account', type: 'ClockAdvanceStarted', id, atMs: nowMs, targetMs })
}

/** The fields of the clock that the audit log compares. */
export const auditedClock = ({ clockOffsetMs, advance }: Account): AuditedFields => ({
  clockOffsetMs,
  clockAdvancesTo: advance && isoInstant(advance.targetMs),
})
