import { keepEntry } from './apply.ts'
import { clockNow } from './clock.ts'
import { callsIn } from './engine-definition.ts'
import type { Entry } from './entry.ts'
import type { Waiter } from './handler.ts'
import { accountIn, type CommandOutcome, type OpenShard, resolveAt } from './open-shard.ts'
import type { Command, Event } from './registry.ts'
import type { Reply } from './reply.ts'
import { type Step, stateAfter } from './step.ts'
import { abandonCallsOf, clockChanged, expectAnswer } from './waiting.ts'

/** What an entry takes over from the command that caused it. */
export type Caused = Pick<Command, 'accountId' | 'idempotency' | 'traceparent'>

/**
 * Appends facts as one entry and applies them. Commands that wait for a provider's answer among them get their replies, once the entry is
 * on disk.
 */
export const commit = (
  shard: OpenShard,
  { accountId, idempotency, traceparent }: Caused,
  steps: readonly Step[],
  atMs: number,
  events: readonly Event[] = steps.map(({ event }) => event),
): void => {
  const { engine, memory, journal, waiting } = shard
  const entry: Entry = {
    accountId,
    atMs,
    events,
    ...(idempotency && { idempotency }),
    ...(traceparent && { traceparent }),
  }
  const applied = keepEntry(engine, memory, journal.append(entry), entry, steps)
  shard.unflushed.push(applied)
  for (const { event } of applied.steps) {
    if (event.type === 'SandboxCleared') abandonCallsOf(shard, event.id)
    const calls = callsIn(engine, event.actor)
    if (calls === undefined) continue
    const made = calls.madeBy(event)
    const answered = calls.answeredBy(event)
    if (made !== null) expectAnswer(shard, made, accountId)
    else if (answered !== null) {
      const outcome = { steps, sequence: applied.sequence, events: [event] }
      const callers = waiting.get(answered)?.callers ?? []
      waiting.delete(answered)
      for (const { command, to } of callers) replyAccepted(shard, command, outcome, to)
    }
  }
  clockChanged(shard, accountId)
}

/** Replies with the state that the facts led to. A preview's facts change nothing. */
export const replyAccepted = (
  shard: OpenShard,
  command: Command,
  outcome: CommandOutcome,
  to: Waiter<Reply>,
  isForetold = false,
): void => resolveAt(shard, outcome.sequence, acceptedReply(shard, command, outcome, isForetold), to)

/** The reply to an accepted command, as of now. */
export const acceptedReply = (
  shard: OpenShard,
  command: Command,
  { steps, events }: CommandOutcome,
  isForetold = false,
): Reply => {
  const { subjects, memory } = shard
  const [kind, id] = subjects.subjectOf(command)
  const after = stateAfter(steps, id)
  // What a preview would create is not there yet.
  const state = (isForetold ? memory.find(kind, id)?.state : after) ?? after ?? memory.find(kind, id)!.state
  const realMs = shard.realNow()
  const nowMs = clockNow(accountIn(shard, command.accountId)!, realMs)
  const reversalId = subjects.reversalIdOf(kind, command, events, state)
  return { accepted: true, replayed: false, state, steps, reversalId, nowMs, realMs }
}
