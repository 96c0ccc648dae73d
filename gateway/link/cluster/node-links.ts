import { randomInt } from 'node:crypto'
import { ShardMoved, ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { limits } from '../../base/limits.ts'
import {
  type Batch,
  type Kind,
  type Link,
  type Message,
  openLink,
  type Serve,
  Unanswered,
  type WorkerPlace,
} from '../link.ts'
import type { ClusterCounters } from './counters.ts'
import { type Frame, framesOf, newAssembly, readFrame } from './frames.ts'

/** What is needed of a connection to NATS; its `NatsConnection` fits. */
export type Bus = {
  readonly publish: (subject: string, bytes: Uint8Array, options?: { reply?: string }) => void
  readonly subscribe: (
    subject: string,
    options: { queue?: string; callback: (error: Error | null, message: BusMessage) => void },
  ) => { readonly unsubscribe: () => void }
  readonly status: () => AsyncIterable<{ readonly type: string }>
}

type BusMessage = { readonly subject: string; readonly data: Uint8Array }

export type NodeLinks = {
  /**
   * Calls a worker of another node. Rejects with `ShardMoved` if certainly nothing was done, for example because the call
   * reached no subscriber; with `Unanswered` if the outcome is unknown; otherwise like every link.
   */
  readonly call: (to: WorkerPlace, kind: Kind, message: Message, timeoutMs: number) => Promise<unknown>
  /** Fails the pending calls to a dead node, which will not answer any more. */
  readonly nodeDied: (node: string) => void
  readonly close: () => void
}

/**
 * Opens the links of one worker to those of other nodes. The calls and results of one turn of the event loop leave as one message
 * per place. NATS delivers a message once or, when a connection or server is lost, not at all.
 */
export const openNodeLinks = (options: {
  readonly bus: Bus
  readonly self: WorkerPlace
  /** The subject on which a worker gets its calls and results; undeliverable ones come back on subjects below it. */
  readonly subjectOf: (place: WorkerPlace) => string
  /** The subject on which a worker tells all others that its connection was lost. */
  readonly lostSubject: string
  /** Serves the calls of other nodes. */
  readonly serve: Serve
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  readonly counters: ClusterCounters
  readonly onTrouble: (message: string, error: unknown) => void
}): NodeLinks => {
  const { bus, self, subjectOf, lostSubject, serve, wait, counters, onTrouble } = options
  const ownSubject = subjectOf(self)
  const peers = new Map<string, Peer>()
  let isAway = false
  let isClosed = false
  let isTicking = false
  let leaving: (() => void)[] = []
  /**
   * Starts at random: results meant for an earlier life of this worker may still arrive, and must not answer a call of this one.
   */
  let lastFrame = randomInt(randomMax)

  /** Batches to all places leave together, so that the NATS client writes them to its socket at once. */
  const later = (leave: () => void): void => {
    if (leaving.push(leave) > 1) return
    setImmediate(() => {
      const all = leaving
      leaving = []
      for (const leave of all) leave()
    })
  }

  const peerAt = (place: WorkerPlace): Peer => {
    const name = nameOf(place)
    const known = peers.get(name)
    if (known !== undefined) return known
    const post = (batch: Batch): void => send(place, link, batch)
    const link = openLink({ post, serve, later, firstNumber: randomInt(randomMax) })
    const peer = { place, link, assemble: newAssembly() }
    peers.set(name, peer)
    return peer
  }

  const send = (to: WorkerPlace, link: Link, batch: Batch): void => {
    const subject = subjectOf(to)
    for (const { calls, messages } of framesOf(self, batch, () => ++lastFrame)) {
      const range = calls.length > 0 ? ([calls[0]![0], calls.at(-1)![0]] as const) : null
      counters.batches += range === null ? 0 : 1
      counters.calls += calls.length
      try {
        // If the subject has no subscriber, NATS reports it to the reply subject, whose name lists the calls in the message.
        const reply = range && `${ownSubject}.${to.node}.${to.worker}.${range.join('.')}`
        for (const bytes of messages) bus.publish(subject, bytes, reply === null ? {} : { reply })
      } catch (error) {
        onTrouble(`nothing can be sent to ${subject}`, error)
        if (range !== null) link.fail(new Unanswered('NATS took no message'), ...range)
      }
    }
  }

  const onMessage = (error: Error | null, { data }: BusMessage): void => {
    if (isClosed) return
    try {
      if (error !== null) throw error
      const frame: Frame = readFrame(data)
      const [, node, worker] = frame
      const peer = peerAt({ node, worker })
      const batch = peer.assemble(frame)
      if (batch !== null) peer.link.receive(batch)
    } catch (error) {
      onTrouble('a message of another node cannot be read', error)
    }
  }

  const onUndelivered = (error: Error | null, { subject }: BusMessage): void => {
    if (error !== null) {
      onTrouble('NATS does not say what it could not deliver', error)
      return
    }
    const [node, worker, first, last] = subject.slice(ownSubject.length + 1).split('.')
    const noSubscriber = new ShardMoved(`nobody is there at ${node}`)
    peers.get(`${node}.${worker}`)?.link.fail(noSubscriber, Number(first), Number(last))
  }

  const failAll = (error: Error): void => {
    for (const { link } of peers.values()) link.fail(error)
  }

  /** Timeouts count ticks rather than time: after a pause of this process, answers that have arrived meanwhile are read first. */
  const tick = async (): Promise<void> => {
    if (isTicking) return
    isTicking = true
    while ([...peers.values()].some(({ link }) => link.waiting() > 0)) {
      await wait(limits.nodeCallTickMs)
      for (const { link } of peers.values()) link.tick()
    }
    isTicking = false
  }

  const watch = async (): Promise<void> => {
    for await (const { type } of bus.status()) {
      if (isClosed) return
      if (type === 'reconnect') {
        isAway = false
        // Otherwise workers waiting for an answer that was lost with the connection would wait until their timeout.
        bus.publish(lostSubject, Buffer.from(nameOf(self)))
      }
      if (type !== 'disconnect' && type !== 'close') continue
      isAway = true
      // Answers that are sent meanwhile would reach no subscription here.
      failAll(new Unanswered('the connection to NATS was lost'))
    }
  }

  const subscriptions = [
    // A queue group: if several processes take themselves for this worker, each message goes to one of them, and nothing is
    // done twice.
    bus.subscribe(ownSubject, { queue: 'one', callback: onMessage }),
    // Not a queue group: NATS reports undeliverable messages only to a plain subscription of the connection that sent them.
    bus.subscribe(`${ownSubject}.*.*.*.*`, { callback: onUndelivered }),
    bus.subscribe(lostSubject, {
      callback: (error, { data }) => {
        const peer = error === null ? peers.get(Buffer.from(data).toString()) : undefined
        peer?.link.fail(new Unanswered('the connection of the other side was lost'))
      },
    }),
  ]
  watch().catch((error) => onTrouble('NATS does not say whether it is there', error))

  return {
    call: async (to, kind, message, timeoutMs) => {
      if (isClosed) throw new ShardUnavailable('the worker stops')
      // A message published now would be lost, or would leave after its caller has given up.
      if (isAway) throw new ShardMoved('NATS is away')
      const ticks = 1 + Math.ceil(timeoutMs / limits.nodeCallTickMs)
      const answer = peerAt(to).link.call(kind, message, ticks)
      void tick()
      try {
        return await answer
      } catch (error) {
        if (error instanceof Unanswered) counters.unanswered += 1
        throw error
      }
    },
    nodeDied: (node) => {
      for (const { place, link } of peers.values())
        if (place.node === node) link.fail(new Unanswered(`node ${node} has died`))
    },
    close: () => {
      isClosed = true
      for (const subscription of subscriptions) subscription.unsubscribe()
      failAll(new ShardUnavailable('the worker stops'))
    },
  }
}

const nameOf = ({ node, worker }: WorkerPlace): string => `${node}.${worker}`

type Peer = {
  readonly place: WorkerPlace
  readonly link: Link
  readonly assemble: (frame: Frame) => Batch | null
}

/** The largest range of `randomInt`; counting on from there stays within exact integers. */
const randomMax = 2 ** 48 - 1
