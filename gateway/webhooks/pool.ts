import type { Waiter } from '../../engine/kernel/handler.ts'
import type { DeliveryId, EndpointId } from '../../engine/shared/ids.ts'
import type { AttemptOutcome, Delivery } from '../../engine/webhooks/delivery.ts'
import { limits } from '../base/limits.ts'
import { newQueue, type Queue } from './queue.ts'

/**
 * Makes the attempts that are due. Each endpoint has a mailbox with slots of its own, so a dead endpoint delays no other;
 * endpoints with work take turns for the slots of the worker.
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
  /** Whether a person asked for it to be sent again. */
  readonly isByHand: (delivery: Delivery) => boolean
  /** Waits between attempts to journal. */
  readonly pause: () => Promise<void>
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

type Mailbox = {
  readonly ready: Queue<Queued>
  /** Deliveries sent again by hand. */
  readonly byHand: Queue<Queued>
  /** Objects that have a first attempt on its way, with those that wait for it. */
  readonly waiting: Map<string, Queued[] | null>
  inFlight: number
  /** How many of those are sent by hand. */
  byHandInFlight: number
  /** How many may be in flight now; see `adjustConcurrency`. */
  slots: number
  /** Whether the last attempt timed out. */
  isSilent: boolean
  hasTurn: boolean
}

const queueOf = ({ ready, byHand }: Mailbox, queued: Queued): Queue<Queued> =>
  queued.isByHand ? byHand : ready

/** The key that keeps first attempts in order: the object, with attempts by hand apart. */
const orderOf = ({ objectId, isByHand }: Queued): string => (isByHand ? `again ${objectId}` : objectId)

/** Opens the pool of one worker. */
export const openPool = (options: PoolOptions): Pool => {
  const mailboxes = new Map<EndpointId, Mailbox>()
  const known = new Set<DeliveryId>()
  const turns = newQueue<Mailbox>()
  const silentTurns = newQueue<Mailbox>()
  let inFlight = 0
  let silentInFlight = 0
  let held = 0
  let unrecorded = 0
  let retries = 0
  let closed = false
  let whenIdle: () => void = () => undefined

  const enqueue = (delivery: Delivery): void => {
    if (closed || known.has(delivery.id)) return
    known.add(delivery.id)
    const { id, accountId, endpointId, objectId } = delivery
    const isFirst = delivery.attempts.length === 0
    const queued = { id, accountId, endpointId, objectId, isFirst, isByHand: options.isByHand(delivery) }
    if (!isFirst) retries++
    const mailbox = mailboxOf(endpointId)
    const before = isFirst ? mailbox.waiting.get(orderOf(queued)) : undefined
    if (before !== undefined) {
      if (before === null) mailbox.waiting.set(orderOf(queued), [queued])
      else before.push(queued)
      held++
      return
    }
    if (isFirst) mailbox.waiting.set(orderOf(queued), null)
    queueOf(mailbox, queued).push(queued)
    giveTurn(mailbox)
    startNext(delivery)
  }

  const mailboxOf = (endpointId: EndpointId): Mailbox => {
    let mailbox = mailboxes.get(endpointId)
    if (mailbox === undefined) {
      mailbox = {
        ready: newQueue(),
        byHand: newQueue(),
        waiting: new Map(),
        inFlight: 0,
        byHandInFlight: 0,
        slots: limits.initialSlotsPerEndpoint,
        isSilent: false,
        hasTurn: false,
      }
      mailboxes.set(endpointId, mailbox)
    }
    return mailbox
  }

  /** At most half of the slots go to deliveries by hand, so that a live one soon finds a slot. */
  const canSendByHand = ({ byHand, byHandInFlight, slots }: Mailbox): boolean =>
    byHand.length() > 0 && byHandInFlight < Math.max(1, slots / 2)

  const giveTurn = (mailbox: Mailbox): void => {
    if (mailbox.hasTurn || mailbox.inFlight >= mailbox.slots) return
    if (mailbox.ready.length() === 0 && !canSendByHand(mailbox)) return
    mailbox.hasTurn = true
    if (mailbox.isSilent) silentTurns.push(mailbox)
    else turns.push(mailbox)
  }

  const nextTurn = (): Mailbox | undefined => {
    if (inFlight >= limits.attemptsInFlightMax || unrecorded >= limits.attemptsUnrecordedMax || closed)
      return undefined
    return turns.shift() ?? (silentInFlight < limits.attemptsToSilentMax ? silentTurns.shift() : undefined)
  }

  /** Fills free slots. The state of a delivery that was just enqueued is passed along, which saves loading it. */
  const startNext = (enqueued: Delivery | null): void => {
    for (let mailbox = nextTurn(); mailbox !== undefined; mailbox = nextTurn()) {
      mailbox.hasTurn = false
      const queued = (mailbox.ready.shift() ?? mailbox.byHand.shift())!
      run(mailbox, queued, queued.id === enqueued?.id ? enqueued : null)
      giveTurn(mailbox)
    }
  }

  const run = (mailbox: Mailbox, queued: Queued, enqueued: Delivery | null): void => {
    const { isSilent } = mailbox
    mailbox.inFlight++
    if (queued.isByHand) mailbox.byHandInFlight++
    inFlight++
    if (isSilent) silentInFlight++

    const begin = (delivery: Delivery | null): void => {
      if (delivery === null || delivery.nextAttemptAtMs === null) drop()
      else options.attempt(delivery).then((outcome) => end(delivery, outcome), drop)
    }
    /** It is over, or its shard is recovering and hands it out again when it is back. */
    const drop = (): void => end(null, null)
    const end = (delivery: Delivery | null, outcome: AttemptOutcome | null): void => {
      mailbox.inFlight--
      if (queued.isByHand) mailbox.byHandInFlight--
      inFlight--
      if (isSilent) silentInFlight--
      if (outcome !== null) adjustConcurrency(mailbox, outcome)
      if (delivery === null) forget(queued)
      else record(queued, delivery, outcome)
      finish(mailbox, queued)
    }

    if (enqueued !== null) begin(enqueued)
    else options.find(queued, { resolve: begin, reject: drop })
  }

  /** Slots double with every answer up to the limit; after a timeout there is one, until the endpoint answers again. */
  const adjustConcurrency = (mailbox: Mailbox, { error }: AttemptOutcome): void => {
    mailbox.isSilent = error === 'TIMEOUT'
    mailbox.slots = mailbox.isSilent ? 1 : Math.min(2 * mailbox.slots, limits.attemptsPerEndpointMax)
  }

  /** Records in the background, with the slot already free: the disk must not slow down the receiver. */
  const record = (queued: Queued, delivery: Delivery, outcome: AttemptOutcome | null): void => {
    unrecorded++
    const resolve = (): void => {
      unrecorded--
      forget(queued)
      if (isIdle()) whenIdle()
      startNext(null)
    }
    // The receiver already has the event: it must not get it again just because the shard was busy or recovering.
    const reject = (): void => {
      if (closed) resolve()
      else void options.pause().then(again)
    }
    const again = (): void => options.record(delivery, outcome, { resolve, reject })
    again()
  }

  const forget = ({ id, isFirst }: Queued): void => {
    known.delete(id)
    if (!isFirst) retries--
  }

  const finish = (mailbox: Mailbox, queued: Queued): void => {
    if (queued.isFirst) {
      const next = mailbox.waiting.get(orderOf(queued))?.shift()
      if (next !== undefined) {
        queueOf(mailbox, next).push(next)
        held--
      } else mailbox.waiting.delete(orderOf(queued))
    }
    const isEmpty = mailbox.inFlight === 0 && mailbox.ready.length() === 0 && mailbox.byHand.length() === 0
    // A silent endpoint is remembered until it answers.
    if (isEmpty && !mailbox.isSilent) mailboxes.delete(queued.endpointId)
    else giveTurn(mailbox)
    if (isIdle()) whenIdle()
    startNext(null)
  }

  const isIdle = (): boolean => inFlight === 0 && unrecorded === 0

  return {
    enqueue,
    inFlight: () => inFlight,
    queued: () => known.size - inFlight - unrecorded - held,
    held: () => held,
    unrecorded: () => unrecorded,
    retries: () => retries,
    close: async () => {
      closed = true
      if (isIdle()) return
      await new Promise<void>((resolve) => {
        whenIdle = resolve
      })
    },
  }
}
