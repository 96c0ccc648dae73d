import { bounds } from '../shared/bounds.ts'
import type { AccountId } from '../shared/ids.ts'
import { clockNow } from './clock.ts'
import { nobody } from './handler.ts'
import type { OpenShard, Owned } from './open-shard.ts'
import type { ActorStates, Command, TimerParked } from './registry.ts'
import type { ActorTarget } from './subjects.ts'
import { commit, DueWorkFailed, runTurn } from './turn.ts'
import { WorkUnavailable } from './unavailable.ts'

/**
 * Fires the account's due timers for at most `forMs` (null: none). Later turns fire the rest of a burst, but all
 * due timers of the command's own target fire now.
 */
export const fireDueTimers = (
  shard: OpenShard,
  account: ActorStates['account'],
  atMs: number,
  forMs: number | null,
  target: ActorTarget | null,
): void => {
  if (!isWritable(shard)) return
  const { engine, memory } = shard
  const nowMs = clockNow(account, atMs)
  if (forMs !== null && !isWorkHeld(shard, account.id) && fireBurst(shard, account.id, nowMs, atMs, forMs))
    return
  for (;;) {
    const state = target === null ? undefined : memory.find(...target)?.state
    if (state === undefined || (state as Owned).accountId !== account.id) return
    const timer = engine.nextTimer(target![0], state)
    if (timer === null || timer.dueAtMs > nowMs) return
    fire(shard, timer.command, atMs)
  }
}

/** Fires due timers for so long. Returns whether none is due any more. */
const fireBurst = (
  shard: OpenShard,
  accountId: AccountId,
  nowMs: number,
  atMs: number,
  forMs: number,
): boolean => {
  const { memory, stopwatch } = shard
  // Most turns find nothing due, and need not know the time.
  let startedMs = Number.NaN
  try {
    for (let fired = 0; fired < bounds.timersPerTurn; fired++) {
      const timer = memory.dueTimer(accountId, nowMs)
      if (timer === undefined) return true
      if (fired === 0) startedMs = stopwatch()
      fire(shard, timer.command, atMs)
      if (stopwatch() - startedMs >= forMs) break
    }
  } catch (error) {
    holdWork(shard, accountId, error)
  }
  return false
}

/** Has due work of an account wait a moment where it cannot be done now; throws any other error. */
export const holdWork = (shard: OpenShard, accountId: AccountId, error: unknown): void => {
  if (!(error instanceof WorkUnavailable)) throw error
  shard.heldWork.set(accountId, shard.stopwatch())
}

/** Whether due work of an account waits for what it needs. */
export const isWorkHeld = ({ heldWork, stopwatch }: OpenShard, accountId: AccountId): boolean => {
  if (heldWork.size === 0) return false
  const sinceMs = heldWork.get(accountId)
  if (sinceMs === undefined) return false
  if (stopwatch() - sinceMs < bounds.heldWorkAgainMs) return true
  heldWork.delete(accountId)
  return false
}

/** While the disk is full, reads and replays go on, and due work waits. */
export const isWritable = ({ journal }: OpenShard): boolean => journal.isWritable?.() ?? true

/** Due work is an ordinary command without a client waiting for its reply. */
export const fire = (shard: OpenShard, command: Command, atMs: number): void => {
  const { journal, options } = shard
  const before = journal.appended()
  try {
    runTurn(shard, command, atMs, nobody)
  } catch (error) {
    if (!(error instanceof DueWorkFailed && options.hasFailed?.(error.due))) throw error
  }
  if (journal.appended() === before) park(shard, command, atMs)
}

/**
 * Parks due work that was refused or failed again after a recovery: it would otherwise stay due for ever and hold up
 * the rest.
 */
const park = (shard: OpenShard, command: Command, atMs: number): void => {
  const [actor, id] = shard.subjects.subjectOf(command)
  const { state } = shard.memory.find(actor, id)!
  const nowMs = clockNow(shard.memory.find('account', command.accountId)!.state, atMs)
  const fact = { actor, type: 'TimerParked', id, by: command.by, atMs: nowMs, due: command.type }
  const event = fact as TimerParked
  commit(shard, command, [{ event, after: shard.engine.evolve(state, event) }], atMs)
}
