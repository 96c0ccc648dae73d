import { keepEntry } from './apply.ts'
import { clockNow } from './clock.ts'
import { type Draft, newDraft } from './draft.ts'
import { callsIn, kindIn } from './engine-definition.ts'
import type { Entry } from './entry.ts'
import type { Waiter } from './handler.ts'
import type { CommandOutcome, OpenShard } from './open-shard.ts'
import type { IdempotencyRecord } from './ports.ts'
import type { AnyFact, Command, Rejection } from './registry.ts'
import type { Reply } from './reply.ts'
import { type FlushedEntry, type Step, stateAfter } from './step.ts'
import { ShardUnavailable, WorkUnavailable } from './unavailable.ts'
import { abandonCallsOf, clockChanged, expectAnswer, resolveAt } from './waiting.ts'

/**
 * Decides a command, appends its facts and applies them, all synchronously; only replies wait: for the disk, and for a provider where one is
 * called. Refusals, replays, previews and calls are replied to from here. Otherwise it returns what the command did, for the caller to
 * reply with.
 */
export const runTurn = (
  shard: OpenShard,
  command: Command,
  atMs: number,
  to: Waiter<Reply>,
): CommandOutcome | null => {
  const { engine, memory, journal, subjects, entropy, institution } = shard
  const account = memory.find('account', command.accountId)?.state
  const nowMs = account === undefined ? atMs : clockNow(account, atMs)
  const earlier = earlierReply(shard, command, atMs)
  if (earlier !== undefined) {
    resolveAt(shard, earlier.sequence, replayOf(shard, command, earlier, nowMs, atMs), to)
    return null
  }
  const context = { nowMs, atMs, entropy, institution }
  const draft = newDraft(engine, memory, command.accountId, context, journal.asWritten)
  const rejection = decided(shard, draft, command)
  // Refusals wait too: the state they were decided on may not be on disk yet.
  if (rejection !== null) {
    resolveAt(shard, journal.appended(), { accepted: false, rejection }, to)
    return null
  }
  const { steps } = draft
  const events = steps.map(({ event }) => event)
  if (command.isPreview) {
    replyAccepted(shard, command, { steps, sequence: journal.appended(), events }, to, true)
    return null
  }
  if (steps.length > 0) commit(shard, keyed(shard, command, events), steps, atMs, events)
  const callId = subjects.awaitedCall(events)
  if (callId === null) return { steps, sequence: journal.appended(), events }
  shard.waiting.get(callId)!.callers.push({ command, to })
  return null
}

/**
 * Appends facts as one entry and applies them. Commands that wait for a provider's answer among them get their replies, once the entry is
 * on disk.
 */
export const commit = (
  shard: OpenShard,
  { accountId, idempotency, traceparent }: Caused,
  steps: readonly Step[],
  atMs: number,
  events: readonly AnyFact[] = steps.map(({ event }) => event),
): void => {
  const { engine, waiting } = shard
  const entry: Entry = {
    accountId,
    atMs,
    events,
    ...(idempotency && { idempotency }),
    ...(traceparent && { traceparent }),
  }
  const applied = appended(shard, entry, steps)
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

/** Appends an entry and applies it. Memory cannot be left behind its journal: whatever stops it breaks the shard. */
const appended = (
  { engine, memory, journal }: OpenShard,
  entry: Entry,
  steps: readonly Step[],
): FlushedEntry => {
  const sequence = journal.append(entry)
  try {
    return keepEntry(engine, memory, sequence, entry, steps)
  } catch (error) {
    throw error instanceof ShardUnavailable ? new Error('an entry was not applied', { cause: error }) : error
  }
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
  // An actor that only the preview creates is not in memory.
  const state = (isForetold ? memory.find(kind, id)?.state : after) ?? after ?? memory.find(kind, id)!.state
  const realMs = shard.realNow()
  const nowMs = clockNow(memory.find('account', command.accountId)!.state, realMs)
  const reversalId = subjects.reversalIdOf(kind, command, events, state)
  return { accepted: true, replayed: false, state, steps, reversalId, nowMs, realMs }
}

/** The members that an entry copies from the command that caused it. */
type Caused = Pick<Command, 'accountId' | 'idempotency' | 'traceparent'>

/** Due work could not be decided because of a bug on our side; nothing was done. */
export class DueWorkFailed extends Error {
  /** Its command as JSON, the same at every try. */
  readonly due: string

  constructor(command: Command, cause: unknown) {
    super(`${command.type} could not be decided`, { cause })
    this.due = JSON.stringify(command)
  }
}

const decided = ({ engine }: OpenShard, draft: Draft, command: Command): Rejection | null => {
  try {
    return engine.decide(draft, command)
  } catch (error) {
    const isFault = command.by.kind === 'CLOCK' && !(error instanceof WorkUnavailable)
    throw isFault ? new DueWorkFailed(command, error) : error
  }
}

/** An answer's entry carries the merchant's key when the answer is the effect that the key stands for. */
const keyed = ({ engine, memory }: OpenShard, command: Command, events: readonly AnyFact[]): Caused => {
  const [event] = events
  if (event === undefined) return command
  const calls = callsIn(engine, event.actor)
  const callId = calls?.answeredBy(event) ?? null
  if (callId === null) return command
  const idempotency = calls!.keyOfAnswer?.(memory.find(event.actor, event.id)!.state, callId, event)
  const { accountId, traceparent } = command
  return idempotency ? { accountId, idempotency, traceparent } : command
}

/** The effect already recorded for the command's key; undefined when the key is new or free again. */
const earlierReply = (shard: OpenShard, command: Command, atMs: number): IdempotencyRecord | undefined => {
  if (command.idempotency === undefined) return undefined
  const { engine, memory, subjects } = shard
  const { key } = command.idempotency
  const earlier = memory.findReply(command.accountId, key, atMs, subjects.kindNamedIn(command))
  const callId = earlier === undefined ? null : subjects.awaitedCall(earlier.events)
  if (callId === null || shard.waiting.has(callId)) return earlier
  // A call's id begins with its actor's.
  const id = callId.slice(0, callId.indexOf('.'))
  const kind = subjects.kindOfId(id)
  const { calls } = kindIn(engine, kind)
  if (calls?.isOpen?.(memory.find(kind, id)!.state, callId)) return earlier
  const left = calls?.withoutCall?.(earlier!.events) ?? null
  return left === null ? undefined : { ...earlier!, events: left }
}

/** The recorded reply, with the time of the original effect, because views may depend on it. */
const replayOf = (
  { subjects }: OpenShard,
  command: Command,
  earlier: IdempotencyRecord,
  clockMs: number,
  realMs: number,
): Reply => {
  const { fingerprint, state, events } = earlier
  if (fingerprint !== command.idempotency!.fingerprint)
    return { accepted: false, rejection: { reason: 'IDEMPOTENCY_KEY_REUSED' } }
  if (subjects.awaitedCall(events) !== null)
    return { accepted: false, rejection: { reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' } }
  const reversalId = subjects.reversalIdOf(subjects.kindNamedIn(command), command, events, state)
  const nowMs = 'updatedAtMs' in state ? state.updatedAtMs : clockMs
  return { accepted: true, replayed: true, state, steps: [], reversalId, nowMs, realMs }
}
