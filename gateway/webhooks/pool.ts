import type { AttemptOutcome, Delivery } from '../../engine/delivery/delivery.ts'
import type { DeliveryId, EndpointId } from '../../engine/ids.ts'
import { limits } from '../limits.ts'

/**
 * Makes the attempts that are due. Each endpoint has a mailbox with slots of its own, so a dead endpoint holds back
 * nobody else; endpoints with work take turns for the slots of the worker.
 */
export type Pool = {
  /** A delivery whose attempt is due. One that is already queued or under way is not taken twice. */
  readonly offer: (delivery: Delivery) => void
  readonly inFlight: () => number
  readonly queued: () => number
  /** Takes nothing more and waits for what is under way. */
  readonly close: () => Promise<void>
}

export type PoolOptions = {
  /** Makes one attempt; null when the endpoint is gone. */
  readonly attempt: (delivery: Delivery) => Promise<AttemptOutcome | null>
  /** Journals what an attempt came to. */
  readonly record: (delivery: Delivery, outcome: AttemptOutcome | null) => Promise<void>
  /** The delivery as it is now: the queue holds ids, not states. */
  readonly find: (delivery: Queued) => Promise<Delivery | null>
}

export type Queued = {
  readonly id: DeliveryId
  readonly accountId: Delivery['accountId']
  readonly endpointId: EndpointId
  readonly objectId: string
  /** First attempts of one object go out one after the other; retries hold back nobody. */
  readonly isFirst: boolean
}

type Mailbox = {
  readonly ready: Queued[]
  /** First attempts that wait for the one before them, by object. */
  readonly waiting: Map<string, Queued[]>
  inFlight: number
  hasTurn: boolean
}

export const openPool = (options: PoolOptions): Pool => {
  const mailboxes = new Map<EndpointId, Mailbox>()
  const known = new Set<DeliveryId>()
  const turns: Mailbox[] = []
  let inFlight = 0
  let closed = false
  let whenIdle: () => void = () => undefined

  const offer = (delivery: Delivery): void => {
    if (closed || known.has(delivery.id)) return
    known.add(delivery.id)
    const { id, accountId, endpointId, objectId } = delivery
    const queued = { id, accountId, endpointId, objectId, isFirst: delivery.attempts.length === 0 }
    const mailbox = mailboxOf(endpointId)
    const before = queued.isFirst ? mailbox.waiting.get(objectId) : undefined
    if (before !== undefined) {
      before.push(queued)
      return
    }
    if (queued.isFirst) mailbox.waiting.set(objectId, [])
    mailbox.ready.push(queued)
    giveTurn(mailbox)
    startWhatFits()
  }

  const mailboxOf = (endpointId: EndpointId): Mailbox => {
    let mailbox = mailboxes.get(endpointId)
    if (mailbox === undefined) {
      mailbox = { ready: [], waiting: new Map(), inFlight: 0, hasTurn: false }
      mailboxes.set(endpointId, mailbox)
    }
    return mailbox
  }

  const giveTurn = (mailbox: Mailbox): void => {
    if (mailbox.hasTurn || mailbox.ready.length === 0) return
    if (mailbox.inFlight >= limits.attemptsPerEndpointMax) return
    mailbox.hasTurn = true
    turns.push(mailbox)
  }

  const startWhatFits = (): void => {
    while (inFlight < limits.attemptsInFlightMax && turns.length > 0 && !closed) {
      const mailbox = turns.shift()!
      mailbox.hasTurn = false
      const queued = mailbox.ready.shift()!
      mailbox.inFlight++
      inFlight++
      void run(queued).finally(() => finish(mailbox, queued))
      giveTurn(mailbox)
    }
  }

  const run = async (queued: Queued): Promise<void> => {
    try {
      const delivery = await options.find(queued)
      if (delivery === null || delivery.nextAttemptAtMs === null) return
      await options.record(delivery, await options.attempt(delivery))
    } catch {
      // The shard recovers; it hands the delivery out again when it is back.
    }
  }

  const finish = (mailbox: Mailbox, queued: Queued): void => {
    known.delete(queued.id)
    mailbox.inFlight--
    inFlight--
    if (queued.isFirst) {
      const waiting = mailbox.waiting.get(queued.objectId)!
      const next = waiting.shift()
      if (next !== undefined) mailbox.ready.push(next)
      else mailbox.waiting.delete(queued.objectId)
    }
    if (mailbox.inFlight === 0 && mailbox.ready.length === 0) mailboxes.delete(queued.endpointId)
    else giveTurn(mailbox)
    if (inFlight === 0) whenIdle()
    startWhatFits()
  }

  return {
    offer,
    inFlight: () => inFlight,
    queued: () => known.size - inFlight,
    close: async () => {
      closed = true
      if (inFlight > 0) {
        await new Promise<void>((resolve) => {
          whenIdle = resolve
        })
      }
    },
  }
}
