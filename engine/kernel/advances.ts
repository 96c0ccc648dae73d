import { bounds } from '../shared/bounds.ts'
import type { AccountId } from '../shared/ids.ts'
import { fire } from './due-timers.ts'
import type { Waiter } from './handler.ts'
import type { AdvanceClockCommand, CommandOutcome, OpenShard } from './open-shard.ts'
import type { ActorFacts } from './registry.ts'
import type { Reply } from './reply.ts'
import { acceptedReply, commit, replyAccepted } from './turn.ts'
import { awaitsAnswer, takeArrival } from './waiting.ts'

/**
 * Begins to advance a clock (decisions, section 29). The reply comes when the clock has arrived, was reset, or the command's time to answer
 * is up. A clock moves from one due time to the next, so that each job runs at its own moment, and it stands still while a provider is
 * being called. Whether and how far it advances is in the account's state, so the next owner of the shard continues it.
 */
export const beginAdvance = (
  shard: OpenShard,
  command: AdvanceClockCommand,
  outcome: CommandOutcome,
  to: Waiter<Reply>,
): void => {
  const { arrivals, journal } = shard
  const { accountId } = command
  const started = acceptedReply(shard, command, outcome)
  const nowMs = shard.stopwatch()
  const answerByMs = nowMs + (command.answerWithinMs ?? Number.POSITIVE_INFINITY)
  arrivals.set(accountId, { command, started, sequence: journal.appended(), answerByMs, to })
  advance(shard, accountId, nowMs + bounds.timersBeforeRequestMs)
  if (arrivals.has(accountId)) shard.options.onDue()
}

/**
 * Advances the account's clock until the stopwatch reads `untilMs`. Does nothing when the clock is not advancing.
 */
export const advance = (shard: OpenShard, id: AccountId, untilMs: number): void => {
  const { standing, memory, realNow } = shard
  standing.delete(id)
  for (let steps = 0; steps < bounds.timersPerTurn; steps++) {
    const advancing = memory.find('account', id)!.state.advance
    if (advancing === null) return
    const timer = memory.dueTimer(id, advancing.targetMs)
    // Jobs due at the same moment make their calls together. The clock never moves between a call and its answer.
    if (timer !== undefined && timer.dueAtMs <= advancing.nowMs) fire(shard, timer.command, realNow())
    else if (awaitsAnswer(shard, id)) return void standing.add(id)
    else if (timer === undefined) return void arrive(shard, id, advancing.targetMs)
    else commitClock(shard, { actor: 'account', type: 'ClockAdvanced', id, atMs: timer.dueAtMs })
    if (shard.stopwatch() >= untilMs) return
  }
}

/** Answers the commands whose time is up. */
export const answerLate = (shard: OpenShard): void => {
  const { arrivals, stopwatch } = shard
  for (const [id, { command, answerByMs, to }] of arrivals) {
    if (stopwatch() < answerByMs) continue
    arrivals.delete(id)
    acceptAsItIs(shard, command, to)
  }
}

/** If advancing took longer than the jump, the clock ends at real time and not behind it. */
const arrive = (shard: OpenShard, id: AccountId, targetMs: number): void => {
  const realMs = shard.realNow()
  const clockOffsetMs = Math.max(targetMs - realMs, shard.memory.find('account', id)!.state.clockOffsetMs)
  const arrival = takeArrival(shard, id)
  commitClock(shard, {
    actor: 'account',
    type: 'ClockMoved',
    id,
    atMs: realMs + clockOffsetMs,
    clockOffsetMs,
  })
  if (arrival !== undefined) acceptAsItIs(shard, arrival.command, arrival.to)
}

/** Replies with the account as it is now. */
const acceptAsItIs = (shard: OpenShard, command: AdvanceClockCommand, to: Waiter<Reply>): void =>
  replyAccepted(shard, command, { steps: [], sequence: shard.journal.appended(), events: [] }, to)

const commitClock = (shard: OpenShard, event: ActorFacts['account']): void => {
  const after = shard.engine.evolve(shard.memory.find('account', event.id)!.state, event)
  commit(shard, { accountId: event.id }, [{ event, after }], shard.realNow())
}
