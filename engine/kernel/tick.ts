import { bounds } from '../shared/bounds.ts'
import type { AccountId } from '../shared/ids.ts'
import { advance, answerLate } from './advances.ts'
import { clockNow } from './clock.ts'
import { fireDueTimers, holdWork, isWorkHeld, isWritable } from './due-timers.ts'
import type { OpenShard } from './open-shard.ts'
import type { ActorStates } from './registry.ts'

/** Fires the timers that are due, continues advancing clocks, and returns the deliveries whose attempt is due. */
export const tick = (shard: OpenShard): readonly ActorStates['delivery'][] => {
  const atMs = shard.realNow()
  answerLate(shard)
  if (!isHeld(shard)) fireInTurn(shard, atMs)
  return shard.memory.takeDueAttempts(atMs, bounds.timersPerTurn)
}

/** Whether a tick would find something to do. */
export const hasDue = (shard: OpenShard): boolean => {
  const atMs = shard.realNow()
  return shard.memory.isAttemptDue(atMs) || accountsDue(shard, atMs).length > 0
}

/** Due work left after the last tick: none, more that can be done right now, or timers held back for later. */
export const timerBacklog = (shard: OpenShard): 'NO' | 'NOW' | 'SOON' => {
  const atMs = shard.realNow()
  if (shard.memory.isAttemptDue(atMs)) return 'NOW'
  if (!isWritable(shard) || accountsDue(shard, atMs).every((id) => shard.standing.has(id))) return 'NO'
  return isHeld(shard) ? 'SOON' : 'NOW'
}

/**
 * Visits due accounts in turn within one time limit for all of them: each tick starts where the previous one stopped.
 */
const fireInTurn = (shard: OpenShard, atMs: number): void => {
  const { memory, stopwatch } = shard
  const due = accountsDue(shard, atMs)
  const startedMs = stopwatch()
  if (due.length > 0) shard.firedAtMs = startedMs
  for (let count = 0; count < due.length; count++) {
    const account = memory.find('account', due[shard.accountsFired++ % due.length]!)!.state
    if (account.advance === null) fireDueTimers(shard, account, atMs, bounds.timersPerTickMs, null)
    else advanceOrHold(shard, account.id, startedMs + bounds.timersPerTickMs)
    if (stopwatch() - startedMs >= bounds.timersPerTickMs) return
  }
}

const advanceOrHold = (shard: OpenShard, accountId: AccountId, untilMs: number): void => {
  try {
    advance(shard, accountId, untilMs)
  } catch (error) {
    holdWork(shard, accountId, error)
  }
}

const accountsDue = (shard: OpenShard, atMs: number): readonly AccountId[] => {
  const { memory, heldWork } = shard
  const due = memory.accountsDue((id) => clockNow(memory.find('account', id)!.state, atMs))
  return heldWork.size === 0 ? due : due.filter((id) => !isWorkHeld(shard, id))
}

/**
 * Due work is held back for arrived answers, for a disk it would outrun and, apart from a small share, for requests.
 */
const isHeld = (shard: OpenShard): boolean => {
  const { journal, options, stopwatch } = shard
  if (!isWritable(shard)) return true
  if (options.hasWaitingAnswers?.()) return true
  if (journal.appended() - journal.flushed() > bounds.unflushedByTimersMax) return true
  return shard.requestedTo > journal.flushed() && stopwatch() - shard.firedAtMs < bounds.timersAtLeastEveryMs
}
