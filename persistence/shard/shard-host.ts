import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type InstitutionSettings, openShard, providerRequestsOf, replay } from '../../engine/engine.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import { type Handler, handlerOf, passOn, type Waiter } from '../../engine/kernel/handler.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import type { Shard } from '../../engine/kernel/shard.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { DueWorkFailed } from '../../engine/kernel/turn.ts'
import { ShardMoved, ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { Entropy } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { delay, nextTurn } from '../base/delay.ts'
import { limits } from '../base/limits.ts'
import type { Member } from '../cluster/record.ts'
import type { Replica } from '../cluster/replica.ts'
import type { ShardLog, ShardLogEvents } from '../cluster/shard-log.ts'
import { Damaged, requireUndamaged } from '../disk/damage.ts'
import { requireSpace, watchDiskSpace } from '../disk/disk-space.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { DamagedJournal } from '../journal/batches.ts'
import { flushedUpTo } from '../journal/journal.ts'
import { type Outbox, type OutboxOptions, openOutbox } from '../outbox/outbox.ts'
import { openStore, type Store } from '../snapshot/store.ts'
import { openMemory, type StoredMemory } from './memory.ts'

/**
 * A shard with everything it needs. It recovers by itself from a journal that could not write. It rejects with `ShardMoved` when another
 * node owns the shard, or may: nothing was done. It rejects with `ShardUnavailable` while the shard recovers, or when the outcome of a
 * command is unknown.
 */
export type ShardHost = Handler & {
  /** Fires due timers; returns the deliveries whose attempt is due. */
  readonly tick: () => readonly Delivery[]
  /** Due work left after the last tick: none, more that can be done right now, or timers held back for later. */
  readonly timerBacklog: Shard['timerBacklog']
  readonly state: () => ShardState
  /** Whether it accepts commands and queries: it owns the shard, and is sure of it. */
  readonly mayAnswer: () => boolean
  /** How many entries are on disk and not published. */
  readonly outboxLag: () => number
  /** The sequence up to which every event is published, as far as this node knows. */
  readonly publishedSequence: () => number
  /** Gives the shard to another member of the cluster; resolves to whether it took it. */
  readonly handOver: (to: Member) => Promise<boolean>
  /** Null while the log is being reopened, and outside a cluster. */
  readonly replica: () => Replica | null
  readonly close: () => Promise<void>
}

/**
 * SERVING: it owns the shard. UNCONFIRMED: the cluster has not confirmed that lately. FOLLOWING: another node owns it, or none. RECOVERING: it
 * is opened again after a failure. DAMAGED: it stays closed.
 */
export type ShardState = 'SERVING' | 'UNCONFIRMED' | 'FOLLOWING' | 'RECOVERING' | 'DAMAGED'

export type ShardHostOptions = Pick<OutboxOptions, 'stream' | 'hasSubscribers' | 'render' | 'onPublished'> & {
  readonly number: number
  readonly path: string
  readonly realNow: () => number
  /** Milliseconds of work, by default those of this process's clock that only goes forward. */
  readonly stopwatch?: () => number
  readonly entropy: Entropy
  readonly institution: InstitutionSettings
  /** How many states of cold actors are kept in memory. */
  readonly hotStates?: number
  /** Changes that trigger an early snapshot. */
  readonly unsavedChangesMax?: number
  /** Opens the shard's log in its folder, at the start and after a failure. */
  readonly openLog: (path: string, events: ShardLogEvents) => ShardLog
  /**
   * Sets the damaged log in its folder aside, so that the next opening fetches it again from other nodes; resolves to where it is now.
   * Absent where there is no other copy. Nothing of the log is open.
   */
  readonly refetchLog?: (path: string) => Promise<string>
  /** An entry decided here is on disk. Called once for each, and not for replayed entries or those of other nodes. */
  readonly onFlushed?: (entry: FlushedEntry) => void
  /** The intent to call a provider is on disk. */
  readonly onProviderCall: (request: ProviderCallRequest, traceparent?: Traceparent) => void
  readonly hasWaitingAnswers?: () => boolean
  /** This node leads the shard for as long as `isLeading` says so. The shard may not answer yet. */
  readonly onLead?: (isLeading: () => boolean) => void
  /** New deliveries are on disk, or an advancing clock can go on: a tick would find something to do. */
  readonly onDue: () => void
  /**
   * Every entry up to this one that the journal had when it was opened has been read again, and is what was written. Called once, and again
   * after damage was found.
   */
  readonly onChecked?: (entries: number) => void
  /** Stored bytes are not what had been written: of the log, or of its snapshot. */
  readonly onDamaged?: () => void
  /** A log that was damaged is whole again: it ends where that of the other nodes does. */
  readonly onMended?: () => void
  readonly onTrouble: (message: string, error: unknown) => void
}

/** The shard cannot answer now; its work may or may not have reached the disk. */
const unavailable = new ShardUnavailable('the shard is recovering from its journal')
const damaged = new ShardUnavailable('the shard has stopped, because what it has stored is damaged')
const full = new ShardUnavailable('the disk is full')
const moved = new ShardMoved('another node owns the shard')
/** Nothing was done here either: soon this node is confirmed, or another one owns the shard. */
const leaseUnconfirmed = new ShardMoved('the cluster has not confirmed lately that this node owns the shard')

/** Opens a shard and keeps it open: it recovers from failures by itself, after a pause. */
export const openShardHost = (options: ShardHostOptions): ShardHost => {
  let closed = false
  /** Due work that could not be decided since the process started. */
  const failed = new Set<string>()
  let isDamaged = false
  /** Its log was damaged, and is being fetched again. */
  let isMending = false
  /** Its log was read again, and no damage was found since. */
  let isChecked = false
  let running: Running | null = null
  open()

  function open(): void {
    const closers: Closers = []
    try {
      const opened: Running = start({ ...options, onDamaged }, failed, closers, (error) => {
        // A late error of an earlier run says nothing about the current one.
        if (running === opened && !closed) broke('stops and recovers', error, closers)
      })
      running = opened
      if (!isChecked) check(opened)
    } catch (error) {
      broke('cannot recover yet', error, closers)
    }
  }

  function onDamaged(): void {
    isChecked = false
    options.onDamaged?.()
  }

  /** Reads the whole log again in the background. */
  function check(opened: Running): void {
    const isStopped = (): boolean => running !== opened || closed
    opened.log.check(isStopped).then((entries) => {
      if (entries === null || isStopped()) return
      isChecked = true
      options.onChecked?.(entries)
    }, opened.broken)
  }

  function broke(how: string, error: unknown, closers: Closers): void {
    running = null
    isDamaged = error instanceof Damaged && options.refetchLog === undefined
    if (error instanceof DueWorkFailed) failed.add(error.due)
    if (!(error instanceof Damaged)) options.onTrouble(`shard ${options.number} ${how}`, error)
    void closeAll(closers).then(() => (error instanceof Damaged ? mend(error) : reopen()))
  }

  async function reopen(): Promise<void> {
    await delay(limits.recoverPauseMs)
    if (!closed) open()
  }

  /** Damage does not go away by itself, and nothing of it may be served. */
  async function mend({ message }: Damaged): Promise<void> {
    onDamaged()
    const stops = `shard ${options.number} stops: ${message}`
    if (options.refetchLog === undefined) {
      options.onTrouble(`${stops}. Stop the service, and restore the data directory from a backup`, null)
      return
    }
    try {
      const aside = await options.refetchLog(options.path)
      options.onTrouble(`${stops}. It is fetched again from the cluster; what was damaged is ${aside}`, null)
      isMending = true
    } catch (error) {
      options.onTrouble(`${stops}, and cannot be set aside`, error)
    }
    await reopen()
  }

  /** Lets the shard work, once it is awake. What fails here stops the shard, and its outcome is unknown. */
  const guarded = <Value>(
    to: Waiter<Value>,
    work: (shard: Shard, to: Waiter<Value>) => void,
    isCommand: boolean,
  ): void => {
    const run = running
    if (run === null) {
      to.reject(isDamaged ? damaged : unavailable)
    } else if (run.isResting()) {
      const isAwake = (): void => begin(run, to, work, isCommand)
      passOn(run.wake(), { resolve: isAwake, reject: isAwake })
    } else begin(run, to, work, isCommand)
  }

  const begin = <Value>(
    run: Running,
    to: Waiter<Value>,
    work: (shard: Shard, to: Waiter<Value>) => void,
    isCommand: boolean,
  ): void => {
    const guard = new Guard(run, to, isCommand)
    try {
      work(run.shard(), guard)
    } catch (error) {
      guard.reject(error)
    }
  }

  return {
    ...handlerOf(
      (command, to) => guarded(to, (shard, to) => shard.perform(command, to), true),
      (query, to) => guarded(to, (shard, to) => shard.answer(query, to), false),
    ),
    tick: () => {
      const run = running
      if (run === null) return []
      if (run.isOutdated()) {
        running = null
        void run.stop().then(reopen)
        return []
      }
      if (isMending && run.isWhole()) {
        isMending = false
        options.onMended?.()
      }
      try {
        return run.tick()
      } catch (error) {
        run.broken(error)
        return []
      }
    },
    timerBacklog: () => running?.timerBacklog() ?? 'NO',
    state: () => running?.state() ?? (isDamaged ? 'DAMAGED' : 'RECOVERING'),
    mayAnswer: () => running?.mayAnswer() ?? false,
    outboxLag: () => running?.outboxLag() ?? 0,
    publishedSequence: () => running?.publishedSequence() ?? 0,
    handOver: async (to) => (await running?.handOver(to)) ?? false,
    replica: () => running?.log.replica ?? null,
    close: async () => {
      closed = true
      // Publishing now avoids repeats later, and a last snapshot makes the next start quick. A stream that takes
      // nothing must not delay the end.
      await Promise.race([running?.caughtUp(), delay(limits.lastSnapshotMs)])
      const lastSnapshot = running
        ?.saveSnapshot()
        .catch((error) => options.onTrouble('no last snapshot', error))
      await Promise.race([lastSnapshot, delay(limits.lastSnapshotMs)])
      await running?.stop()
    },
  }
}

/** A shard's memory, caught up with its log; and, while this node owns the shard, the shard and outbox on top of it. */
type Running = Pick<
  ShardHost,
  'handOver' | 'mayAnswer' | 'outboxLag' | 'publishedSequence' | 'state' | 'tick' | 'timerBacklog'
> & {
  readonly log: ShardLog
  readonly broken: (error: unknown) => void
  /** Whether it has all of the log, as far as it knows. */
  readonly isWhole: () => boolean
  readonly isResting: () => boolean
  /** It was opened while the disk was full, and could not do all that an opening does; now there is room. */
  readonly isOutdated: () => boolean
  /** Resolves when the shard no longer rests, or when waiting longer is pointless. */
  readonly wake: () => Promise<void>
  /** Throws when this node must not answer. */
  readonly shard: () => Shard
  /** Whether what it has read is still current. */
  readonly hasLease: () => boolean
  readonly caughtUp: () => Promise<void>
  readonly saveSnapshot: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Who waits for a shard, told only what the shard may still say. */
class Guard<Value> implements Waiter<Value> {
  readonly #run: Running
  readonly #to: Waiter<Value>
  readonly #isCommand: boolean

  constructor(run: Running, to: Waiter<Value>, isCommand: boolean) {
    this.#run = run
    this.#to = to
    this.#isCommand = isCommand
  }

  resolve(value: Value): void {
    // An accepted command is on disk. A refusal is a read: the state that it was decided on must still be current.
    const isWritten = this.#isCommand && (value as Reply).accepted
    if (isWritten || this.#run.hasLease()) this.#to.resolve(value)
    else this.#to.reject(leaseUnconfirmed)
  }

  reject(error: unknown): void {
    if (!(error instanceof ShardUnavailable)) {
      this.#run.broken(error)
      this.#to.reject(unavailable)
      // A query changes nothing: if the shard was lost meanwhile, its next owner may answer.
    } else if (!this.#isCommand && error === unavailable && !this.#run.mayAnswer()) this.#to.reject(moved)
    else this.#to.reject(error)
  }
}

/** What closes the parts of a shard that were opened so far, in this order. */
type Closers = (() => Promise<unknown>)[]

/** One that fails does not keep the others open. */
const closeAll = async (closers: Closers): Promise<void> => {
  for (const close of closers.splice(0)) await close().catch(() => undefined)
}

/** What an owner runs: the shard that decides and the outbox that publishes. */
type Leadership = { readonly shard: Shard; readonly outbox: Outbox; isRevoked: boolean }

/** Opens the parts of a shard. What closes them is added to `closers`, also when one that follows cannot be opened. */
const start = (
  options: ShardHostOptions,
  failed: ReadonlySet<string>,
  closers: Closers,
  onBroken: (error: unknown) => void,
): Running => {
  let leading: Leadership | null = null
  let isLeaving = false
  let isCatchingUp = false
  let savingSnapshot: Promise<void> | null = null
  let stopped = false
  let leaseUnconfirmedSince: number | null = null
  let savingRegularly: NodeJS.Timeout | undefined
  // Reads go on with a full disk, but not without the files that they need.
  if (!hasEnvironment(join(options.path, 'state'))) requireSpace(options.path, 0)
  const space = watchDiskSpace(options.path)
  const wasFull = space.trouble() !== null
  const log = options.openLog(options.path, {
    entries: () => void catchUpSoon(),
    owner: () => startLeading(),
    lost: () => stepDown(),
    broken: onBroken,
  })
  closers.push(async () => {
    stopped = true
    clearInterval(savingRegularly)
    if (leading !== null) revoke(leading)
    // Before the snapshot, which may wait for entries that the log has not stored and now never will.
    await log.close()
  })
  const { journal, replica } = log
  const store = openSnapshot(options)
  closers.push(async () => {
    await savingSnapshot?.catch(() => undefined)
    await store.close()
  })
  const memory = recovered(options, log, store)
  /** How far the memory has followed the log, while this node does not own the shard. */
  let caughtUpTo = store.sequence()

  const catchUp = (forMs = Number.POSITIVE_INFINITY): void => {
    const from = performance.now()
    for (const { sequence } of replay(memory, journal, caughtUpTo)) {
      caughtUpTo = sequence
      if (performance.now() - from > forMs) return
    }
  }

  /** In slices: other shards of this thread have requests to answer. */
  const catchUpSoon = async (): Promise<void> => {
    if (isCatchingUp) return
    isCatchingUp = true
    try {
      while (!stopped && leading === null && caughtUpTo < journal.appended()) {
        catchUp(limits.catchUpSliceMs)
        saveSnapshotWhenMany()
        await nextTurn()
      }
    } catch (error) {
      onBroken(error)
    }
    isCatchingUp = false
  }

  const startLeading = (): void => {
    catchUp()
    const outbox = openOutbox({
      ...options,
      shard: options.number,
      after: Math.max(store.publishedSequence, replica?.position().published ?? 0),
      until: journal.flushed(),
      readFrom: function* (after) {
        for (const { sequence, record } of journal.replay(after))
          yield memory.rebuildEntry(sequence, record) ?? sequence
      },
      pause: () => delay(limits.streamPauseMs),
      onError: (error) => options.onTrouble(`shard ${options.number} cannot publish`, error),
    })
    const requireLeadership = (): void => {
      if (leadership.isRevoked) throw unavailable
    }
    const shard = openShard({
      ...options,
      realNow: realTime(options, journal),
      stopwatch: options.stopwatch ?? (() => performance.now()),
      journal: {
        ...journal,
        isWritable,
        append: (entry) => {
          requireLeadership()
          if (!isWritable()) throw full
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
        options.onFlushed?.(entry)
        if (entry.steps.some(({ event }) => event.type === 'DeliveryScheduled')) options.onDue()
        for (const request of providerRequestsOf(entry)) options.onProviderCall(request, entry.traceparent)
        saveSnapshotWhenMany()
      },
      hasFailed: (due) => failed.has(due),
    })
    const leadership: Leadership = { shard, outbox, isRevoked: false }
    leading = leadership
    leaseUnconfirmedSince = null
    memory.rearm()
    for (const request of shard.unansweredCalls()) options.onProviderCall(request)
    options.onDue()
    options.onLead?.(() => !leadership.isRevoked)
  }

  const stepDown = (): void => {
    if (leading === null) return
    revoke(leading)
    leading = null
    caughtUpTo = journal.flushed()
    // The memory is ahead of the log: the entries beyond it belong to no owner.
    if (journal.appended() !== journal.flushed())
      onBroken(new Error('the shard was lost in the middle of a write'))
  }

  /** An owner in a cluster whose write fails gives way to another node, which has a disk of its own. */
  const isWritable = (): boolean => replica !== null || (!wasFull && space.trouble() === null)

  const publishedSequence = (): number =>
    leading?.outbox.published() ?? replica?.position().published ?? store.publishedSequence

  const mayServe = (): boolean => replica === null || replica.mayServe()

  const isResting = (): boolean => replica?.isResting() ?? false

  /** The owner may serve, or will once it has renewed. */
  const hasLease = (): boolean => mayServe() || isResting()

  const mayAnswer = (): boolean => leading !== null && !isLeaving && hasLease()

  const wake = async (): Promise<void> => {
    await Promise.race([replica?.wake().catch(() => undefined), delay(limits.wakeMs)])
  }

  const shard = (): Shard => {
    if (leading === null || isLeaving) throw replica === null ? unavailable : moved
    if (!mayServe()) throw leaseUnconfirmed
    return leading.shard
  }

  /** Fails requests that wait for a quorum which does not come back: their outcome is unknown. */
  const failWhenLeaseUnconfirmed = (): void => {
    if (leading === null || hasLease() || isLeaving) {
      leaseUnconfirmedSince = null
      return
    }
    leaseUnconfirmedSince ??= performance.now()
    if (journal.appended() === journal.flushed()) return
    if (performance.now() - leaseUnconfirmedSince > limits.leaseUnconfirmedMs)
      onBroken(new Error('the log has no quorum'))
  }

  const handOver = async (to: Member): Promise<boolean> => {
    if (replica === null || leading === null || isLeaving) return false
    isLeaving = true
    try {
      await flushedUpTo(journal, journal.appended())
      return await replica.handOver(to)
    } finally {
      isLeaving = false
    }
  }

  /** Never during a replay: memory then covers less than the journal's end. */
  const saveSnapshotWhenMany = (): void => {
    if (memory.unsaved() >= (options.unsavedChangesMax ?? limits.unsavedChangesMax))
      void saveSnapshot().catch(onBroken)
  }

  const saveSnapshot = (): Promise<void> => {
    savingSnapshot ??= writeSnapshot().finally(() => {
      savingSnapshot = null
    })
    return savingSnapshot
  }

  const writeSnapshot = async (): Promise<void> => {
    const sequence = leading === null ? caughtUpTo : journal.appended()
    if (sequence === store.sequence() || stopped || space.trouble() !== null) return
    const taken = memory.takeSnapshot(sequence)
    await flushedUpTo(journal, sequence)
    if (stopped) return
    await store.write(taken, publishedSequence(), journal.batches.sealAt(sequence))
  }

  catchUp()
  if (replica === null) startLeading()
  saveSnapshotWhenMany()
  savingRegularly = setInterval(() => void saveSnapshot().catch(onBroken), limits.snapshotIntervalMs)

  return {
    log,
    broken: onBroken,
    stop: () => closeAll(closers),
    isWhole: () => replica !== null && replica.position().applied > 0 && replica.lag() === 0,
    isResting,
    isOutdated: () => wasFull && replica === null && space.trouble() === null,
    wake,
    shard,
    hasLease: mayServe,
    tick: () => {
      space.look()
      failWhenLeaseUnconfirmed()
      if (leading === null) memory.tidy(options.realNow())
      if (leading === null || !mayAnswer()) return []
      if (!isResting()) return leading.shard.tick()
      if (leading.shard.hasDue()) void wake()
      return []
    },
    timerBacklog: () =>
      leading !== null && mayAnswer() && !isResting() ? leading.shard.timerBacklog() : 'NO',
    state: () => (leading === null ? 'FOLLOWING' : hasLease() ? 'SERVING' : 'UNCONFIRMED'),
    mayAnswer,
    handOver,
    caughtUp: async () => leading?.outbox.caughtUp(),
    outboxLag: () => leading?.outbox.lag() ?? 0,
    publishedSequence,
    saveSnapshot,
  }
}

/** A shard's snapshot. One whose file is damaged is removed. */
const openSnapshot = (options: ShardHostOptions): Store => {
  const path = join(options.path, 'state')
  try {
    requireUndamaged(path)
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    options.onDamaged?.()
    tellForgotten(options, error.message)
    rmSync(path, { recursive: true })
  }
  return openStore(path, options.entropy)
}

/**
 * The memory that begins with the snapshot. A snapshot that is damaged, or not of this journal, is forgotten: the memory is then made from the
 * journal alone. Throws `Damaged` when the journal lacks what the snapshot has, and no other node can have it.
 */
const recovered = (options: ShardHostOptions, { journal, replica }: ShardLog, store: Store): StoredMemory => {
  const { path } = journal.batches
  const sequence = store.sequence()
  if (sequence > journal.flushed() && replica === null)
    throw new Damaged(`${path} ends at entry ${journal.flushed()}, and its snapshot at ${sequence}`)
  const isOfJournal =
    sequence === 0 || (sequence <= journal.flushed() && journal.batches.sealAt(sequence) === store.seal())
  if (!isOfJournal) {
    tellForgotten(options, `the snapshot is not of ${path}`)
    store.discard()
  }
  const { hotStates } = options
  try {
    return openMemory(store, journal, { hotStates })
  } catch (error) {
    if (!(error instanceof Damaged) || error instanceof DamagedJournal) throw error
    options.onDamaged?.()
    tellForgotten(options, error.message)
    store.discard()
    return openMemory(store, journal, { hotStates })
  }
}

/**
 * The real time of a shard's facts: that of this node's clock, unless the clock was set back, or the journal has an entry of a later time,
 * perhaps of another owner. It stands still then, and says so.
 */
const realTime = (
  { number, realNow, onTrouble }: ShardHostOptions,
  journal: ShardLog['journal'],
): (() => number) => {
  const end = journal.flushed()
  let lastMs = end === 0 ? 0 : journal.at(end).atMs
  let isTold = false
  return () => {
    const nowMs = realNow()
    const behindMs = lastMs - nowMs
    if (behindMs <= 0) isTold = false
    else if (behindMs > limits.clockOffMsTold && !isTold) {
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

const tellForgotten = ({ number, onTrouble }: ShardHostOptions, reason: string): void =>
  onTrouble(`shard ${number}: ${reason}; the snapshot is made again from the journal`, null)

const revoke = (leadership: Leadership): void => {
  leadership.isRevoked = true
  leadership.outbox.stop()
  leadership.shard.close()
}
