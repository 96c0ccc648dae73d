/**
 * Carries calls and whole requests to the thread or node that owns a company's shard. Threads and nodes use the
 * same kind of link; `cluster/` takes it over NATS.
 */

import type { Waiter } from '../../engine/kernel/handler.ts'
import type { Command, Query } from '../../engine/kernel/registry.ts'
import {
  HistoryUnavailable,
  ShardMoved,
  ShardUnavailable,
  UpgradeUnfinished,
} from '../../engine/kernel/unavailable.ts'
import type { RelayedRequest } from './relay.ts'

export type Kind = 'execute' | 'query' | 'serve'
export type Message = Command | Query | RelayedRequest
/** Serves a call of the other side, now or later. It may throw instead, before anything is done. */
export type Serve = (kind: Kind, message: Message, to: Waiter<unknown>) => void

export type LinkCall = readonly [number: number, kind: Kind, message: Message]
export type CallOutcome = 'ok' | 'unavailable' | 'moved' | 'fault'
export type Result = readonly [number: number, outcome: CallOutcome, value: unknown]
export type Batch = { readonly calls: readonly LinkCall[]; readonly results: readonly Result[] }

/** A worker, by its node and number. */
export type WorkerPlace = { readonly node: string; readonly worker: number }

/** The call was not done because another place owns the shard; `owner` names it if it is known. */
export const MovedTo = class extends ShardMoved {
  readonly owner: WorkerPlace | null
  constructor(owner: WorkerPlace | null) {
    super('the shard is not owned where it was asked')
    this.owner = owner
  }
}

/** No answer came in time, so it is unknown whether the call was done. */
export const Unanswered = class extends ShardUnavailable {}

/**
 * One end of a pair that call each other. A call rejects with the other side's error: `ShardMoved`,
 * `ShardUnavailable` or, for a fault over there, an `Error` that carries its stack.
 */
export type Link = {
  /** Lets `to` wait up to `ticks` ticks for the answer; 0 waits without a limit. */
  readonly call: (kind: Kind, message: Message, to: Waiter<unknown>, ticks?: number) => void
  /** Takes a batch from the other side. */
  readonly receive: (batch: Batch) => void
  /** Advances the clock of timeouts: calls that have waited their number of ticks are rejected as unanswered. */
  readonly tick: () => void
  readonly waiting: () => number
  /** Rejects every pending call, or only those numbered from `first` to `last`. */
  readonly fail: (error: Error, first?: number, last?: number) => void
}

/**
 * Opens a link. Calls made in the same turn leave as one batch, and so do results. Each result leaves as soon as it is ready, so
 * a slow call holds up no other. A call that was rejected before its batch left is not sent.
 */
export const openLink = (options: {
  readonly post: (batch: Batch) => void
  readonly serve: Serve
  /** Schedules the end of the current batch. */
  readonly later: (leave: () => void) => void
  /** The number of the first call. */
  readonly firstNumber?: number
}): Link => {
  const { post, serve, later } = options
  const waiting = new Map<number, Waiting>()
  let calls: LinkCall[] = []
  let results: Result[] = []
  let scheduled = false
  let nextNumber = options.firstNumber ?? 0

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    later(() => {
      scheduled = false
      const batch = { calls: calls.filter(([number]) => waiting.has(number)), results }
      calls = []
      results = []
      if (batch.calls.length + batch.results.length > 0) post(batch)
    })
  }

  const answer = (result: Result): void => {
    results.push(result)
    schedule()
  }

  const failAll = (numbers: readonly number[], error: Error): void => {
    // By their numbers: a caller that is rejected may call again at once, and that call is none of these.
    for (const number of numbers) {
      const waiter = waiting.get(number)
      waiting.delete(number)
      waiter?.to.reject(error)
    }
  }

  return {
    call: (kind, message, to, ticks = 0) => {
      waiting.set(nextNumber, { to, ticks })
      calls.push([nextNumber, kind, message])
      nextNumber += 1
      schedule()
    },
    receive: (batch) => {
      for (const [number, kind, message] of batch.calls) {
        const to: Waiter<unknown> = {
          resolve: (value) => answer([number, 'ok', value]),
          reject: (error) => answer(resultOf(number, error)),
        }
        try {
          serve(kind, message, to)
        } catch (error) {
          to.reject(error)
        }
      }
      for (const [number, outcome, value] of batch.results) {
        const waiter = waiting.get(number)
        if (waiter === undefined) continue
        waiting.delete(number)
        if (outcome === 'ok') waiter.to.resolve(value)
        else waiter.to.reject(errorOf(outcome, value))
      }
    },
    tick: () => {
      const late: number[] = []
      for (const [number, waiter] of waiting) {
        if (waiter.ticks === 0) continue
        waiter.ticks -= 1
        if (waiter.ticks === 0) late.push(number)
      }
      failAll(late, new Unanswered('no answer came in time'))
    },
    waiting: () => waiting.size,
    fail: (error, first = 0, last = Number.POSITIVE_INFINITY) =>
      failAll(
        [...waiting.keys()].filter((number) => number >= first && number <= last),
        error,
      ),
  }
}

type Waiting = { readonly to: Waiter<unknown>; ticks: number }

const resultOf = (number: number, error: unknown): Result => {
  if (error instanceof ShardMoved) return [number, 'moved', error instanceof MovedTo ? error.owner : null]
  // Nodes of an earlier version take this for a text.
  if (error instanceof HistoryUnavailable) return [number, 'unavailable', { history: error.message }]
  if (error instanceof UpgradeUnfinished) return [number, 'unavailable', { upgrade: error.message }]
  const outcome = error instanceof ShardUnavailable ? 'unavailable' : 'fault'
  return [number, outcome, error instanceof Error ? (error.stack ?? error.message) : error]
}

const unavailableFor = (value: unknown): Error => {
  if (typeof value !== 'object' || value === null) return new ShardUnavailable(String(value))
  if ('history' in value) return new HistoryUnavailable(String(value.history))
  if ('upgrade' in value) return new UpgradeUnfinished(String(value.upgrade))
  return new ShardUnavailable(JSON.stringify(value))
}

const errorOf = (outcome: Exclude<CallOutcome, 'ok'>, value: unknown): Error => {
  switch (outcome) {
    case 'moved':
      return new MovedTo(value as WorkerPlace | null)
    case 'unavailable':
      return unavailableFor(value)
    case 'fault':
      return new Error(String(value))
    default:
      return new ShardUnavailable(`a node of another version answers ${outcome satisfies never}`)
  }
}
