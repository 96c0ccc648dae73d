import type { AccountId, Entropy } from '../shared/ids.ts'
import { limits } from '../shared/limits.ts'
import { openAdvances } from './advances.ts'
import { keepEntry } from './apply.ts'
import type { ProviderCallRequest } from './calls.ts'
import { clockNow } from './clock.ts'
import type { Institution } from './context.ts'
import { newDraft } from './draft.ts'
import { type Engine, kindIn } from './engine.ts'
import type { Entry } from './entry.ts'
import type { IdempotencyRecord, Journal, Memory } from './ports.ts'
import { newReader } from './reader.ts'
import type { ActorStates, Answers, Command, Event, Query, Rejection, TimerParked } from './registry.ts'
import type { Reply } from './reply.ts'
import { type FlushedEntry, type Step, stateAfter } from './step.ts'
import { type ActorTarget, openSubjects, type Subjects } from './subjects.ts'
import { ShardUnavailable } from './unavailable.ts'

/** Companies with one writer and one journal. Commands never interleave: a turn is synchronous up to the journal. */
export type Shard = {
  /** Resolves when the command's facts, or the state that its refusal was decided on, are on disk. */
  readonly execute: (command: Command) => Promise<Reply>
  /** Resolves at once, unless what it tells of is not on disk yet or takes long to find: then others run in between. */
  readonly query: <Asked extends Query>(query: Asked) => Promise<Answers[Asked['type']]>
  /**
   * Fires what the environment clocks have made due, goes on with those that advance, and hands out the webhook attempts that
   * are due.
   */
  readonly tick: () => readonly ActorStates['delivery'][]
  /** Whether a tick would find something to do. */
  readonly hasDue: () => boolean
  /** Whether a tick has left timers that are due: that another one would fire at once, or that have to wait. */
  readonly timerBacklog: () => 'NO' | 'NOW' | 'SOON'
  /**
   * The calls to providers and banks that were on their way when the process ended: they are made again. Called once,
   * before anything else: transfers that waited for a bank to be connected are sent then.
   */
  readonly unansweredCalls: () => readonly ProviderCallRequest[]
  /**
   * Whoever waits for a provider is outcome that the outcome is unknown: the answer will come to another shard. Whoever waits
   * for a clock is outcome that it advances: it goes on there.
   */
  readonly close: () => void
}

export type ShardOptions = {
  readonly engine: Engine
  /** Part of the ids of public events. */
  readonly number: number
  readonly journal: Journal
  readonly memory: Memory
  /** Real time in epoch milliseconds. */
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly institution: Institution
  /** Lets other work run between the slices of a long job. */
  readonly pause: () => Promise<void>
  readonly onFlushed: (entry: FlushedEntry) => void
  /** A clock that advances can go on: a tick would do it. */
  readonly onDue: () => void
  /** Whether answers of providers wait to be outcome. They go first: timers that ask ever more would never let them end. */
  readonly hasWaitingAnswers?: () => boolean
  /** Whether deciding this due work has failed before: it is not tried again and again, but put aside. */
  readonly hasFailed?: (due: string) => boolean
}

/** Due work could not be decided, by an error of ours: nothing was done. */
export class DueWorkFailed extends Error {
  /** Its command, as JSON: the same whenever it is tried. */
  readonly due: string

  constructor(command: Command, cause: unknown) {
    super(`${command.type} could not be decided`, { cause })
    this.due = JSON.stringify(command)
  }
}

/** The engine is too far ahead of its journal: try again. */
const overloaded = new ShardUnavailable('the shard has too many entries waiting for its journal')

export const openShard = (options: ShardOptions): Shard => {
  const { engine, journal, memory, realNow, entropy, institution } = options
  const { evolve } = engine
  const subjects = openSubjects(engine, memory)
  const unflushed: FlushedEntry[] = []
  /** Calls to providers whose answer has not come. */
  const waiting = new Map<string, Waiting>()
  /** The newest entry that a request waits for. */
  let requestedTo = 0
  /** When a tick has fired something. */
  let firedAtMs = 0
  /** How many times a tick has looked after an account whose work is due. */
  let accountsFired = 0

  journal.onFlushed((sequence) => {
    let count = 0
    while (count < unflushed.length && unflushed[count]!.sequence <= sequence)
      options.onFlushed(unflushed[count++]!)
    unflushed.splice(0, count)
  })

  const execute = async (command: Command): Promise<Reply> => {
    if (journal.appended() - journal.flushed() > limits.unflushedEntriesMax) throw overloaded
    const atMs = realNow()
    const account = accountOf(command.accountId)
    // What comes from inside, as a provider's answer, keeps nobody waiting: a burst goes on at the next tick.
    const isRequest = command.by.kind === 'KEY' || command.by.kind === 'SANDBOX'
    const forMs = isRequest ? limits.timersBeforeRequestMs : null
    if (account !== undefined) fireDueTimers(account, atMs, forMs, subjects.targetOf(command))
    const reply = turn(command, atMs)
    if (isRequest) requestedTo = journal.appended()
    return reply
  }

  /** Decides, appends and applies. Only its answer waits: for the disk, and for a provider where it asks one. */
  const turn = (command: Command, atMs: number): Promise<Reply> | Reply => {
    const account = accountOf(command.accountId)
    const nowMs = account === undefined ? atMs : clockNow(account, atMs)
    const earlier = earlierReply(command, atMs)
    if (earlier !== undefined)
      return whenFlushed(earlier.sequence, replayOf(subjects, command, earlier, nowMs, atMs))
    const draft = newDraft(engine, memory, command.accountId, { nowMs, atMs, entropy, institution })
    const rejection = decided(draft, command)
    // Refusals wait too: they were decided on a state that may not be on disk yet.
    if (rejection !== null) return whenFlushed(journal.appended(), { accepted: false, rejection })
    const { steps } = draft
    const events = steps.map(({ event }) => event)
    if ('isPreview' in command && command.isPreview)
      return replyOf(command, { steps, sequence: journal.appended(), events }, true)
    if (steps.length > 0) commit(keyed(command, events), steps, atMs, events)
    const callId = subjects.awaitedCall(events)
    if (callId !== null) return waitFor(callId).then((outcome) => replyOf(command, outcome))
    const outcome = { steps, sequence: journal.appended(), events }
    return command.type === 'AdvanceClock'
      ? advances.arrival(command, acceptedReply(command, outcome))
      : replyOf(command, outcome)
  }

  const decided: Engine['decide'] = (draft, command) => {
    try {
      return engine.decide(draft, command)
    } catch (error) {
      throw command.by.kind === 'CLOCK' ? new DueWorkFailed(command, error) : error
    }
  }

  /** With the state that its facts have made; what is only foretold leaves that as it is. */
  const replyOf = (command: Command, outcome: CommandOutcome, isForetold = false): Promise<Reply> | Reply =>
    whenFlushed(outcome.sequence, acceptedReply(command, outcome, isForetold))

  const acceptedReply = (command: Command, { steps, events }: CommandOutcome, isForetold = false): Reply => {
    const [kind, id] = subjects.subjectOf(command)
    const state = (isForetold ? undefined : stateAfter(steps, id)) ?? memory.find(kind, id)!.state
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
      const calls = event.actor === 'account' ? undefined : kindIn(engine, event.actor).calls
      if (calls === undefined) continue
      const made = calls.madeBy(event)
      const answered = calls.answeredBy(event)
      if (made !== null) expect(made, accountId)
      else if (answered !== null) {
        waiting.get(answered)?.resolve({ steps, sequence: applied.sequence, events: [event] })
        waiting.delete(answered)
      }
    }
    advances.changed(accountId)
  }

  const expect = (callId: string, accountId: AccountId): void => {
    let resolve!: Waiting['resolve']
    let reject!: Waiting['reject']
    const answered = new Promise<CommandOutcome>((onAnswered, onAbandoned) => {
      resolve = onAnswered
      reject = onAbandoned
    })
    // Nobody may be waiting: a call that is made again is waited for by no request.
    answered.catch(() => undefined)
    waiting.set(callId, { accountId, resolve, reject, answered })
  }

  const waitFor = (callId: string): Promise<CommandOutcome> => waiting.get(callId)!.answered

  const isAsked = (id: AccountId): boolean => {
    for (const { accountId } of waiting.values()) if (accountId === id) return true
    return false
  }

  const abandonCalls = (reason: Error, accountId: AccountId | null = null): void => {
    for (const [callId, call] of waiting) {
      if (accountId !== null && call.accountId !== accountId) continue
      waiting.delete(callId)
      call.reject(reason)
    }
  }

  /** What a call comes to is the effect that the merchant's key stands for: it carries the key, too. */
  const keyed = (command: Command, events: readonly Event[]): Caused => {
    const [event] = events
    const calls =
      event === undefined || event.actor === 'account' ? undefined : kindIn(engine, event.actor).calls
    const callId = calls?.answeredBy(event!) ?? null
    if (callId === null) return command
    const idempotency = calls!.keyOfAnswer?.(memory.find(event!.actor, event!.id)!.state, callId, event!)
    const { accountId, traceparent } = command
    return idempotency ? { accountId, idempotency, traceparent } : command
  }

  /** What the command's key stands for already; undefined where it is new, or free again. */
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

  const whenFlushed = (sequence: number, reply: Reply): Promise<Reply> | Reply =>
    journal.settled(sequence)?.then(() => reply) ?? reply

  /** Of a burst some are left for later turns, but never those of the actor that this turn is about. */
  const fireDueTimers = (
    account: ActorStates['account'],
    atMs: number,
    forMs: number | null,
    target: ActorTarget | null,
  ): void => {
    const nowMs = clockNow(account, atMs)
    for (let fired = 0; forMs !== null && fired < limits.timersPerTurn; fired++) {
      const timer = memory.dueTimer(account.id, nowMs)
      if (timer === undefined) return
      fire(timer.command, atMs)
      if (realNow() - atMs >= forMs) break
    }
    for (;;) {
      const state = target === null ? undefined : memory.find(...target)?.state
      if (state === undefined || (state as Owned).accountId !== account.id) return
      const timer = engine.nextTimer(target![0], state)
      if (timer === null || timer.dueAtMs > nowMs) return
      fire(timer.command, atMs)
    }
  }

  /** Due work is a command like any other; nobody waits for its answer. */
  const fire = (command: Command, atMs: number): void => {
    const before = journal.appended()
    try {
      const reply = turn(command, atMs)
      if (reply instanceof Promise) reply.catch(() => undefined)
    } catch (error) {
      if (!(error instanceof DueWorkFailed && options.hasFailed?.(error.due))) throw error
    }
    if (journal.appended() === before) parked(command, atMs)
  }

  /** Due work that is refused, or that fails anew after a recovery, would be for ever: others must not wait for it. */
  const parked = (command: Command, atMs: number): void => {
    const [actor, id] = subjects.subjectOf(command)
    const { state } = memory.find(actor, id)!
    const nowMs = clockNow(accountOf(command.accountId)!, atMs)
    const fact = { actor, type: 'TimerParked', id, by: command.by, atMs: nowMs, due: command.type }
    const event = fact as TimerParked
    commit(command, [{ event, after: evolve(state, event) }], atMs)
  }

  const runQuery = async <Asked extends Query>(query: Asked): Promise<Answers[Asked['type']]> => {
    const realMs = realNow()
    const account = accountOf(query.accountId)
    if (account !== undefined)
      fireDueTimers(account, realMs, limits.timersBeforeRequestMs, subjects.targetOf(query))
    const reader = newReader(query.accountId, memory, realMs, journal.appended, options.number)
    const work = engine.answer(query, reader)
    for (;;) {
      const step = work.next()
      if (step.done) {
        await journal.settled(step.value.sequence)
        return step.value.value as Answers[Asked['type']]
      }
      await options.pause()
    }
  }

  const tick: Shard['tick'] = () => {
    const atMs = realNow()
    advances.answerLate(atMs)
    if (!isHeld(atMs)) fireInTurn(atMs)
    return memory.takeDueAttempts(atMs, limits.timersPerTurn)
  }

  /** However many accounts are due, a tick takes no longer for all of them than for one: the next begins where this one ended. */
  const fireInTurn = (atMs: number): void => {
    const due = accountsDue(atMs)
    if (due.length > 0) firedAtMs = atMs
    for (let count = 0; count < due.length; count++) {
      const account = accountOf(due[accountsFired++ % due.length]!)!
      if (account.advance === null) fireDueTimers(account, atMs, limits.timersPerTickMs, null)
      else advances.goOn(account.id, atMs + limits.timersPerTickMs)
      if (realNow() - atMs >= limits.timersPerTickMs) return
    }
  }

  const timerBacklog = (): 'NO' | 'NOW' | 'SOON' => {
    const atMs = realNow()
    if (accountsDue(atMs).every(advances.stands)) return 'NO'
    return isHeld(atMs) ? 'SOON' : 'NOW'
  }

  const accountsDue = (atMs: number): readonly AccountId[] =>
    memory.accountsDue((id) => clockNow(accountOf(id)!, atMs))

  /** Due work gives way: to answers that came, to a disk that it would outrun and, but for a share, to requests. */
  const isHeld = (atMs: number): boolean => {
    if (options.hasWaitingAnswers?.()) return true
    if (journal.appended() - journal.flushed() > limits.unflushedByTimersMax) return true
    return requestedTo > journal.flushed() && atMs - firedAtMs < limits.timersAtLeastEveryMs
  }

  const unansweredCalls = (): readonly ProviderCallRequest[] => {
    const requests: ProviderCallRequest[] = []
    for (const id of [...memory.awaitingProvider()]) {
      const kind = subjects.kindOfId(id)
      const calls = kindIn(engine, kind).calls!
      const { state } = memory.find(kind, id)!
      const { accountId } = state as Owned
      const command = calls.resume?.(state, institution) ?? null
      if (command !== null) fire(command, realNow())
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
    fire,
    commit: (event) => {
      const after = evolve(accountOf(event.id), event)
      commit({ accountId: event.id }, [{ event, after }], realNow())
    },
    isAsked,
    answer: (command) => replyOf(command, { steps: [], sequence: journal.appended(), events: [] }),
    refuse: () => whenFlushed(journal.appended(), { accepted: false, rejection: resetMeanwhile }),
    onDue: options.onDue,
  })

  return {
    execute,
    query: runQuery,
    tick,
    hasDue,
    timerBacklog,
    unansweredCalls,
    close: () => {
      abandonCalls(closed)
      advances.close()
    },
  }
}

/** What a command came to, and where in the journal. */
type CommandOutcome = {
  readonly steps: readonly Step[]
  readonly sequence: number
  /** Its own facts: one entry can end several calls. */
  readonly events: readonly Event[]
}

/** What an entry has of the command that caused it. */
type Caused = Pick<Command, 'accountId' | 'idempotency' | 'traceparent'>

/** Every actor but the account belongs to one. */
type Owned = { readonly accountId: AccountId }

type Waiting = {
  readonly accountId: AccountId
  readonly resolve: (outcome: CommandOutcome) => void
  /** No answer will come. */
  readonly reject: (reason: Error) => void
  readonly answered: Promise<CommandOutcome>
}

const cleared = new ShardUnavailable('the Sandbox was reset meanwhile')
const closed = new ShardUnavailable('the shard stopped before the provider answered')
const resetMeanwhile: Rejection = { reason: 'CLOCK_RESET_MEANWHILE' }

/** What was answered then, at the time of then: what is shown may depend on it. */
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

/** A call's id begins with that of its actor. */
const actorOfCall = (callId: string): string => callId.slice(0, callId.indexOf('.'))
