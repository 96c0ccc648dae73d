import type { AccountId } from '../shared/ids.ts'
import { limits } from '../shared/limits.ts'
import type { Waiter } from './handler.ts'
import type { Journal, Memory } from './ports.ts'
import type { ActorFacts, ActorStates, Command } from './registry.ts'
import type { Reply } from './reply.ts'
import { ShardUnavailable } from './unavailable.ts'

/**
 * The advancing clocks of a shard (decisions, section 29). A clock moves from one due time to the next, so that each
 * job runs at its own moment, and it stands still while a provider is being called. Whether and how far a clock
 * advances is in the account's state, so the next owner of the shard continues it.
 */
export type Advances = {
  /** Advances the clock until the stopwatch shows this. Does nothing when it is not advancing. */
  readonly goOn: (accountId: AccountId, untilMs: number) => void
  /** Whether the clock waits for a provider: a tick would find nothing to do. */
  readonly stands: (accountId: AccountId) => boolean
  /** The account's facts changed, or one of its calls was answered. */
  readonly changed: (accountId: AccountId) => void
  /** Tells when the clock has arrived, was reset, or the command's time to answer is up. */
  readonly arrival: (command: AdvanceClock, started: Reply, to: Waiter<Reply>) => void
  /** Answers the commands whose time is up. */
  readonly answerLate: () => void
  /** Answers all waiting commands: the clock continues in another process if its start is on disk. */
  readonly close: () => void
}

type AdvanceClock = Extract<Command, { readonly type: 'AdvanceClock' }>

type Arrival = {
  readonly command: AdvanceClock
  /** The reply as of the start, and the sequence that it depends on. */
  readonly started: Reply
  readonly sequence: number
  /** When it is answered at the latest, by the stopwatch. */
  readonly answerByMs: number
  readonly to: Waiter<Reply>
}

/** Keeps the advancing clocks of one shard. */
export const openAdvances = (shard: {
  readonly journal: Pick<Journal, 'appended' | 'flushed'>
  readonly accountOf: (id: AccountId) => ActorStates['account'] | undefined
  readonly dueTimer: Memory['dueTimer']
  readonly realNow: () => number
  readonly stopwatch: () => number
  readonly fire: (command: Command, atMs: number) => void
  readonly commit: (event: ActorFacts['account']) => void
  /** Whether a provider or a bank has not answered yet. */
  readonly isAsked: (id: AccountId) => boolean
  /** Tells the command's reply for the account as it is now, once that is on disk. */
  readonly answer: (command: AdvanceClock, to: Waiter<Reply>) => void
  readonly refuse: (to: Waiter<Reply>) => void
  /** A clock that stood still can go on. */
  readonly onDue: () => void
}): Advances => {
  const { accountOf, realNow, stopwatch } = shard
  const arrivals = new Map<AccountId, Arrival>()
  const standing = new Set<AccountId>()

  const goOn: Advances['goOn'] = (id, untilMs) => {
    standing.delete(id)
    for (let steps = 0; steps < limits.timersPerTurn; steps++) {
      const { advance } = accountOf(id)!
      if (advance === null) return
      const timer = shard.dueTimer(id, advance.targetMs)
      // Jobs due at the same moment make their calls together. The clock never moves between a call and its answer.
      if (timer !== undefined && timer.dueAtMs <= advance.nowMs) shard.fire(timer.command, realNow())
      else if (shard.isAsked(id)) return void standing.add(id)
      else if (timer === undefined) return arrive(id, advance.targetMs)
      else shard.commit({ actor: 'account', type: 'ClockAdvanced', id, atMs: timer.dueAtMs })
      if (stopwatch() >= untilMs) return
    }
  }

  /** If advancing took longer than the jump, the clock ends at real time and not behind it. */
  const arrive = (id: AccountId, targetMs: number): void => {
    const realMs = realNow()
    const clockOffsetMs = Math.max(targetMs - realMs, accountOf(id)!.clockOffsetMs)
    const arrival = take(id)
    shard.commit({ actor: 'account', type: 'ClockMoved', id, atMs: realMs + clockOffsetMs, clockOffsetMs })
    if (arrival !== undefined) shard.answer(arrival.command, arrival.to)
  }

  const take = (id: AccountId): Arrival | undefined => {
    const arrival = arrivals.get(id)
    arrivals.delete(id)
    return arrival
  }

  return {
    goOn,
    stands: (id) => standing.has(id),
    changed: (id) => {
      if (standing.has(id) && !shard.isAsked(id)) {
        standing.delete(id)
        shard.onDue()
      }
      // An arrival is removed before it commits, so one that is still here was reset.
      if (arrivals.has(id) && accountOf(id)!.advance === null) shard.refuse(take(id)!.to)
    },
    arrival: (command, started, to) => {
      const sequence = shard.journal.appended()
      const nowMs = stopwatch()
      const answerByMs = nowMs + (command.answerWithinMs ?? Number.POSITIVE_INFINITY)
      arrivals.set(command.accountId, { command, started, sequence, answerByMs, to })
      goOn(command.accountId, nowMs + limits.timersBeforeRequestMs)
      if (arrivals.has(command.accountId)) shard.onDue()
    },
    answerLate: () => {
      for (const [id, { command, answerByMs, to }] of arrivals) {
        if (stopwatch() < answerByMs) continue
        arrivals.delete(id)
        shard.answer(command, to)
      }
    },
    close: () => {
      for (const { started, sequence, to } of arrivals.values()) {
        if (shard.journal.flushed() >= sequence) to.resolve(started)
        else to.reject(closed)
      }
      arrivals.clear()
    },
  }
}

const closed = new ShardUnavailable('the shard stopped before the clock began to advance')
