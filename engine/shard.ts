import type { Account, AccountEvent, PixKey } from './account/account.ts'
import { settleDay } from './account/settle-day.ts'
import { type ActorKind, type ActorState, nextTimer } from './actors.ts'
import { answer } from './answer.ts'
import {
  applyEntry,
  callOpenedBy,
  type FlushedEntry,
  keepEntry,
  partOf,
  stateAfter,
  stepsOf,
} from './apply.ts'
import { assert, unreachable } from './assert.ts'
import { addDuration, readDuration } from './calendar.ts'
import type { AdvanceClock, Command, OpenAccount } from './commands.ts'
import { type Context, contextId, type Institution } from './context.ts'
import { linkCustomer, type Register, registerCustomer } from './customer/link.ts'
import { accept, type Decision, type Rejection, reject } from './decision.ts'
import { cancelDelivery, recordAttempt, resendDelivery, scheduleDeliveries } from './delivery/decide.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { Entry, Event } from './events.ts'
import type { AccountId, Entropy, SettlementId } from './ids.ts'
import { limits } from './limits.ts'
import { keyOfAnswer } from './methods/card/payment.ts'
import type { Journal, KeptReply, Memory } from './ports.ts'
import { type ProviderRequest, providerRequest } from './providers.ts'
import type { Answers, Query } from './queries.ts'
import { hasReactions, reactionsTo } from './reactions.ts'
import { decideTransaction, type TransactionCommand } from './transaction/decide.ts'
import type { TransactionEvent } from './transaction/events.ts'
import { evolveTransaction } from './transaction/evolve.ts'
import type { Transaction } from './transaction/transaction.ts'
import type { Turn } from './transaction/turn.ts'
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
  /** The calls to providers that were on their way when the process ended: they are made again. */
  readonly unansweredCalls: () => readonly ProviderRequest[]
  /** Whoever waits for a provider is told that the outcome is unknown: the answer will come to another shard. */
  readonly close: () => void
}

export type Reply =
  | {
      readonly accepted: true
      readonly replayed: boolean
      readonly state: ActorState
      /** The refund, chargeback or MED of the state that the command was about. */
      readonly partId: string | null
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
  /** Calls to providers whose answer has not come. */
  const waiting = new Map<string, Waiting>()

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
    if (account !== undefined) fireDueTimers(account, atMs, transactionOf(command))
    return turn(command, atMs)
  }

  /** Decides, appends and applies. Only its answer waits: for the disk, and for a provider where it asks one. */
  const turn = (command: Command, atMs: number): Promise<Reply> | Reply => {
    const account = accountOf(command.accountId)
    const nowMs = atMs + (account?.clockOffsetMs ?? 0)
    const earlier = earlierReply(command, atMs)
    if (earlier !== undefined) return whenFlushed(earlier.sequence, replayOf(command, earlier, nowMs, atMs))
    const decision = decide(command, account, { nowMs, atMs, entropy, institution })
    // Refusals wait too: they were decided on a state that may not be on disk yet.
    if (!decision.accepted) return whenFlushed(journal.appended(), decision)
    const entry =
      decision.events.length === 0 ? null : commit(keyed(command, decision.events), decision.events, atMs)
    const [kind, id] = subjectOf(command, memory)
    const state = (entry && stateAfter(entry.steps, id)) ?? memory.find(kind, id)!.state
    const callId = callOpenedBy(decision.events)
    if (callId !== null) return waitFor(callId).then((told) => replyOf(command, told))
    return replyOf(command, {
      state,
      sequence: entry?.sequence ?? journal.appended(),
      events: decision.events,
    })
  }

  const replyOf = (command: Command, { state, sequence, events }: Told): Promise<Reply> | Reply => {
    const realMs = realNow()
    const { accountId } = state as { readonly accountId?: AccountId }
    const { clockOffsetMs } = accountOf(accountId ?? (state.id as AccountId))!
    const partId = partOf(command, events, state)
    const nowMs = realMs + clockOffsetMs
    return whenFlushed(sequence, { accepted: true, replayed: false, state, partId, nowMs, realMs })
  }

  const commit = (
    { accountId, idempotency }: Pick<Command, 'accountId' | 'idempotency'>,
    events: readonly Event[],
    atMs: number,
  ): FlushedEntry => {
    const entry: Entry = { accountId, atMs, events, ...(idempotency && { idempotency }) }
    // Before it is appended: facts that break an invariant must not be what the shard recovers from.
    const steps = stepsOf(memory, journal.appended() + 1, entry)
    const applied = keepEntry(memory, journal.append(entry), entry, steps)
    unflushed.push(applied)
    for (const { event } of applied.steps) {
      if (event.type === 'SandboxCleared') abandonCalls(cleared, event.id)
      if (event.actor !== 'transaction') continue
      if (event.type === 'ProviderCalled') expect(event.call.id, accountId)
      else if (event.type === 'ProviderCalledAgain') expect(event.callId, accountId)
      else if ('callId' in event && event.callId !== null) {
        const state = stateAfter(applied.steps, event.id)!
        waiting.get(event.callId)?.resolve({ state, sequence: applied.sequence, events: [event] })
        waiting.delete(event.callId)
      }
    }
    return applied
  }

  const expect = (callId: string, accountId: AccountId): void => {
    let resolve!: Waiting['resolve']
    let reject!: Waiting['reject']
    const answered = new Promise<Told>((onAnswered, onAbandoned) => {
      resolve = onAnswered
      reject = onAbandoned
    })
    // Nobody may be waiting: a call that is made again is waited for by no request.
    answered.catch(() => undefined)
    waiting.set(callId, { accountId, resolve, reject, answered })
  }

  const waitFor = (callId: string): Promise<Told> => waiting.get(callId)!.answered

  const abandonCalls = (reason: Error, accountId: AccountId | null = null): void => {
    for (const [callId, call] of waiting) {
      if (accountId !== null && call.accountId !== accountId) continue
      waiting.delete(callId)
      call.reject(reason)
    }
  }

  /** What a call comes to is the effect that the merchant's key stands for: it carries the key, too. */
  const keyed = (command: Command, events: readonly Event[]): Pick<Command, 'accountId' | 'idempotency'> => {
    const [event] = events
    if (event?.actor !== 'transaction' || !('callId' in event) || event.callId === null) return command
    const call = memory.find('transaction', event.id)!.state.calls.find(({ id }) => id === event.callId)
    const idempotency = call && keyOfAnswer(call, event)
    return idempotency ? { accountId: command.accountId, idempotency } : command
  }

  /** What the command's key stands for already; undefined where it is new, or free again. */
  const earlierReply = (command: Command, atMs: number): KeptReply | undefined => {
    if (command.idempotency === undefined) return undefined
    const earlier = memory.findReply(command.accountId, command.idempotency.key, atMs)
    const callId = earlier === undefined ? null : callOpenedBy(earlier.events)
    if (callId === null || waiting.has(callId) || isOpen(callId, earlier!)) return earlier
    // A call that came to nothing has left its key free. A refund exists from its request on.
    const events = earlier!.events.filter(({ type }) => type !== 'ProviderCalled')
    return events.some(({ type }) => type === 'RefundRequested') ? { ...earlier!, events } : undefined
  }

  const isOpen = (callId: string, { state }: KeptReply): boolean => {
    const { calls } = memory.find('transaction', state.id)!.state
    return calls.some(({ id }) => id === callId)
  }

  const whenFlushed = (sequence: number, reply: Reply): Promise<Reply> | Reply =>
    journal.settled(sequence)?.then(() => reply) ?? reply

  const decide = (command: Command, account: Account | undefined, context: Context): Decision<Event> => {
    if (command.type === 'OpenAccount') return openAccount(account, command, context)
    if (account === undefined) return reject({ reason: 'ACCOUNT_ABSENT' })
    const fact = { actor: 'account', id: account.id, atMs: context.nowMs } as const
    switch (command.type) {
      case 'RegisterCustomer':
        return accept<Event>(registerCustomer(command, account, context))
      case 'CreateCharge':
      case 'SeedTransaction': {
        const linked = linkCustomer(command, account, registerOf(account), context)
        if (!linked.ok) return reject(linked.rejection)
        const turn = { account, context, settledAt, payer: linked.payer }
        return decideOn(undefined, command, turn, linked.registered)
      }
      case 'ReceivePix':
      case 'ReceiveUnrequestedPix':
      case 'CancelCharge':
      case 'ExpireCharge':
      case 'PayBoleto':
      case 'ClearBoleto':
      case 'MarkOverdue':
      case 'CaptureCharge':
      case 'CancelCardPayment':
      case 'RecordAnswer':
      case 'CallAgain':
      case 'GiveUpAuthorization':
      case 'ResolveAuthorization':
      case 'RequestRefund':
      case 'ResolveRefund':
      case 'OpenChargeback':
      case 'DisputeChargeback':
      case 'ResolveChargeback':
      case 'OpenMed':
      case 'CloseMed':
      case 'SettleTransaction': {
        const turn = { account, context, settledAt, payer: nobody }
        return decideOn(ownTransaction(account, command), command, turn, [])
      }
      case 'SettleDay':
        return settleDay(account, command, context.nowMs)
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

  /** The transaction's own facts, with what they make its neighbours write before and after them. */
  const decideOn = (
    transaction: Transaction | undefined,
    command: TransactionCommand,
    turn: Turn,
    before: readonly Event[],
  ): Decision<Event> => {
    const decision = decideTransaction(transaction, command, turn)
    return decision.accepted ? withReactions(transaction, before, decision.events, turn.account) : decision
  }

  const ownTransaction = (account: Account, command: TransactionCommand): Transaction | undefined => {
    const transaction =
      'partId' in command
        ? memory.ownerOf(command.partId)?.state
        : memory.find('transaction', command.transactionId)?.state
    return transaction?.accountId === account.id ? transaction : undefined
  }

  const registerOf = (account: Account): Register => ({
    find: (id) => memory.find('customer', id)?.state,
    withDocument: (document) => memory.lookup('customer', account.id, document).map(({ state }) => state),
  })

  const settledAt = (id: SettlementId): number | null => memory.find('batch', id)?.state.settledAtMs ?? null

  /** Moves from due time to due time, so that every job finds the clock at its own moment. */
  const advanceClock = async (command: AdvanceClock): Promise<Reply> => {
    const start = accountOf(command.accountId)
    if (start === undefined) return { accepted: false, rejection: { reason: 'ACCOUNT_ABSENT' } }
    const startMs = realNow() + start.clockOffsetMs
    const toMs =
      'toMs' in command.step ? command.step.toMs : addDuration(startMs, readDuration(command.step.by)!)
    const refusal = clockRefusal(toMs, startMs)
    if (refusal !== null) return whenFlushed(journal.appended(), { accepted: false, rejection: refusal })
    for (let fired = 1; ; fired++) {
      const timer = memory.dueTimer(command.accountId, toMs)
      if (timer === undefined) break
      const account = accountOf(command.accountId)!
      if (timer.dueAtMs > realNow() + account.clockOffsetMs) moveClock(account, timer.dueAtMs)
      fire(timer.command, realNow())
      // The next job must find what a provider said to this one.
      await Promise.allSettled(callsOf(command.accountId))
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
      partId: null,
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
      commit({ accountId: account.id }, [moved], atMs)
    }
  }

  const callsOf = (accountId: AccountId): readonly Promise<Told>[] =>
    [...waiting.values()].filter((call) => call.accountId === accountId).map(({ answered }) => answered)

  /** Of a burst some are left for later turns, but never those of the transaction that this turn is about. */
  const fireDueTimers = (account: Account, atMs: number, about: string | null): void => {
    const nowMs = atMs + account.clockOffsetMs
    for (let fired = 0; fired < limits.timersPerTurn; fired++) {
      const timer = memory.dueTimer(account.id, nowMs)
      if (timer === undefined) return
      fire(timer.command, atMs)
    }
    for (;;) {
      const transaction = about === null ? undefined : memory.find('transaction', about)?.state
      if (transaction?.accountId !== account.id) return
      const timer = nextTimer('transaction', transaction)
      if (timer === null || timer.dueAtMs > nowMs) return
      fire(timer.command, atMs)
    }
  }

  const transactionOf = (command: Command): string | null => {
    if ('partId' in command) return memory.ownerOf(command.partId)?.state.id ?? null
    return 'transactionId' in command ? command.transactionId : null
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
    const about = 'transactionId' in query ? query.transactionId : null
    if (account !== undefined) fireDueTimers(account, realMs, about)
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
      fireDueTimers(accountOf(id)!, atMs, null)
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

  const unansweredCalls = (): readonly ProviderRequest[] => {
    const requests: ProviderRequest[] = []
    for (const id of memory.asking()) {
      const transaction = memory.find('transaction', id)!.state
      const { accountId } = transaction
      const nowMs = realNow() + accountOf(accountId)!.clockOffsetMs
      for (const call of transaction.calls) {
        if (call.dueAtMs !== null) continue
        expect(call.id, accountId)
        requests.push(providerRequest(transaction, call, nowMs))
      }
    }
    return requests
  }

  const accountOf = (id: AccountId): Account | undefined => memory.find('account', id)?.state

  return { tell, ask, tick, recover, unansweredCalls, close: () => abandonCalls(closed) }
}

/** What a command came to, and where in the journal. */
type Told = {
  readonly state: ActorState
  readonly sequence: number
  /** Its own facts: one entry can end several calls. */
  readonly events: readonly Event[]
}

type Waiting = {
  readonly accountId: AccountId
  readonly resolve: (told: Told) => void
  /** No answer will come. */
  readonly reject: (reason: Error) => void
  readonly answered: Promise<Told>
}

const nobody = { customer: null, customerId: null } as const

const cleared = new ShardUnavailable('the Sandbox was reset meanwhile')
const closed = new ShardUnavailable('the shard stopped before the provider answered')

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

const withReactions = (
  transaction: Transaction | undefined,
  before: readonly Event[],
  events: readonly TransactionEvent[],
  account: Account,
): Decision<Event> => {
  const first: Event[] = [...before]
  const after: Event[] = []
  let state = transaction
  for (const [n, event] of events.entries()) {
    const isLast = events.slice(n).every((later) => !hasReactions(later))
    if (isLast) break
    state = evolveTransaction(state, event)
    if (!hasReactions(event)) continue
    const reactions = reactionsTo(event, state, account)
    first.push(...reactions.first)
    after.push(...reactions.after)
  }
  return accept(...first, ...events, ...after)
}

const clockRefusal = (toMs: number, nowMs: number): Rejection | null => {
  if (toMs < nowMs) return { reason: 'CLOCK_CANNOT_GO_BACK' }
  if (toMs - nowMs > limits.clockStepMsMax || toMs > limits.clockMsMax)
    return { reason: 'CLOCK_STEP_TOO_LONG' }
  return null
}

const replayOf = (command: Command, earlier: KeptReply, nowMs: number, realMs: number): Reply => {
  const { fingerprint, state, events } = earlier
  if (fingerprint !== command.idempotency!.fingerprint)
    return { accepted: false, rejection: { reason: 'IDEMPOTENCY_KEY_REUSED' } }
  if (callOpenedBy(events) !== null)
    return { accepted: false, rejection: { reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' } }
  return { accepted: true, replayed: true, state, partId: partOf(command, events, state), nowMs, realMs }
}

/** The actor whose state answers a command. */
const subjectOf = (command: Command, memory: Memory): [ActorKind, string] => {
  if ('partId' in command) return ['transaction', memory.ownerOf(command.partId)!.state.id]
  if ('transactionId' in command) return ['transaction', command.transactionId]
  if (command.type === 'RegisterCustomer') return ['customer', command.customerId]
  return ['account', command.accountId]
}

/** A version 4 UUID in lower case (RFC 9562, section 5.4), as random PIX keys are. */
const randomUuid = (entropy: Entropy): string => {
  const hex = Array.from({ length: 4 }, () => entropy().toString(16).padStart(8, '0')).join('')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
