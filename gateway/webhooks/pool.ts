/**
 * Webhooks: the planner schedules a delivery of each event to each subscribed endpoint, the ticker and the pool
 * make due attempts, and connections lead only to vetted addresses.
 */

import type { Waiter } from '../../engine/kernel/handler.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { DeliveryId, EndpointId } from '../../engine/shared/ids.ts'
import type { AttemptOutcome, Delivery } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'
import { timeout } from '../base/delay.ts'
import { newQueue, type Queue } from './queue.ts'
import { type Guest, newGuest, openRoom, type Room } from './room.ts'

/**
 * Makes the attempts that are due. Each endpoint has a mailbox with slots of its own, so a dead endpoint delays no other;
 * endpoints with work take turns for the slots of the worker. Silent endpoints take turns of their own.
 */
export type Pool = {
  /** Adds a delivery whose attempt is due. One that is already queued or under way is ignored. */
  readonly enqueue: (delivery: Delivery) => void
  /** Attempts under way. */
  readonly inFlight: () => number
  /** Deliveries waiting for a slot. */
  readonly queued: () => number
  /** First attempts waiting for an earlier one about the same object. */
  readonly held: () => number
  /** Attempts that have ended but are not on disk yet. */
  readonly unrecorded: () => number
  /** How many of all these are not first attempts. */
  readonly retries: () => number
  /** Stops taking deliveries, and resolves when nothing is under way. */
  readonly close: () => Promise<void>
}

export type PoolOptions = {
  /** Makes one attempt; null if the endpoint is gone. */
  readonly attempt: (delivery: Delivery) => Promise<AttemptOutcome | null>
  /** Journals the outcome of an attempt. */
  readonly record: (delivery: Delivery, outcome: AttemptOutcome | null, to: Waiter<unknown>) => void
  /** Loads the delivery as it is now: the queue holds ids without states. */
  readonly find: (delivery: Queued, to: Waiter<Delivery | null>) => void
  /** Returns a delivery whose attempt was not made to its shard, which hands it out again. */
  readonly giveBack: (delivery: Queued) => void
  /** Called when an attempt could not be made for another reason than a shard that is away. */
  readonly onFault: (error: unknown, delivery: Queued) => void
  /** Whether a person had the event sent again. */
  readonly isByHand: (delivery: Delivery) => boolean
  /** Waits between attempts to journal, and before a delivery is given back. */
  readonly pause: () => Promise<void>
  /** Never jumps. */
  readonly monotonicMs?: () => number
  /** Calls back after so many milliseconds. */
  readonly later?: (ms: number, callback: () => void) => void
}

export type Queued = {
  readonly id: DeliveryId
  readonly accountId: Delivery['accountId']
  readonly endpointId: EndpointId
  readonly objectId: string
  /** First attempts about one object go out one after the other; retries delay none. */
  readonly isFirst: boolean
  /** Sent again by hand, maybe with thousands of others: it queues behind live deliveries and delays none of them. */
  readonly isByHand: boolean
}

type Mailbox = Guest & {
  readonly ready: Queue<Queued>
  /** Deliveries sent again by hand. */
  readonly byHand: Queue<Queued>
  /** Objects with a first attempt on its way, and the deliveries that wait for it. */
  readonly waiting: Map<string, Queued[] | null>
  /** How many of those in flight are sent by hand. */
  byHandInFlight: number
  hasTurn: boolean
}

const queueOf = ({ ready, byHand }: Mailbox, queued: Queued): Queue<Queued> =>
  queued.isByHand ? byHand : ready

/** The key that keeps first attempts in order: the object, with attempts by hand apart. */
const orderOf = ({ objectId, isByHand }: Queued): string => (isByHand ? `again ${objectId}` : objectId)

type Known = {
  /** How many attempts there were before this one. */
  readonly attempts: number
  /** The delivery for the attempt that follows, where that is due before this one is known to be on disk. */
  next: Delivery | null
}

type PoolState = {
  readonly options: PoolOptions
  readonly mailboxes: Map<EndpointId, Mailbox>
  /** Every delivery that is queued, under way or not recorded yet. */
  readonly known: Map<DeliveryId, Known>
  readonly turns: Queue<Mailbox>
  readonly silentTurns: Queue<Mailbox>
  readonly room: Room
  held: number
  unrecorded: number
  retries: number
  isClosed: boolean
  whenIdle: () => void
}

/** Opens the pool of one worker. */
export const openPool = (options: PoolOptions): Pool => {
  const pool: PoolState = {
    options,
    mailboxes: new Map(),
    known: new Map(),
    turns: newQueue(),
    silentTurns: newQueue(),
    room: openRoom({
      monotonicMs: options.monotonicMs ?? (() => performance.now()),
      later: options.later ?? timeout,
      onRoom: () => startNext(pool, null),
    }),
    held: 0,
    unrecorded: 0,
    retries: 0,
    isClosed: false,
    whenIdle: () => undefined,
  }
  return {
    enqueue: (delivery) => enqueue(pool, delivery),
    inFlight: pool.room.inFlight,
    queued: () => pool.known.size - pool.room.inFlight() - pool.unrecorded - pool.held,
    held: () => pool.held,
    unrecorded: () => pool.unrecorded,
    retries: () => pool.retries,
    close: async () => {
      pool.isClosed = true
      if (isIdle(pool)) return
      await new Promise<void>((resolve) => {
        pool.whenIdle = resolve
      })
    },
  }
}

const enqueue = (pool: PoolState, delivery: Delivery): void => {
  if (pool.isClosed) return
  const known = pool.known.get(delivery.id)
  if (known !== undefined) {
    // The shard has recorded the attempt, and a person had the next one made at once.
    if (delivery.attempts.length > known.attempts) known.next = delivery
    return
  }
  pool.known.set(delivery.id, { attempts: delivery.attempts.length, next: null })
  const { id, accountId, endpointId, objectId } = delivery
  const isFirst = delivery.attempts.length === 0
  const queued = { id, accountId, endpointId, objectId, isFirst, isByHand: pool.options.isByHand(delivery) }
  if (!isFirst) pool.retries++
  const mailbox = mailboxOf(pool, endpointId)
  const before = isFirst ? mailbox.waiting.get(orderOf(queued)) : undefined
  if (before !== undefined) {
    if (before === null) mailbox.waiting.set(orderOf(queued), [queued])
    else before.push(queued)
    pool.held++
    return
  }
  if (isFirst) mailbox.waiting.set(orderOf(queued), null)
  queueOf(mailbox, queued).push(queued)
  giveTurn(pool, mailbox)
  startNext(pool, delivery)
}

const mailboxOf = (pool: PoolState, endpointId: EndpointId): Mailbox => {
  let mailbox = pool.mailboxes.get(endpointId)
  if (mailbox === undefined) {
    mailbox = {
      ...newGuest(),
      ready: newQueue(),
      byHand: newQueue(),
      waiting: new Map(),
      byHandInFlight: 0,
      hasTurn: false,
    }
    pool.mailboxes.set(endpointId, mailbox)
  }
  return mailbox
}

/** At most half of the slots go to deliveries by hand, so that a live one soon finds a slot. */
const canSendByHand = ({ byHand, byHandInFlight, slots }: Mailbox): boolean =>
  byHand.length() > 0 && byHandInFlight < Math.max(1, slots / 2)

const giveTurn = (pool: PoolState, mailbox: Mailbox): void => {
  if (mailbox.hasTurn || mailbox.inFlight >= mailbox.slots) return
  if (mailbox.ready.length() === 0 && !canSendByHand(mailbox)) return
  mailbox.hasTurn = true
  if (mailbox.isSilent) pool.silentTurns.push(mailbox)
  else pool.turns.push(mailbox)
}

const nextTurn = (pool: PoolState): Mailbox | undefined => {
  if (pool.unrecorded >= bounds.attemptsUnrecordedMax || pool.isClosed) return undefined
  while (pool.turns.length() > 0 && pool.room.hasRoom()) {
    const mailbox = pool.turns.shift()!
    if (!mailbox.isSilent) return mailbox
    // It fell silent meanwhile: now it has one slot, and its turn is among the silent.
    mailbox.hasTurn = false
    giveTurn(pool, mailbox)
  }
  return pool.room.hasRoomForSilent() ? pool.silentTurns.shift() : undefined
}

/** Fills free slots. The state of a delivery that was just enqueued is passed along, which saves loading it. */
const startNext = (pool: PoolState, enqueued: Delivery | null): void => {
  for (let mailbox = nextTurn(pool); mailbox !== undefined; mailbox = nextTurn(pool)) {
    mailbox.hasTurn = false
    const queued = (mailbox.ready.shift() ?? mailbox.byHand.shift())!
    run(pool, mailbox, queued, queued.id === enqueued?.id ? enqueued : null)
    giveTurn(pool, mailbox)
  }
}

const run = (pool: PoolState, mailbox: Mailbox, queued: Queued, enqueued: Delivery | null): void => {
  pool.room.onStart(mailbox)
  if (queued.isByHand) mailbox.byHandInFlight++

  const begin = (delivery: Delivery | null): void => {
    if (delivery === null || delivery.nextAttemptAtMs === null) end(null, () => forget(pool, queued))
    else
      pool.options
        .attempt(delivery)
        .then((outcome) => end(outcome, () => record(pool, queued, delivery, outcome)), failed)
  }
  const failed = (error: unknown): void => {
    if (!(error instanceof ShardUnavailable)) pool.options.onFault(error, queued)
    end(null, () => void giveBack(pool, queued))
  }
  const end = (outcome: AttemptOutcome | null, after: () => void): void => {
    pool.room.onEnd(mailbox, outcome)
    if (queued.isByHand) mailbox.byHandInFlight--
    after()
    finish(pool, mailbox, queued)
  }

  if (enqueued !== null) begin(enqueued)
  else pool.options.find(queued, { resolve: begin, reject: failed })
}

/**
 * Returns a delivery to its shard after a pause, when its shard was away for a moment or the attempt failed to start. Until then the
 * delivery waits here, and handing it out once more changes nothing.
 */
const giveBack = async (pool: PoolState, queued: Queued): Promise<void> => {
  await pool.options.pause()
  forget(pool, queued)
  pool.options.giveBack(queued)
}

/** Records in the background, with the slot already free: the disk must not slow down the receiver. */
const record = (
  pool: PoolState,
  queued: Queued,
  delivery: Delivery,
  outcome: AttemptOutcome | null,
): void => {
  pool.unrecorded++
  const resolve = (): void => {
    pool.unrecorded--
    forget(pool, queued)
    if (isIdle(pool)) pool.whenIdle()
    startNext(pool, null)
  }
  // The receiver already has the event: it must not get it again just because the shard was busy or recovering.
  const reject = (): void => {
    if (pool.isClosed) resolve()
    else void pool.options.pause().then(again)
  }
  const again = (): void => pool.options.record(delivery, outcome, { resolve, reject })
  again()
}

const forget = (pool: PoolState, { id, isFirst }: Queued): void => {
  const { next } = pool.known.get(id)!
  pool.known.delete(id)
  if (!isFirst) pool.retries--
  if (next !== null) enqueue(pool, next)
}

const finish = (pool: PoolState, mailbox: Mailbox, queued: Queued): void => {
  if (queued.isFirst) {
    const next = mailbox.waiting.get(orderOf(queued))?.shift()
    if (next !== undefined) {
      queueOf(mailbox, next).push(next)
      pool.held--
    } else mailbox.waiting.delete(orderOf(queued))
  }
  const isEmpty = mailbox.inFlight === 0 && mailbox.ready.length() === 0 && mailbox.byHand.length() === 0
  // A silent endpoint is remembered until it answers.
  if (isEmpty && !mailbox.isSilent) pool.mailboxes.delete(queued.endpointId)
  else giveTurn(pool, mailbox)
  if (isIdle(pool)) pool.whenIdle()
  startNext(pool, null)
}

const isIdle = (pool: PoolState): boolean => pool.room.inFlight() === 0 && pool.unrecorded === 0
