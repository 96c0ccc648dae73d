import type { DeliveryId, EndpointId } from '../../engine/shared/ids.ts'
import type { AttemptOutcome, Delivery } from '../../engine/webhooks/delivery.ts'
import { limits } from '../limits.ts'
import { newQueue, type Queue } from './queue.ts'

/**
 * Makes the attempts that are due. Each endpoint has a mailbox with slots of its own, so a dead endpoint holds back
 * nobody else; endpoints with work take turns for the slots of the worker.
 */
export type Pool = {
  /** A delivery whose attempt is due. One that is already queued or under way is not taken twice. */
  readonly enqueue: (delivery: Delivery) => void
  /** Attempts under way. */
  readonly inFlight: () => number
  /** Deliveries that wait for a slot. */
  readonly queued: () => number
  /** First attempts that wait for the one before them about the same object. */
  readonly held: () => number
  /** Attempts that have ended and are not on disk yet. */
  readonly unrecorded: () => number
  /** Of all of these, those that are not first attempts. */
  readonly retries: () => number
  /** Takes nothing more and waits for what is under way. */
  readonly close: () => Promise<void>
}

export type PoolOptions = {
  /** Makes one attempt; null when the endpoint is gone. */
  readonly attempt: (delivery: Delivery) => Promise<AttemptOutcome | null>
  /** Journals what an attempt came to. */
  readonly record: (delivery: Delivery, outcome: AttemptOutcome | null) => Promise<void>
  /** The delivery as it is now: what waits is known by its id, without its state. */
  readonly find: (delivery: Queued) => Promise<Delivery | null>
  /** Whether somebody asked for it to be sent again. */
  readonly isByHand: (delivery: Delivery) => boolean
  /** Waits between the tries to journal. */
  readonly pause: () => Promise<void>
}

export type Queued = {
  readonly id: DeliveryId
  readonly accountId: Delivery['accountId']
  readonly endpointId: EndpointId
  readonly objectId: string
  /** First attempts of one object go out one after the other; retries hold back nobody. */
  readonly isFirst: boolean
  /** Sent again by hand, maybe with thousands of others: it waits behind what happens now, and holds back none of it. */
  readonly isByHand: boolean
}

type Mailbox = {
  readonly ready: Queue<Queued>
  /** What is sent by hand. */
  readonly byHand: Queue<Queued>
  /** First attempts that wait for the one before them, by object. */
  readonly waiting: Map<string, Queued[]>
  inFlight: number
  /** Of these, by hand. */
  byHandInFlight: number
  /** How many may be in flight now. */
  slots: number
  /** Whether it let the last attempt time out. */
  isSilent: boolean
  hasTurn: boolean
}

const queueOf = ({ ready, byHand }: Mailbox, queued: Queued): Queue<Queued> =>
  queued.isByHand ? byHand : ready

/** What is sent one after the other: first attempts about one object, those by hand apart. */
const orderOf = ({ objectId, isByHand }: Queued): string => (isByHand ? `again ${objectId}` : objectId)

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
      before.push(queued)
      held++
      return
    }
    if (isFirst) mailbox.waiting.set(orderOf(queued), [])
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

  /** By hand no more than half of its slots, so that what happens now soon finds one. */
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

  /** The state of what was enqueued just now is at hand. */
  const startNext = (enqueued: Delivery | null): void => {
    for (let mailbox = nextTurn(); mailbox !== undefined; mailbox = nextTurn()) {
      mailbox.hasTurn = false
      const queued = (mailbox.ready.shift() ?? mailbox.byHand.shift())!
      void run(mailbox, queued, queued.id === enqueued?.id ? enqueued : null)
      giveTurn(mailbox)
    }
  }

  const run = async (mailbox: Mailbox, queued: Queued, enqueued: Delivery | null): Promise<void> => {
    const { isSilent } = mailbox
    mailbox.inFlight++
    if (queued.isByHand) mailbox.byHandInFlight++
    inFlight++
    if (isSilent) silentInFlight++
    let delivery: Delivery | null = null
    let outcome: AttemptOutcome | null = null
    try {
      delivery = enqueued ?? (await options.find(queued))
      if (delivery?.nextAttemptAtMs === null) delivery = null
      if (delivery !== null) outcome = await options.attempt(delivery)
    } catch {
      // The shard recovers; it hands the delivery out again when it is back.
      delivery = null
    }
    mailbox.inFlight--
    if (queued.isByHand) mailbox.byHandInFlight--
    inFlight--
    if (isSilent) silentInFlight--
    if (outcome !== null) adjustConcurrency(mailbox, outcome)
    if (delivery === null) forget(queued)
    else void record(queued, delivery, outcome)
    finish(mailbox, queued)
  }

  /** One that lets attempts time out has one slot, until it answers again. */
  const adjustConcurrency = (mailbox: Mailbox, { error }: AttemptOutcome): void => {
    mailbox.isSilent = error === 'TIMEOUT'
    mailbox.slots = mailbox.isSilent ? 1 : Math.min(2 * mailbox.slots, limits.attemptsPerEndpointMax)
  }

  /** The slot is free meanwhile: the disk must not slow down the receiver. */
  const record = async (
    queued: Queued,
    delivery: Delivery,
    outcome: AttemptOutcome | null,
  ): Promise<void> => {
    unrecorded++
    for (;;) {
      try {
        await options.record(delivery, outcome)
        break
      } catch {
        // What the receiver has heard is not to be sent again because the shard was busy or recovers.
        if (closed) break
        await options.pause()
      }
    }
    unrecorded--
    forget(queued)
    if (isIdle()) whenIdle()
    startNext(null)
  }

  const forget = ({ id, isFirst }: Queued): void => {
    known.delete(id)
    if (!isFirst) retries--
  }

  const finish = (mailbox: Mailbox, queued: Queued): void => {
    if (queued.isFirst) {
      const waiting = mailbox.waiting.get(orderOf(queued))!
      const next = waiting.shift()
      if (next !== undefined) {
        queueOf(mailbox, next).push(next)
        held--
      } else mailbox.waiting.delete(orderOf(queued))
    }
    const isEmpty = mailbox.inFlight === 0 && mailbox.ready.length() === 0 && mailbox.byHand.length() === 0
    // That an endpoint is silent is remembered until it answers.
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
