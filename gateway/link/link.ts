/**
 * Carries calls and whole requests to the thread or node that owns a company's shard. Threads and nodes use the
 * same kind of link; `cluster/` takes it over NATS.
 */

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
/** Serves a call of the other side. */
export type Serve = (kind: Kind, message: Message) => Promise<unknown>

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
  /** Waits up to `ticks` ticks for the answer; 0 waits without a limit. */
  readonly call: (kind: Kind, message: Message, ticks?: number) => Promise<unknown>
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
 * a slow call holds up no other.
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
      const batch = { calls, results }
      calls = []
      results = []
      post(batch)
    })
  }

  const answer = (result: Result): void => {
    results.push(result)
    schedule()
  }

  return {
    call: (kind, message, ticks = 0) =>
      new Promise((resolve, reject) => {
        waiting.set(nextNumber, { resolve, reject, ticks })
        calls.push([nextNumber, kind, message])
        nextNumber += 1
        schedule()
      }),
    receive: (batch) => {
      for (const [number, kind, message] of batch.calls) {
        serve(kind, message).then(
          (value) => answer([number, 'ok', value]),
          (error) => answer(resultOf(number, error)),
        )
      }
      for (const [number, outcome, value] of batch.results) {
        const waiter = waiting.get(number)
        waiting.delete(number)
        if (outcome === 'ok') waiter?.resolve(value)
        else waiter?.reject(errorOf(outcome, value))
      }
    },
    tick: () => {
      for (const [number, waiter] of waiting) {
        if (waiter.ticks === 0) continue
        waiter.ticks -= 1
        if (waiter.ticks > 0) continue
        waiting.delete(number)
        waiter.reject(new Unanswered('no answer came in time'))
      }
    },
    waiting: () => waiting.size,
    fail: (error, first = 0, last = Number.POSITIVE_INFINITY) => {
      for (const [number, waiter] of waiting) {
        if (number < first || number > last) continue
        waiting.delete(number)
        waiter.reject(error)
      }
    },
  }
}

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  ticks: number
}

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
