import type { AccountId } from '../shared/ids.ts'
import type { Waiter } from './handler.ts'
import type { Arrival, OpenShard } from './open-shard.ts'
import type { Reply } from './reply.ts'
import { ShardUnavailable } from './unavailable.ts'

/** Passes a value on once the entry that it depends on is on disk. */
export const resolveAt = <Value>(
  { journal }: OpenShard,
  sequence: number,
  value: Value,
  to: Waiter<Value>,
): void => journal.whenFlushed(sequence, new Later(value, to))

/** Notes a provider call as under way. Often no request waits for its answer: a call made again after a restart has none. */
export const expectAnswer = ({ waiting }: OpenShard, callId: string, accountId: AccountId): void =>
  void waiting.set(callId, { accountId, callers: [] })

/** Whether a provider or a bank has not answered the account yet. */
export const awaitsAnswer = ({ waiting }: OpenShard, id: AccountId): boolean => {
  for (const { accountId } of waiting.values()) if (accountId === id) return true
  return false
}

/** The Sandbox of the account was reset: the calls of its commands are forgotten. */
export const abandonCallsOf = ({ waiting }: OpenShard, id: AccountId): void => {
  for (const [callId, { accountId, callers }] of waiting) {
    if (accountId !== id) continue
    waiting.delete(callId)
    for (const { to } of callers) to.reject(cleared)
  }
}

/** Called when the account has new facts or a call's answer: its advancing clock may go on, or was reset. */
export const clockChanged = (shard: OpenShard, id: AccountId): void => {
  const { standing, arrivals } = shard
  if (standing.has(id) && !awaitsAnswer(shard, id)) {
    standing.delete(id)
    shard.options.onDue()
  }
  // An arrival is removed before it commits, so one that is still here was reset.
  if (arrivals.has(id) && shard.memory.find('account', id)!.state.advance === null)
    resolveAt(shard, shard.journal.appended(), resetMeanwhile, takeArrival(shard, id)!.to)
}

/** The command that waits for the account's clock, which then waits no more. */
export const takeArrival = ({ arrivals }: OpenShard, id: AccountId): Arrival | undefined => {
  const arrival = arrivals.get(id)
  arrivals.delete(id)
  return arrival
}

/** The shard closes. A clock whose start is on disk continues in another process. */
export const abandonAll = ({ waiting, arrivals, journal }: OpenShard): void => {
  for (const { callers } of waiting.values()) for (const { to } of callers) to.reject(unanswered)
  waiting.clear()
  for (const { started, sequence, to } of arrivals.values()) {
    if (journal.flushed() >= sequence) to.resolve(started)
    else to.reject(unstarted)
  }
  arrivals.clear()
}

const cleared = new ShardUnavailable('the Sandbox was reset meanwhile')
const unanswered = new ShardUnavailable('the shard stopped before the provider answered')
const unstarted = new ShardUnavailable('the shard stopped before the clock began to advance')
const resetMeanwhile: Reply = { accepted: false, rejection: { reason: 'CLOCK_RESET_MEANWHILE' } }

/** Holds an outcome until the journal has flushed the entry that it depends on. */
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
