import { openShard, providerRequestsOf } from '../../engine/engine.ts'
import type { AnyFact } from '../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
import { delay, nextTurn } from '../base/delay.ts'
import { type Outbox, openOutbox } from '../outbox/outbox.ts'
import { catchUpFor } from './catch-up.ts'
import { type EventWay, type Leadership, type RunningShard, stillRecovering } from './running-shard.ts'
import { saveSnapshotWhenMany } from './save-snapshot.ts'

/** Starts ownership: brings the memory up to date, and opens the shard that decides and its outbox on it. */
export const startLeading = (run: RunningShard): void => {
  const { options, memory } = run
  const { journal } = run.log
  catchUpFor(run)
  const { outbox, publication } = outboxesOf(run)
  const requireLeadership = (): void => {
    if (leadership.isRevoked) throw stillRecovering
  }
  const shard = openShard({
    ...options,
    realNow: realTime(run),
    stopwatch: options.stopwatch ?? (() => performance.now()),
    journal: {
      ...journal,
      isWritable: () => isDiskWritable(run),
      append: (entry) => {
        requireLeadership()
        if (!isDiskWritable(run)) throw full
        return journal.append(entry)
      },
    },
    memory,
    pause: async () => {
      await nextTurn()
      // Continuing after the pause would use a memory that another owner has moved on from, or a closed journal.
      requireLeadership()
    },
    onFlushed: (entry) => {
      outbox.offer(entry)
      publication?.offer(entry)
      passFlushed(run, entry)
    },
    hasFailed: (due) => run.failed.has(due),
  })
  const leadership: Leadership = { shard, outbox, publication, isRevoked: false }
  run.leading = leadership
  run.leaseUnconfirmedSince = null
  memory.rearm()
  for (const request of shard.unansweredCalls()) options.onProviderCall(request)
  options.onDue()
  options.onLead?.(() => !leadership.isRevoked)
}

/** Ends ownership. Breaks the shard when its memory is ahead of the log. */
export const stopLeading = (run: RunningShard): void => {
  if (run.leading === null) return
  const { journal } = run.log
  revoke(run.leading)
  run.leading = null
  run.caughtUpTo = journal.flushed()
  // The memory is ahead of the log: the entries beyond it belong to no owner.
  if (journal.appended() !== journal.flushed())
    run.broken(new Error('the shard was lost in the middle of a write'))
}

/** Stops what an owner runs. */
export const revoke = (leadership: Leadership): void => {
  leadership.isRevoked = true
  leadership.outbox.stop()
  leadership.publication?.stop()
  leadership.shard.close()
}

/** The outbox to webhooks, and the one to the stream: one that waits delays nothing of the other. */
const outboxesOf = (run: RunningShard) => {
  const { options, log, store } = run
  const { publication } = options
  const position = log.replica?.position()
  const known =
    position !== undefined && position.published >= store.progress.published ? position : store.progress
  const { published, streamed } = known
  const planned = streamed === null && publication !== undefined ? beforeUpgrade(run, published) : published
  return {
    outbox: outboxOf(run, options, planned, 'plan webhooks'),
    publication: publication ? outboxOf(run, publication, streamed ?? published, 'publish') : null,
  }
}

/**
 * Where to begin to plan behind an earlier version, which planned from the stream: what it had published last may have waited there. An event
 * that is planned already is not planned twice.
 */
const beforeUpgrade = ({ log: { journal } }: RunningShard, published: number): number => {
  // What is packed is older than that by days.
  const { sequence } = journal.batches.archived()
  if (published <= sequence) return published
  const sinceMs = journal.at(published).atMs - bounds.publishedAgainMs
  return firstWhere(sequence, published, (entry) => journal.at(entry + 1).atMs >= sinceMs)
}

const outboxOf = (
  { options, log: { journal }, memory }: RunningShard,
  { stream, hasSubscribers, onPublished }: EventWay,
  after: number,
  what: string,
): Outbox =>
  openOutbox({
    ...{ stream, hasSubscribers, render: options.render },
    ...(onPublished !== undefined && { onPublished }),
    shard: options.number,
    after,
    until: journal.flushed(),
    readFrom: function* (after) {
      for (const { sequence, record } of journal.replay(after))
        yield memory.rebuildEntry(sequence, record) ?? sequence
    },
    pause: () => delay(bounds.streamPauseMs),
    onError: (error) => options.onTrouble(`shard ${options.number} cannot ${what}`, error),
  })

const passFlushed = (run: RunningShard, entry: FlushedEntry): void => {
  const { options } = run
  options.onFlushed?.(entry)
  if (entry.steps.some(({ event }) => makesDue(event.type))) options.onDue()
  for (const request of providerRequestsOf(entry)) options.onProviderCall(request, entry.traceparent)
  saveSnapshotWhenMany(run)
}

/** Whether a fact makes an attempt due at once. */
const makesDue = (type: AnyFact['type']): boolean =>
  type === 'DeliveryScheduled' || type === 'AttemptBroughtForward'

/** An owner in a cluster whose write fails gives way to another node, which has a disk of its own. */
export const isDiskWritable = ({ log, wasFull, space }: RunningShard): boolean =>
  log.replica !== null || (!wasFull && space.trouble() === null)

/**
 * The real time of a shard's facts: this node's clock, but never before the newest entry, which another owner may
 * have written, and never backwards. While the clock is behind, time stands still; a long lag is reported once.
 */
const realTime = ({
  options: { number, realNow, onTrouble },
  log: { journal },
}: RunningShard): (() => number) => {
  const end = journal.flushed()
  let lastMs = end === 0 ? 0 : journal.at(end).atMs
  let isTold = false
  return () => {
    const nowMs = realNow()
    const behindMs = lastMs - nowMs
    if (behindMs <= 0) isTold = false
    else if (behindMs > bounds.clockOffMsTold && !isTold) {
      isTold = true
      const seconds = Math.round(behindMs / 1000)
      onTrouble(
        `shard ${number}: the clock is ${seconds} s behind the newest entry, so time stands still here until it has caught up`,
        null,
      )
    }
    lastMs = Math.max(lastMs, nowMs)
    return lastMs
  }
}

const full = new ShardUnavailable('the disk is full')
