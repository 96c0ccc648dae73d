/**
 * The kernel runs actors without knowing any of them: a shard takes commands and queries, decides, journals,
 * applies, fires due work and calls providers. Other folders register their actors here by declaration merging.
 */

import { bounds } from '../shared/bounds.ts'
import type { AccountId } from '../shared/ids.ts'
import { isAsker } from '../shared/initiator.ts'
import { beginAdvance } from './advances.ts'
import type { ProviderCallRequest } from './calls.ts'
import { clockNow } from './clock.ts'
import { fire, fireDueTimers, holdWork, isWritable } from './due-timers.ts'
import { kindIn } from './engine-definition.ts'
import { type Handler, handlerOf, isGone, passOn, type Waiter } from './handler.ts'
import { newShard, type OpenShard, type Owned, type ShardOptions } from './open-shard.ts'
import { newReader } from './reader.ts'
import type { ActorStates, Command, Query } from './registry.ts'
import type { Reply } from './reply.ts'
import { hasDue, tick, timerBacklog } from './tick.ts'
import { replyAccepted, runTurn } from './turn.ts'
import { AskerLeft, ShardUnavailable } from './unavailable.ts'
import { abandonAll, expectAnswer, resolveAt } from './waiting.ts'
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

/** Opens a shard on a memory that is caught up with its journal. */
export const openShard = (options: ShardOptions): Shard => {
  const shard = newShard(options)
  options.journal.onFlushed((sequence) => passFlushed(shard, sequence))
  return {
    tick: () => tick(shard),
    hasDue: () => hasDue(shard),
    timerBacklog: () => timerBacklog(shard),
    unansweredCalls: () => unansweredCalls(shard),
    close: () => abandonAll(shard),
    ...handlerOf(
      (command, to) => perform(shard, command, to),
      (query, to) => answer(shard, query, to),
    ),
  }
}

const perform = (shard: OpenShard, command: Command, to: Waiter<Reply>): void => {
  const { journal, memory } = shard
  if (journal.appended() - journal.flushed() > bounds.unflushedEntriesMax) return void to.reject(overloaded)
  const atMs = shard.realNow()
  const account = memory.find('account', command.accountId)?.state
  // Commands from inside, such as a provider's answer, have no client waiting: a burst of timers continues at the
  // next tick.
  const isRequest = isAsker(command.by)
  const forMs = isRequest ? bounds.timersBeforeRequestMs : null
  if (account !== undefined) fireDueTimers(shard, account, atMs, forMs, shard.subjects.targetOf(command))
  const outcome = runTurn(shard, command, atMs, to)
  if (outcome !== null && command.type === 'AdvanceClock') beginAdvance(shard, command, outcome, to)
  else if (outcome !== null) replyAccepted(shard, command, outcome, to)
  if (isRequest) shard.requestedTo = journal.appended()
}

const answer = (shard: OpenShard, query: Query, to: Waiter<never>): void => {
  const { engine, memory, journal, options } = shard
  const realMs = shard.realNow()
  const account = memory.find('account', query.accountId)?.state
  // Each attempt begins with a look at its delivery, which no environment clock changes: a burst of timers would outrun the attempts.
  if (account !== undefined && query.type !== 'FindDelivery')
    fireDueTimers(shard, account, realMs, bounds.timersBeforeRequestMs, shard.subjects.targetOf(query))
  const { institution } = shard
  const reader = newReader(query.accountId, memory, realMs, journal.appended, options.number, institution)
  const work = engine.answer(query, reader)
  const step = work.next()
  if (step.done) resolveAt(shard, step.value.sequence, step.value.value as never, to)
  else
    passOn(inSlices(work, options.pause, to), {
      resolve: ({ sequence, value }) => resolveAt(shard, sequence, value as never, to),
      reject: (error) => to.reject(error),
    })
}

/** Finishes work that takes long, with other work in between, unless the one who waits for it leaves. */
const inSlices = async <Value>(
  work: Work<Value>,
  pause: () => Promise<void>,
  to: Waiter<never>,
): Promise<Value> => {
  for (;;) {
    await pause()
    if (isGone(to)) throw askerLeft
    const step = work.next()
    if (step.done) return step.value
  }
}

const passFlushed = ({ unflushed, options }: OpenShard, sequence: number): void => {
  let count = 0
  while (count < unflushed.length && unflushed[count]!.sequence <= sequence)
    options.onFlushed(unflushed[count++]!)
  unflushed.splice(0, count)
}

const unansweredCalls = (shard: OpenShard): readonly ProviderCallRequest[] => {
  const { engine, memory, realNow, subjects } = shard
  const requests: ProviderCallRequest[] = []
  for (const id of [...memory.awaitingProvider()]) {
    const kind = subjects.kindOfId(id)
    const calls = kindIn(engine, kind).calls!
    const { state } = memory.find(kind, id)!
    const { accountId } = state as Owned
    const { state: account } = memory.find('account', accountId)!
    const command = calls.resume?.(state, account, shard.institution) ?? null
    if (command !== null && isWritable(shard)) resume(shard, command, accountId)
    for (const callId of calls.onTheirWay(state)) {
      expectAnswer(shard, callId, accountId)
      const { state: account } = memory.find('account', accountId)!
      requests.push({ ...calls.request(state, callId, clockNow(account, realNow())), isResumed: true })
    }
  }
  return requests
}

const resume = (shard: OpenShard, command: Command, accountId: AccountId): void => {
  try {
    fire(shard, command, shard.realNow())
  } catch (error) {
    // The shard is opened all the same.
    holdWork(shard, accountId, error)
  }
}

const askerLeft = new AskerLeft('the one who asked has left')

/** The engine is too far ahead of its journal; the caller should try again. */
const overloaded = new ShardUnavailable('the shard has too many entries waiting for its journal')
