import type { AccountId, Entropy } from '../shared/ids.ts'
import { isAsker } from '../shared/initiator.ts'
import { limits } from '../shared/limits.ts'
import { openAdvances } from './advances.ts'
import { keepEntry } from './apply.ts'
import type { ProviderCallRequest } from './calls.ts'
import { clockNow } from './clock.ts'
import type { Institution } from './context.ts'
import { newDraft } from './draft.ts'
import { callsIn, type Engine, kindIn } from './engine-definition.ts'
import type { Entry } from './entry.ts'
import { type Handler, handlerOf, nobody, passOn, type Waiter } from './handler.ts'
import type { IdempotencyRecord, Journal, Memory } from './ports.ts'
import { newReader, type QueryResult } from './reader.ts'
import type { ActorStates, Command, Event, Rejection, TimerParked } from './registry.ts'
import type { Reply } from './reply.ts'
import { type FlushedEntry, type Step, stateAfter } from './step.ts'
import { type ActorTarget, openSubjects, type Subjects } from './subjects.ts'
import { ShardUnavailable } from './unavailable.ts'
import type { Work } from './work.ts'

/**
 * Companies that share one writer and one journal. Commands never interleave: a turn is synchronous up to the journal.
 */
export type Shard = Handler & {
  /** Fires the timers that are due, continues advancing clocks, and returns the deliveries whose attempt is due. */
  readonly tick: () => readonly ActorStates['delivery'][]
  /** Whether a tick would find something to do. */
  readonly hasDue: () => boolean
  /** Due work left after the last tick: none, more that can be done right now, or timers held back for later. */
  readonly timerBacklog: () => 'NO' | 'NOW' | 'SOON'
  /**
   * Provider calls that were under way when the process ended, to be made again. Called once before anything else:
   * transfers waiting for a bank that is connected now are sent then.
   */
  readonly unansweredCalls: () => readonly ProviderCallRequest[]
  /**
   * Rejects requests waiting for a provider (the outcome is unknown here: the answer will reach another shard), and
   * answers requests waiting for a clock, which continues elsewhere.
   */
  readonly close: () => void
}

export type ShardOptions = {
  readonly engine: Engine
  /** Part of the ids of public events. */
  readonly number: number
  readonly journal: Journal
  readonly memory: Memory
  /** Real time in epoch milliseconds. It never runs backwards, nor behind the journal. */
  readonly realNow: () => number
  /** Milliseconds of work; only their differences count. */
  readonly stopwatch: () => number
  readonly entropy: Entropy
  readonly institution: Institution
  /** Lets other work run between the slices of a long job. */
  readonly pause: () => Promise<void>
  readonly onFlushed: (entry: FlushedEntry) => void
  /** An advancing clock can continue: a tick would do it. */
  readonly onDue: () => void
  /**
   * Whether provider answers wait to be recorded. They go first: timers that call providers would otherwise keep them
   * waiting without end.
   */
  readonly hasWaitingAnswers?: () => boolean
  /** Whether deciding this due work has failed before: it is then parked instead of retried for ever. */
  readonly hasFailed?: (due: string) => boolean
}

/** Due work could not be decided because of a bug on our side; nothing was done. */
export class DueWorkFailed extends Error {
  /** Its command as JSON, the same at every try. */
  readonly due: string

  constructor(command: Command, cause: unknown) {
    super(`${command.type} could not be decided`, { cause })
    this.due = JSON.stringify(command)
  }
}

/** The engine is too far ahead of its journal; the caller should try again. */
const overloaded = new ShardUnavailable('the shard has too many entries waiting for its journal')

/** Opens a shard on a memory that is caught up with its journal. */
export const openShard = (options: ShardOptions): Shard => {
  const { engine, journal, memory, realNow, stopwatch, entropy, institution } = options
  const { evolve } = engine
  const subjects = openSubjects(engine, memory)
  const unflushed: FlushedEntry[] = []
  /** Provider calls without an answer yet. */
  const waiting = new Map<string, Waiting>()
  /** The newest sequence that a request waits for. */
  let requestedTo = 0
  /** When a tick last fired a timer, by the stopwatch. */
  let firedAtMs = Number.NEGATIVE_INFINITY
  /** How many due accounts ticks have visited so far. */
  let accountsFired = 0

  journal.onFlushed((sequence) => {
    let count = 0
    while (count < unflushed.length && unflushed[count]!.sequence <= sequence)
      options.onFlushed(unflushed[count++]!)
    unflushed.splice(0, count)
  })

  /** While the disk is full, reads and replays go on, and due work waits. */
  const isWritable = (): boolean => journal.isWritable?.() ?? true

  const perform: Handler['perform'] = (command, to) => {
    if (journal.appended() - journal.flushed() > limits.unflushedEntriesMax) return to.reject(overloaded)
    const atMs = realNow()
    const account = accountOf(command.accountId)
    // Commands from inside, such as a provider's answer, have no client waiting: a burst of timers continues at the
    // next tick.
    const isRequest = isAsker(command.by)
    const forMs = isRequest ? limits.timersBeforeRequestMs : null
    if (account !== undefined) fireDueTimers(account, atMs, forMs, subjects.targetOf(command))
    turn(command, atMs, to)
    if (isRequest) requestedTo = journal.appended()
  }

  /**
   * Decides, appends and applies synchronously. Only the reply waits: for the disk, and for a provider where one is
   * called.
   */
  const turn = (command: Command, atMs: number, to: Waiter<Reply>): void => {
    const account = accountOf(command.accountId)
    const nowMs = account === undefined ? atMs : clockNow(account, atMs)
    const earlier = earlierReply(command, atMs)
    if (earlier !== undefined) {
      replyAt(earlier.sequence, replayOf(subjects, command, earlier, nowMs, atMs), to)
      return
    }
    const draft = newDraft(engine, memory, command.accountId, { nowMs, atMs, entropy, institution })
    const rejection = decided(draft, command)
    // Refusals wait too: the state they were decided on may not be on disk yet.
    if (rejection !== null) {
      replyAt(journal.appended(), { accepted: false, rejection }, to)
      return
    }
    const { steps } = draft
    const events = steps.map(({ event }) => event)
    if (command.isPreview) {
      accept(command, { steps, sequence: journal.appended(), events }, to, true)
      return
    }
    if (steps.length > 0) commit(keyed(command, events), steps, atMs, events)
    const callId = subjects.awaitedCall(events)
    if (callId !== null) {
      waiting.get(callId)!.callers.push({ command, to })
      return
    }
    const outcome = { steps, sequence: journal.appended(), events }
    if (command.type === 'AdvanceClock') advances.arrival(command, acceptedReply(command, outcome), to)
    else accept(command, outcome, to)
  }

  const decided: Engine['decide'] = (draft, command) => {
    try {
      return engine.decide(draft, command)
    } catch (error) {
      throw command.by.kind === 'CLOCK' ? new DueWorkFailed(command, error) : error
    }
  }

  /** Replies with the state that the facts led to. A preview's facts change nothing. */
  const accept = (command: Command, outcome: CommandOutcome, to: Waiter<Reply>, isForetold = false): void =>
    replyAt(outcome.sequence, acceptedReply(command, outcome, isForetold), to)

  const acceptedReply = (command: Command, { steps, events }: CommandOutcome, isForetold = false): Reply => {
    const [kind, id] = subjects.subjectOf(command)
    const after = stateAfter(steps, id)
    // What a preview would create is not there yet.
    const state = (isForetold ? memory.find(kind, id)?.state : after) ?? after ?? memory.find(kind, id)!.state
    const realMs = realNow()
    const nowMs = clockNow(accountOf(command.accountId)!, realMs)
    const reversalId = subjects.reversalIdOf(kind, command, events, state)
    return { accepted: true, replayed: false, state, steps, reversalId, nowMs, realMs }
  }

  const commit = (
    { accountId, idempotency, traceparent }: Caused,
    steps: readonly Step[],
    atMs: number,
    events: readonly Event[] = steps.map(({ event }) => event),
  ): void => {
    const entry: Entry = {
      accountId,
      atMs,
      events,
      ...(idempotency && { idempotency }),
      ...(traceparent && { traceparent }),
    }
    const applied = keepEntry(engine, memory, journal.append(entry), entry, steps)
    unflushed.push(applied)
    for (const { event } of applied.steps) {
      if (event.type === 'SandboxCleared') abandonCalls(cleared, event.id)
      const calls = callsIn(engine, event.actor)
      if (calls === undefined) continue
      const made = calls.madeBy(event)
      const answered = calls.answeredBy(event)
      if (made !== null) expect(made, accountId)
      else if (answered !== null) {
        const outcome = { steps, sequence: applied.sequence, events: [event] }
        const callers = waiting.get(answered)?.callers ?? []
        waiting.delete(answered)
        for (const { command, to } of callers) accept(command, outcome, to)
      }
    }
    advances.changed(accountId)
  }

  /** Often no request waits for an answer: a call made again after a restart has none. */
  const expect = (callId: string, accountId: AccountId): void =>
    void waiting.set(callId, { accountId, callers: [] })

  const isAsked = (id: AccountId): boolean => {
    for (const { accountId } of waiting.values()) if (accountId === id) return true
    return false
  }

  const abandonCalls = (reason: Error, accountId: AccountId | null = null): void => {
    for (const [callId, call] of waiting) {
      if (accountId !== null && call.accountId !== accountId) continue
      waiting.delete(callId)
      for (const { to } of call.callers) to.reject(reason)
    }
  }

  /** An answer's entry carries the merchant's key when the answer is the effect that the key stands for. */
  const keyed = (command: Command, events: readonly Event[]): Caused => {
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
  const earlierReply = (command: Command, atMs: number): IdempotencyRecord | undefined => {
    if (command.idempotency === undefined) return undefined
    const earlier = memory.findReply(
      command.accountId,
      command.idempotency.key,
      atMs,
      subjects.kindNamedIn(command),
    )
    const callId = earlier === undefined ? null : subjects.awaitedCall(earlier.events)
    if (callId === null || waiting.has(callId) || isOpen(callId)) return earlier
    const left = callsOf(callId)?.withoutCall?.(earlier!.events) ?? null
    return left === null ? undefined : { ...earlier!, events: left }
  }

  const isOpen = (callId: string): boolean => {
    const id = actorOfCall(callId)
    const kind = subjects.kindOfId(id)
    return kindIn(engine, kind).calls?.isOpen?.(memory.find(kind, id)!.state, callId) ?? false
  }

  const callsOf = (callId: string) => kindIn(engine, subjects.kindOfId(actorOfCall(callId))).calls

  /** Tells a reply once the entry that it depends on is on disk. */
  const replyAt = (sequence: number, reply: Reply, to: Waiter<Reply>): void =>
    journal.whenFlushed(sequence, new Later(reply, to))

  /**
   * Fires the account's due timers. A burst leaves some for later turns, but never those of the command's own target.
   */
  const fireDueTimers = (
    account: ActorStates['account'],
    atMs: number,
    forMs: number | null,
    target: ActorTarget | null,
  ): void => {
    if (!isWritable()) return
    const nowMs = clockNow(account, atMs)
    // Most turns find nothing due, and need not know the time.
    let startedMs = Number.NaN
    for (let fired = 0; forMs !== null && fired < limits.timersPerTurn; fired++) {
      const timer = memory.dueTimer(account.id, nowMs)
      if (timer === undefined) return
      if (fired === 0) startedMs = stopwatch()
      fire(timer.command, atMs)
      if (stopwatch() - startedMs >= forMs) break
    }
    for (;;) {
      const state = target === null ? undefined : memory.find(...target)?.state
      if (state === undefined || (state as Owned).accountId !== account.id) return
      const timer = engine.nextTimer(target![0], state)
      if (timer === null || timer.dueAtMs > nowMs) return
      fire(timer.command, atMs)
    }
  }

  /** Due work is an ordinary command without a client waiting for its reply. */
  const fire = (command: Command, atMs: number): void => {
    const before = journal.appended()
    try {
      turn(command, atMs, nobody)
    } catch (error) {
      if (!(error instanceof DueWorkFailed && options.hasFailed?.(error.due))) throw error
    }
    if (journal.appended() === before) parked(command, atMs)
  }

  /**
   * Parks due work that was refused or failed again after a recovery: it would otherwise stay due for ever and hold up
   * the rest.
   */
  const parked = (command: Command, atMs: number): void => {
    const [actor, id] = subjects.subjectOf(command)
    const { state } = memory.find(actor, id)!
    const nowMs = clockNow(accountOf(command.accountId)!, atMs)
    const fact = { actor, type: 'TimerParked', id, by: command.by, atMs: nowMs, due: command.type }
    const event = fact as TimerParked
    commit(command, [{ event, after: evolve(state, event) }], atMs)
  }

  const answer: Handler['answer'] = (query, to) => {
    const realMs = realNow()
    const account = accountOf(query.accountId)
    // Each attempt begins with a look at its delivery, which no environment clock changes: a burst of timers would outrun the attempts.
    if (account !== undefined && query.type !== 'FindDelivery')
      fireDueTimers(account, realMs, limits.timersBeforeRequestMs, subjects.targetOf(query))
    const reader = newReader(query.accountId, memory, realMs, journal.appended, options.number)
    const work = engine.answer(query, reader)
    const step = work.next()
    if (step.done) answerAt(step.value, to)
    else
      passOn(inSlices(work), {
        resolve: (result) => answerAt(result, to),
        reject: (error) => to.reject(error),
      })
  }

  /** Finishes work that takes long, with other work in between. */
  const inSlices = async <Value>(work: Work<Value>): Promise<Value> => {
    for (;;) {
      await options.pause()
      const step = work.next()
      if (step.done) return step.value
    }
  }

  const answerAt = ({ sequence, value }: QueryResult<unknown>, to: Waiter<never>): void =>
    journal.whenFlushed(sequence, new Later(value as never, to))

  const tick: Shard['tick'] = () => {
    const atMs = realNow()
    advances.answerLate()
    if (!isHeld()) fireInTurn(atMs)
    return memory.takeDueAttempts(atMs, limits.timersPerTurn)
  }

  /**
   * Visits due accounts in turn within one time limit for all of them: each tick starts where the previous one stopped.
   */
  const fireInTurn = (atMs: number): void => {
    const due = accountsDue(atMs)
    const startedMs = stopwatch()
    if (due.length > 0) firedAtMs = startedMs
    for (let count = 0; count < due.length; count++) {
      const account = accountOf(due[accountsFired++ % due.length]!)!
      if (account.advance === null) fireDueTimers(account, atMs, limits.timersPerTickMs, null)
      else advances.goOn(account.id, startedMs + limits.timersPerTickMs)
      if (stopwatch() - startedMs >= limits.timersPerTickMs) return
    }
  }

  const timerBacklog = (): 'NO' | 'NOW' | 'SOON' => {
    const atMs = realNow()
    if (memory.isAttemptDue(atMs)) return 'NOW'
    if (!isWritable() || accountsDue(atMs).every(advances.stands)) return 'NO'
    return isHeld() ? 'SOON' : 'NOW'
  }

  const accountsDue = (atMs: number): readonly AccountId[] =>
    memory.accountsDue((id) => clockNow(accountOf(id)!, atMs))

  /**
   * Due work is held back for arrived answers, for a disk it would outrun and, apart from a small share, for requests.
   */
  const isHeld = (): boolean => {
    if (!isWritable()) return true
    if (options.hasWaitingAnswers?.()) return true
    if (journal.appended() - journal.flushed() > limits.unflushedByTimersMax) return true
    return requestedTo > journal.flushed() && stopwatch() - firedAtMs < limits.timersAtLeastEveryMs
  }

  const unansweredCalls = (): readonly ProviderCallRequest[] => {
    const requests: ProviderCallRequest[] = []
    for (const id of [...memory.awaitingProvider()]) {
      const kind = subjects.kindOfId(id)
      const calls = kindIn(engine, kind).calls!
      const { state } = memory.find(kind, id)!
      const { accountId } = state as Owned
      const command = calls.resume?.(state, institution) ?? null
      if (command !== null && isWritable()) fire(command, realNow())
      for (const callId of calls.onTheirWay(state)) {
        expect(callId, accountId)
        requests.push(calls.request(state, callId, clockNow(accountOf(accountId)!, realNow())))
      }
    }
    return requests
  }

  const accountOf = (id: AccountId): ActorStates['account'] | undefined => memory.find('account', id)?.state

  const hasDue = (): boolean => {
    const atMs = realNow()
    return memory.isAttemptDue(atMs) || accountsDue(atMs).length > 0
  }

  const advances = openAdvances({
    journal,
    accountOf,
    dueTimer: memory.dueTimer,
    realNow,
    stopwatch,
    fire,
    commit: (event) => {
      const after = evolve(accountOf(event.id), event)
      commit({ accountId: event.id }, [{ event, after }], realNow())
    },
    isAsked,
    answer: (command, to) => accept(command, { steps: [], sequence: journal.appended(), events: [] }, to),
    refuse: (to) => replyAt(journal.appended(), { accepted: false, rejection: resetMeanwhile }, to),
    onDue: options.onDue,
  })

  return {
    tick,
    hasDue,
    timerBacklog,
    unansweredCalls,
    close: () => {
      abandonCalls(closed)
      advances.close()
    },
    ...handlerOf(perform, answer),
  }
}

/** What a command did, and at which sequence. */
type CommandOutcome = {
  readonly steps: readonly Step[]
  readonly sequence: number
  /** Its own facts, since one entry can answer several calls. */
  readonly events: readonly Event[]
}

/** What an entry takes over from the command that caused it. */
type Caused = Pick<Command, 'accountId' | 'idempotency' | 'traceparent'>

/** Every actor except the account has one. */
type Owned = { readonly accountId: AccountId }

/** A provider call without an answer yet, and the commands that wait for one. */
type Waiting = {
  readonly accountId: AccountId
  readonly callers: { readonly command: Command; readonly to: Waiter<Reply> }[]
}

/** An outcome that waits for the journal: a row of the batch that it depends on. */
class Later<Value> implements Waiter<void> {
  readonly #value: Value
  readonly #to: Waiter<Value>

  constructor(value: Value, to: Waiter<Value>) {
    this.#value = value
    this.#to = to
  }

  resolve(): void {
    this.#to.resolve(this.#value)
  }

  reject(error: unknown): void {
    this.#to.reject(error)
  }
}

const cleared = new ShardUnavailable('the Sandbox was reset meanwhile')
const closed = new ShardUnavailable('the shard stopped before the provider answered')
const resetMeanwhile: Rejection = { reason: 'CLOCK_RESET_MEANWHILE' }

/** The recorded answer, with the time of then, since what is shown may depend on it. */
const replayOf = (
  subjects: Subjects,
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

/** A call's id begins with its actor's. */
const actorOfCall = (callId: string): string => callId.slice(0, callId.indexOf('.'))
