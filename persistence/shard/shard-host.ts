/**
 * Puts a shard together: its log, the memory that follows the log, and, while this node owns the shard, the shard
 * that decides, its outbox and its snapshots.
 */

import { type Handler, handlerOf, isGone, passOn, type Waiter } from '../../engine/kernel/handler.ts'
import type { Command, Query } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import type { Shard } from '../../engine/kernel/shard.ts'
import { DueWorkFailed } from '../../engine/kernel/turn.ts'
import { HistoryUnavailable, ShardMoved, ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { DeliveryId } from '../../engine/shared/ids.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'
import { DamagedColumns } from '../base/columns.ts'
import { delay } from '../base/delay.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import { LogBehind } from '../cluster/log-stream.ts'
import type { Member } from '../cluster/record.ts'
import type { Replica } from '../cluster/replica.ts'
import { Damaged } from '../disk/damage.ts'
import type { PartEnd } from '../home/part-ends.ts'
import { restAfter } from '../journal/check.ts'
import { doneAt, type EventProgress } from '../stream/stream.ts'
import { type ArchiveState, archiveState, historyUnavailable, packNow } from './archiving.ts'
import { forgetSoon } from './forgetting.ts'
import { isDiskWritable } from './leading.ts'
import type { StoredMemory } from './memory.ts'
import {
  hasLease,
  isResting,
  lagOf,
  mayAnswer,
  mayServe,
  progressOf,
  type RunningShard,
  type ShardHostOptions,
  stillRecovering,
} from './running-shard.ts'
import { saveSnapshot } from './save-snapshot.ts'
import { type Closers, closeAll, handOverShard, startShard, tickShard, wake } from './start-shard.ts'

/**
 * A shard with its log, memory and outbox, which reopens itself after a failed write. Rejects with `ShardMoved`
 * when another node owns the shard, or may: nothing was done. Rejects with `ShardUnavailable` while the shard
 * recovers, or when the outcome of a command is unknown.
 */
export type ShardHost = Handler & {
  /** Fires due timers; returns the deliveries whose attempt is due. */
  readonly tick: () => readonly Delivery[]
  /** Due work left after the last tick: none, more that can be done right now, or timers held back for later. */
  readonly timerBacklog: Shard['timerBacklog']
  /** Has a later tick return a delivery again, if its attempt is due and this node still owns the shard. */
  readonly handOutAgain: (id: DeliveryId) => void
  readonly state: () => ShardState
  /** Whether the shard accepts commands and queries: this node owns it, and is sure of it. */
  readonly mayAnswer: () => boolean
  /** Whether there is room on the disk for what commands write. */
  readonly isWritable: () => boolean
  /** The last entry on disk and its seal; null before the first, and while the shard is closed. */
  readonly end: () => PartEnd | null
  /** What columns take in memory, and how often they were read from the disk since the shard was opened. */
  readonly paging: StoredMemory['paging']
  /** How many entries are on disk and not planned for webhooks or not published. */
  readonly outboxLag: () => number
  /** How far the owner has come with its events, as far as this node knows. */
  readonly progress: () => EventProgress
  /** Gives the shard to another member of the cluster; resolves to whether the log took the handover. */
  readonly handOver: (to: Member) => Promise<boolean>
  /** Null while the log is being reopened, and outside a cluster. */
  readonly replica: () => Replica | null
  /** How far the old part of the journal is packed; null while the shard is closed. */
  readonly archive: () => ArchiveState | null
  /** Begins to hold a copy of the shard, which is fetched from another node where it is long. Does nothing while there is one. */
  readonly hold: () => void
  /** Closes the shard and removes its files: other nodes hold it. Rejects where they cannot be removed. */
  readonly leave: () => Promise<void>
  /** Packs what is older than this, as far as it may be packed. Rejects where packing ended early. */
  readonly pack: (olderThanMs: number) => Promise<void>
  /** Forgets payers whose keys were destroyed (`payersForgotten`): no answer shows them from now on. */
  readonly forgetPayers: () => void
  readonly close: () => Promise<void>
}

/**
 * SERVING: this node owns the shard. UNCONFIRMED: it does, but the cluster has not confirmed that lately.
 * FOLLOWING: another node or none owns the shard. ELSEWHERE: the same, and this node holds no copy. JOINING: this node
 * lacks the shard and fetches it from another one. READING: it reads much of its journal first. RECOVERING: the host
 * opens it again after a failure. DAMAGED: it stays closed.
 */
export type ShardState =
  | 'SERVING'
  | 'UNCONFIRMED'
  | 'FOLLOWING'
  | 'ELSEWHERE'
  | 'JOINING'
  | 'READING'
  | 'RECOVERING'
  | 'DAMAGED'

/** Opens a shard and keeps it open: it recovers from failures by itself, after a pause. */
export const openShardHost = (options: ShardHostOptions): ShardHost => {
  const host = newHost(options)
  if (!host.isHeld) void remove(host).catch((error: unknown) => notRemoved(host, error))
  else if (options.fetchShard === undefined) open(host)
  else void openFetched(host, false)
  return {
    ...handlerOf(
      (command, to) => guarded(host, command, to, true),
      (query, to) => guarded(host, query, to, false),
    ),
    tick: () => tick(host),
    timerBacklog: () => {
      const { running: run } = host
      return run?.leading && mayAnswer(run) && !isResting(run) ? run.leading.shard.timerBacklog() : 'NO'
    },
    handOutAgain: (id) => handOutAgain(host, id),
    state: () => stateOf(host),
    mayAnswer: () => host.running !== null && mayAnswer(host.running),
    isWritable: () => host.running === null || isDiskWritable(host.running),
    end: () => (host.running === null ? null : endOf(host.running)),
    paging: () => host.running?.memory.paging() ?? { heldBytes: 0, reads: 0 },
    outboxLag: () => (host.running === null ? 0 : lagOf(host.running)),
    progress: () => (host.running === null ? doneAt(0) : progressOf(host.running)),
    handOver: async (to) => host.running !== null && handOverShard(host.running, to),
    replica: () => host.running?.log.replica ?? null,
    archive: () => (host.running === null ? null : archiveState(host.running)),
    pack: async (olderThanMs) => {
      if (host.running === null) throw stillRecovering
      await saveSnapshot(host.running)
      await packNow(host.running, olderThanMs)
    },
    hold: () => {
      if (host.isHeld || host.removing !== null || host.isClosed) return
      host.isHeld = true
      void openFetched(host, false)
    },
    leave: async () => {
      const { running } = host
      if (running === null || host.isClosed) return
      host.isHeld = false
      host.running = null
      await remove(host, running)
    },
    forgetPayers: () => {
      if (host.running !== null) forgetSoon(host.running)
    },
    close: () => close(host),
  }
}

const endOf = ({ log: { journal } }: RunningShard): PartEnd | null => {
  const end = journal.flushed()
  return end === 0 ? null : { end, seal: journal.batches.sealAt(end) }
}

type Host = ReturnType<typeof newHost>

const newHost = (options: ShardHostOptions) => ({
  options,
  isClosed: false,
  /** Whether this node holds a copy, or fetches one. */
  isHeld: options.isHeld?.() ?? true,
  /** The files that are being removed. */
  removing: null as Promise<void> | null,
  /** What is fetched from another node before the shard is opened. */
  fetching: null as Promise<void> | null,
  /** Due work that could not be decided since the process started. */
  failed: new Set<string>(),
  isDamaged: false,
  /** Whether the log was damaged and is being fetched again. */
  isMending: false,
  /** Whether the whole log was read again and no damage was found since. */
  isChecked: false,
  running: null as RunningShard | null,
  /** Damage that was found in the snapshot while the shard read it. */
  damage: null as DamagedColumns | null,
})

const open = (host: Host): void => {
  const { options } = host
  const closers: Closers = []
  try {
    const withDamage = { ...options, onDamaged: () => damageFound(host) }
    const opened: RunningShard = startShard(withDamage, host.failed, host.damage, closers, (error) => {
      // A late error of an earlier run says nothing about the current one.
      if (host.running === opened && !host.isClosed) broke(host, 'stops and recovers', error, closers)
    })
    host.running = opened
    host.damage = null
    if (!host.isChecked) check(host, opened)
  } catch (error) {
    broke(host, 'cannot recover yet', error, closers)
  }
}

/** Removes the files of a shard that this node does not hold, once it is closed. */
const remove = (host: Host, running: RunningShard | null = null): Promise<void> => {
  const { emptyShard, path } = host.options
  const work = async (): Promise<void> => {
    await running?.stop()
    await emptyShard?.(path)
  }
  const removing = work().finally(() => {
    host.removing = null
  })
  host.removing = removing.catch(() => undefined)
  return removing
}

const notRemoved = ({ options: { number, onTrouble } }: Host, error: unknown): void =>
  onTrouble(`what is left of shard ${number}, which this node does not hold, is not removed`, error)

const damageFound = (host: Host): void => {
  host.isChecked = false
  host.options.onDamaged?.()
}

/** Reads filters of keys and then the whole log again in the background. */
const check = (host: Host, opened: RunningShard): void => {
  const isStopped = (): boolean => host.running !== opened || host.isClosed
  const work = async (): Promise<number | null> => {
    await warmKeys(opened.memory, isStopped)
    return isStopped() ? null : opened.log.check(isStopped)
  }
  work().then(
    (entries) => {
      if (entries === null || isStopped()) return
      host.isChecked = true
      host.options.onChecked?.(entries)
    },
    (error) =>
      error instanceof HistoryUnavailable ? historyUnavailable(opened, error) : opened.broken(error),
  )
}

const warmKeys = async (memory: StoredMemory, isStopped: () => boolean): Promise<void> => {
  const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
  for (const _ of memory.warmKeys()) {
    if (!slice.isOver()) continue
    await restAfter(bounds.sliceMs)
    if (isStopped()) return
    slice.restart()
  }
}

const broke = (host: Host, how: string, error: unknown, closers: Closers): void => {
  const { refetchLog, onTrouble, number } = host.options
  host.running = null
  host.isDamaged = error instanceof Damaged && refetchLog === undefined
  if (error instanceof DamagedColumns) host.damage = error
  if (error instanceof DueWorkFailed) host.failed.add(error.due)
  const isBehind = error instanceof LogBehind
  if (!(error instanceof Damaged || isBehind)) onTrouble(`shard ${number} ${how}`, error)
  void closeAll(closers).then(() => {
    if (isBehind) return openFetched(host, true)
    return error instanceof Damaged ? mend(host, error) : reopen(host)
  })
}

const reopen = async (host: Host): Promise<void> => {
  await delay(bounds.recoverPauseMs)
  if (!host.isClosed) open(host)
}

/** Opens a shard once this node has what it lacks of it. */
const openFetched = async (host: Host, isBehind: boolean): Promise<void> => {
  const { fetchShard, path, number, onTrouble } = host.options
  host.fetching =
    fetchShard?.(path, isBehind, () => host.isClosed).catch((error: unknown) =>
      onTrouble(`shard ${number} is not fetched from another node`, error),
    ) ?? null
  await host.fetching
  host.fetching = null
  if (!host.isClosed) open(host)
}

/** Fetches a damaged log again from the cluster; without one the shard stays closed. Damage is never served. */
const mend = async (host: Host, { message }: Damaged): Promise<void> => {
  const { refetchLog, onTrouble, number, path } = host.options
  damageFound(host)
  const stops = `shard ${number} stops: ${message}`
  if (refetchLog === undefined) {
    onTrouble(`${stops}. Stop the service, and restore the data directory from a backup`, null)
    return
  }
  try {
    const aside = await refetchLog(path)
    onTrouble(`${stops}. It is fetched again from the cluster; what was damaged is ${aside}`, null)
    host.isMending = true
  } catch (error) {
    onTrouble(`${stops}, and cannot be set aside`, error)
  }
  await delay(bounds.recoverPauseMs)
  if (!host.isClosed) await openFetched(host, false)
}

/** Lets the shard perform or answer, once awake. An unexpected error stops the shard: the outcome is unknown. */
const guarded = (host: Host, asked: Command | Query, to: Waiter<never>, isCommand: boolean): void => {
  const { running: run } = host
  if (run === null) to.reject(host.isDamaged ? damaged : host.isHeld ? stillRecovering : moved)
  else if (isResting(run)) {
    const isAwake = (): void => begin(run, asked, to, isCommand)
    passOn(wake(run), { resolve: isAwake, reject: isAwake })
  } else begin(run, asked, to, isCommand)
}

const begin = (run: RunningShard, asked: Command | Query, to: Waiter<never>, isCommand: boolean): void => {
  const guard = new Guard(run, to, isCommand)
  try {
    const shard = requireShard(run)
    if (isCommand) shard.perform(asked as Command, guard)
    else shard.answer(asked as Query, guard)
  } catch (error) {
    guard.reject(error)
  }
}

/** The shard that decides. Throws when this node must not answer. */
const requireShard = (run: RunningShard): Shard => {
  const { leading, log } = run
  if (leading === null || run.isLeaving) throw log.replica === null ? stillRecovering : moved
  if (!mayServe(run)) throw leaseUnconfirmed
  return leading.shard
}

/** Passes the shard's replies on to a waiting caller, but only those that the shard may still give. */
class Guard implements Waiter<unknown> {
  readonly #run: RunningShard
  readonly #to: Waiter<unknown>
  readonly #isCommand: boolean

  constructor(run: RunningShard, to: Waiter<never>, isCommand: boolean) {
    this.#run = run
    this.#to = to as Waiter<unknown>
    this.#isCommand = isCommand
  }

  resolve(value: unknown): void {
    // An accepted command is on disk. A refusal is a read: the state that it was decided on must still be current.
    const isWritten = this.#isCommand && (value as Reply).accepted
    if (isWritten || mayServe(this.#run)) this.#to.resolve(value)
    else this.#to.reject(leaseUnconfirmed)
  }

  hasLeft(): boolean {
    return isGone(this.#to)
  }

  reject(error: unknown): void {
    if (error instanceof HistoryUnavailable) historyUnavailable(this.#run, error)
    if (!(error instanceof ShardUnavailable)) {
      this.#run.broken(error)
      this.#to.reject(stillRecovering)
      // A query changes nothing: if a node lost the shard meanwhile, its next owner may answer.
    } else if (!this.#isCommand && error === stillRecovering && isLost(this.#run)) this.#to.reject(moved)
    else this.#to.reject(error)
  }
}

const isLost = (run: RunningShard): boolean => run.log.replica !== null && !mayAnswer(run)

const tick = (host: Host): readonly Delivery[] => {
  const { running: run } = host
  if (run === null) return []
  const { wasFull, space } = run
  const { replica } = run.log
  // A shard opened while the disk was full could not do everything; now there is room.
  if (wasFull && replica === null && space.trouble() === null) {
    host.running = null
    void run.stop().then(() => reopen(host))
    return []
  }
  // The fetched log is complete, as far as this node knows.
  if (host.isMending && replica !== null && replica.position().applied > 0 && replica.lag() === 0) {
    host.isMending = false
    host.options.onMended?.()
  }
  try {
    return tickShard(run)
  } catch (error) {
    // Nothing was done: what is due stays due.
    if (error instanceof HistoryUnavailable) historyUnavailable(run, error)
    else run.broken(error)
    return []
  }
}

const handOutAgain = ({ running: run }: Host, id: DeliveryId): void => {
  // A shard that is led anew hands out all that is due.
  if (!run?.leading || run.leading.isRevoked) return
  try {
    run.memory.handOutAgain(id)
  } catch (error) {
    run.broken(error)
  }
}

const stateOf = ({ running, isDamaged, fetching, isHeld }: Host): ShardState => {
  if (!isHeld) return 'ELSEWHERE'
  if (running === null) return fetching !== null ? 'JOINING' : isDamaged ? 'DAMAGED' : 'RECOVERING'
  if (running.leading === null && running.log.replica === null) return 'READING'
  return running.leading === null ? 'FOLLOWING' : hasLease(running) ? 'SERVING' : 'UNCONFIRMED'
}

const close = async (host: Host): Promise<void> => {
  host.isClosed = true
  await host.fetching
  await host.removing
  // Publishing now avoids repeats later, and a last snapshot makes the next start quick. A stream that takes
  // nothing must not delay the end.
  const { outbox, publication } = host.running?.leading ?? {}
  const areCaughtUp = Promise.all([outbox?.caughtUp(), publication?.caughtUp()])
  await Promise.race([areCaughtUp, delay(bounds.lastSnapshotMs)])
  const lastSnapshot =
    host.running &&
    saveSnapshot(host.running).catch((error) => host.options.onTrouble('no last snapshot', error))
  await Promise.race([lastSnapshot, delay(bounds.lastSnapshotMs)])
  await host.running?.stop()
}

const damaged = new ShardUnavailable('the shard has stopped, because what it has stored is damaged')
const moved = new ShardMoved('another node owns the shard')
/** Nothing was done: soon the cluster confirms this node, or another node owns the shard. */
const leaseUnconfirmed = new ShardMoved('the cluster has not confirmed lately that this node owns the shard')
