import type { Account, AccountEvent, PixKey } from './account/account.ts'
import { type ActorKind, type ActorState, evolve } from './actors.ts'
import { answer } from './answer.ts'
import { applyEntry, type FlushedEntry, stateAfter } from './apply.ts'
import { assert, unreachable } from './assert.ts'
import { addDuration, readDuration } from './calendar.ts'
import type { AdvanceClock, Command, OpenAccount } from './commands.ts'
import { type Context, contextId, type Institution } from './context.ts'
import { accept, type Decision, type Rejection, reject } from './decision.ts'
import { cancelDelivery, recordAttempt, resendDelivery, scheduleDeliveries } from './delivery/decide.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { Entry, Event } from './events.ts'
import type { AccountId, Entropy } from './ids.ts'
import { limits } from './limits.ts'
import type { Journal, KeptReply, Memory } from './ports.ts'
import type { Answers, Query } from './queries.ts'
import { hasReactions, reactionsTo } from './reactions.ts'
import { decideTransaction } from './transaction/decide.ts'
import type { Transaction } from './transaction/transaction.ts'
import { ShardUnavailable } from './unavailable.ts'

/** Companies with one writer and one journal. Commands never interleave: a turn is synchronous up to the journal. */
export type Shard = {
  /** Resolves when the command's facts, or the state that its refusal was decided on, are on disk. */
  readonly tell: (command: Command) => Promise<Reply>
  /** Resolves at once, unless what it tells of is not on disk yet or takes long to find: then others run in between. */
  readonly ask: <Asked extends Query>(query: Asked) => Promise<Answers[Asked['type']]>
  /** Fires what the environment clocks have made due, and hands out the webhook attempts that are due. */
  readonly tick: () => readonly Delivery[]
  /** Applies what the journal holds beyond the snapshot. Called once, before anything else. */
  readonly recover: (afterSequence: number) => number
}

export type Reply =
  | {
      readonly accepted: true
      readonly replayed: boolean
      readonly state: ActorState
      readonly nowMs: number
      readonly realMs: number
    }
  | { readonly accepted: false; readonly rejection: Rejection }

export type ShardOptions = {
  readonly journal: Journal
  readonly memory: Memory
  /** Real time in epoch milliseconds. */
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly institution: Institution
  /** Lets other work run between the slices of a long job. */
  readonly pause: () => Promise<void>
  readonly onFlushed: (entry: FlushedEntry) => void
}

/** The engine is too far ahead of its journal: try again. */
const overloaded = new ShardUnavailable('the shard has too many entries waiting for its journal')

export const openShard = (options: ShardOptions): Shard => {
  const { journal, memory, realNow, entropy, institution } = options
  const unflushed: FlushedEntry[] = []

  journal.onFlushed((sequence) => {
    let count = 0
    while (count < unflushed.length && unflushed[count]!.sequence <= sequence)
      options.onFlushed(unflushed[count++]!)
    unflushed.splice(0, count)
  })

  const tell = async (command: Command): Promise<Reply> => {
    if (journal.appended() - journal.flushed() > limits.unflushedEntriesMax) throw overloaded
    if (command.type === 'AdvanceClock') return advanceClock(command)
    const atMs = realNow()
    const account = accountOf(command.accountId)
    if (account !== undefined) fireDueTimers(account, atMs)
    return turn(command, atMs)
  }

  /** Decides, appends and applies. Only its answer waits for the disk. */
  const turn = (command: Command, atMs: number): Promise<Reply> | Reply => {
    const account = accountOf(command.accountId)
    const nowMs = atMs + (account?.clockOffsetMs ?? 0)
    const earlier = earlierReply(command, atMs)
    if (earlier !== undefined) return whenFlushed(earlier.sequence, replayOf(command, earlier, nowMs, atMs))
    const decision = decide(command, account, { nowMs, atMs, entropy, institution })
    // Refusals wait too: they were decided on a state that may not be on disk yet.
    if (!decision.accepted) return whenFlushed(journal.appended(), decision)
    const [kind, id] = subjectOf(command)
    const entry = decision.events.length === 0 ? null : commit(command, decision.events, atMs)
    const state = (entry && stateAfter(entry.steps, id)) ?? memory.find(kind, id)!.state
    const sequence = entry?.sequence ?? journal.appended()
    const offsetMs = accountOf(command.accountId)!.clockOffsetMs
    const reply = { accepted: true, replayed: false, state, nowMs: atMs + offsetMs, realMs: atMs } as const
    return whenFlushed(sequence, reply)
  }

  const commit = (command: Command, events: readonly Event[], atMs: number): FlushedEntry => {
    const { accountId, idempotency } = command
    const entry: Entry = { accountId, atMs, events, ...(idempotency && { idempotency }) }
    const applied = applyEntry(memory, journal.append(entry), entry)
    unflushed.push(applied)
    return applied
  }

  const earlierReply = (command: Command, atMs: number): KeptReply | undefined =>
    command.idempotency && memory.findReply(command.accountId, command.idempotency.key, atMs)

  const whenFlushed = (sequence: number, reply: Reply): Promise<Reply> | Reply =>
    journal.settled(sequence)?.then(() => reply) ?? reply

  const decide = (command: Command, account: Account | undefined, context: Context): Decision<Event> => {
    if (command.type === 'OpenAccount') return openAccount(account, command, context)
    if (account === undefined) return reject({ reason: 'ACCOUNT_ABSENT' })
    const fact = { actor: 'account', id: account.id, atMs: context.nowMs } as const
    switch (command.type) {
      case 'CreateCharge':
      case 'ReceivePix':
      case 'ReceiveUnrequestedPix':
      case 'CancelCharge':
      case 'ExpireCharge': {
        const transaction = ownTransaction(account, command.transactionId)
        const decision = decideTransaction(transaction, command, account, context)
        return decision.accepted ? withReactions(transaction, decision.events, account) : decision
      }
      case 'ResetClock':
        return accept<Event>({ ...fact, type: 'ClockMoved', clockOffsetMs: 0, atMs: context.atMs })
      case 'RequestSampleEvent':
        return accept<Event>({ ...fact, type: 'SampleEventRequested', eventType: command.eventType })
      case 'ClearSandbox':
        return accept<Event>({ ...fact, type: 'SandboxCleared' })
      case 'ScheduleDeliveries':
        return scheduleDeliveries(command, (id) => memory.find('delivery', id)?.state, context)
      case 'RecordAttempt':
        return recordAttempt(memory.find('delivery', command.deliveryId)?.state, command)
      case 'CancelDelivery':
        return cancelDelivery(memory.find('delivery', command.deliveryId)?.state, command)
      case 'ResendDelivery':
        return resendDelivery(memory.find('delivery', command.deliveryId)?.state, command, context)
      case 'AdvanceClock':
        throw new Error('a clock advances in slices, not in one turn')
      default:
        return unreachable(command)
    }
  }

  const ownTransaction = (account: Account, id: string): Transaction | undefined => {
    const transaction = memory.find('transaction', id)?.state
    return transaction?.accountId === account.id ? transaction : undefined
  }

  /** Moves from due time to due time, so that every job finds the clock at its own moment. */
  const advanceClock = async (command: AdvanceClock): Promise<Reply> => {
    const start = accountOf(command.accountId)
    if (start === undefined) return { accepted: false, rejection: { reason: 'ACCOUNT_ABSENT' } }
    const startMs = realNow() + start.clockOffsetMs
    const toMs =
      'toMs' in command.step ? command.step.toMs : addDuration(startMs, readDuration(command.step.by)!)
    const refusal = clockRefusal(toMs, startMs)
    if (refusal !== null) return whenFlushed(journal.appended(), { accepted: false, rejection: refusal })
    const by = command.by
    for (let fired = 1; ; fired++) {
      const timer = memory.dueTimer(command.accountId, toMs)
      if (timer === undefined) break
      const account = accountOf(command.accountId)!
      if (timer.dueAtMs > realNow() + account.clockOffsetMs) moveClock(account, timer.dueAtMs)
      fire(timer.command, realNow())
      if (fired % limits.timersPerTurn === 0) await options.pause()
    }
    const account = accountOf(command.accountId)!
    if (toMs > realNow() + account.clockOffsetMs) moveClock(account, toMs)
    const state = accountOf(command.accountId)!
    const realMs = realNow()
    const reply = {
      accepted: true,
      replayed: false,
      state,
      nowMs: realMs + state.clockOffsetMs,
      realMs,
    } as const
    return whenFlushed(journal.appended(), reply)

    function moveClock(account: Account, toMs: number): void {
      const atMs = realNow()
      const moved: AccountEvent = {
        actor: 'account',
        type: 'ClockMoved',
        id: account.id,
        atMs: toMs,
        clockOffsetMs: toMs - atMs,
      }
      commit({ type: 'ResetClock', accountId: account.id, by }, [moved], atMs)
    }
  }

  const fireDueTimers = (account: Account, atMs: number): void => {
    for (let fired = 0; fired < limits.timersPerTurn; fired++) {
      const timer = memory.dueTimer(account.id, atMs + account.clockOffsetMs)
      if (timer === undefined) return
      fire(timer.command, atMs)
    }
  }

  /** Due work is a command like any other; nobody waits for its answer. */
  const fire = (command: Command, atMs: number): void => {
    const before = journal.appended()
    const reply = turn(command, atMs)
    if (reply instanceof Promise) reply.catch(() => undefined)
    assert(journal.appended() > before, 'due work changes the state that made it due')
  }

  const ask = async <Asked extends Query>(query: Asked): Promise<Answers[Asked['type']]> => {
    const realMs = realNow()
    const account = accountOf(query.accountId)
    if (account !== undefined) fireDueTimers(account, realMs)
    const work = answer(query, memory, account, realMs, journal.appended)
    for (;;) {
      const step = work.next()
      if (step.done) {
        await journal.settled(step.value.sequence)
        return step.value.value as Answers[Asked['type']]
      }
      await options.pause()
    }
  }

  const tick = (): readonly Delivery[] => {
    const atMs = realNow()
    for (const id of memory.accountsDue((id) => atMs + (accountOf(id)?.clockOffsetMs ?? 0))) {
      fireDueTimers(accountOf(id)!, atMs)
    }
    return memory.takeDueAttempts(atMs, limits.timersPerTurn)
  }

  const recover = (afterSequence: number): number => {
    let count = 0
    for (const { sequence, record } of journal.replay(afterSequence)) {
      options.onFlushed(applyEntry(memory, sequence, record))
      count++
    }
    return count
  }

  const accountOf = (id: AccountId): Account | undefined => memory.find('account', id)?.state

  return { tell, ask, tick, recover }
}

const openAccount = (
  account: Account | undefined,
  command: OpenAccount,
  context: Context,
): Decision<Event> => {
  if (account !== undefined) return accept()
  const pixKey: PixKey = {
    id: contextId(context, 'pxk'),
    type: 'EVP',
    key: randomUuid(context.entropy),
    createdAtMs: context.atMs,
  }
  const { accountId: id, profile } = command
  return accept<Event>({ actor: 'account', type: 'AccountOpened', id, atMs: context.atMs, profile, pixKey })
}

/** The transaction's own facts, with what they make its neighbours write before and after them. */
const withReactions = (
  transaction: Transaction | undefined,
  events: readonly Event[],
  account: Account,
): Decision<Event> => {
  const first: Event[] = []
  const after: Event[] = []
  events.forEach((event, n) => {
    if (!hasReactions(event)) return
    const state = events.slice(0, n + 1).reduce<ActorState | undefined>(evolve, transaction) as Transaction
    const reactions = reactionsTo(event, state, account)
    first.push(...reactions.first)
    after.push(...reactions.after)
  })
  return accept(...first, ...events, ...after)
}

const clockRefusal = (toMs: number, nowMs: number): Rejection | null => {
  if (toMs < nowMs) return { reason: 'CLOCK_CANNOT_GO_BACK' }
  if (toMs - nowMs > limits.clockStepMsMax) return { reason: 'CLOCK_STEP_TOO_LONG' }
  return null
}

const replayOf = (command: Command, earlier: KeptReply, nowMs: number, realMs: number): Reply =>
  earlier.fingerprint === command.idempotency!.fingerprint
    ? { accepted: true, replayed: true, state: earlier.state, nowMs, realMs }
    : { accepted: false, rejection: { reason: 'IDEMPOTENCY_KEY_REUSED' } }

/** The actor whose state answers a command. */
const subjectOf = (command: Command): [ActorKind, string] => {
  if ('transactionId' in command) return ['transaction', command.transactionId]
  return ['account', command.accountId]
}

/** A version 4 UUID in lower case (RFC 9562, section 5.4), as random PIX keys are. */
const randomUuid = (entropy: Entropy): string => {
  const hex = Array.from({ length: 4 }, () => entropy().toString(16).padStart(8, '0')).join('')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
