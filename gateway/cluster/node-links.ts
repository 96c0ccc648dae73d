import { randomInt } from 'node:crypto'
import { ShardMoved, ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import { limits } from '../limits.ts'
import {
  type Batch,
  type Kind,
  type Link,
  type Message,
  openLink,
  type Place,
  type Serve,
  Unanswered,
} from '../link.ts'
import type { ClusterCounters } from './counters.ts'
import { type Frame, framesOf, newAssembly, readFrame } from './frames.ts'

/** What a connection to NATS can do for it: its `NatsConnection` fits. */
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
   * Calls a worker of another node. Rejects with `ShardMoved` where nothing was done for certain, also because nothing
   * was there to take the call; with `Unanswered` where nobody knows; otherwise as every link.
   */
  readonly call: (to: Place, kind: Kind, message: Message, timeoutMs: number) => Promise<unknown>
  /** No answers will come from there any more. */
  readonly nodeDied: (node: string) => void
  readonly close: () => void
}

/**
 * The links of one worker to those of other nodes: the calls and results of one turn of the event loop leave as one
 * message to each. NATS delivers a message once or, when a connection or a server is lost, not at all.
 */
export const openNodeLinks = (options: {
  readonly bus: Bus
  readonly self: Place
  /** The subject on which a worker of a node hears its calls, and results; and below it what could not be delivered. */
  readonly subjectOf: (place: Place) => string
  /** Where each worker tells all others that its connection was lost. */
  readonly lostSubject: string
  /** Does what another node asks. */
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
  /** Of an earlier life of this worker results may still be on their way: they must answer no call of this one. */
  let lastFrame = randomInt(randomMax)

  /** The batches to all places leave together: NATS' client then writes them to its socket at once. */
  const later = (leave: () => void): void => {
    if (leaving.push(leave) > 1) return
    setImmediate(() => {
      const all = leaving
      leaving = []
      for (const leave of all) leave()
    })
  }

  const peerAt = (place: Place): Peer => {
    const name = nameOf(place)
    const known = peers.get(name)
    if (known !== undefined) return known
    const post = (batch: Batch): void => send(place, link, batch)
    const link = openLink({ post, serve, later, firstNumber: randomInt(randomMax) })
    const peer = { place, link, assemble: newAssembly() }
    peers.set(name, peer)
    return peer
  }

  const send = (to: Place, link: Link, batch: Batch): void => {
    const subject = subjectOf(to)
    for (const { calls, messages } of framesOf(self, batch, () => ++lastFrame)) {
      const range = calls.length > 0 ? ([calls[0]![0], calls.at(-1)![0]] as const) : null
      counters.batches += range === null ? 0 : 1
      counters.calls += calls.length
      try {
        // Where nobody hears the subject, NATS says so to the reply subject: which names the calls that were in it.
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
      if (batch !== null) peer.link.hear(batch)
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
    const nobody = new ShardMoved(`nobody is there at ${node}`)
    peers.get(`${node}.${worker}`)?.link.fail(nobody, Number(first), Number(last))
  }

  const failAll = (error: Error): void => {
    for (const { link } of peers.values()) link.fail(error)
  }

  /** Counted in ticks, not by a clock: after a pause of this process the answers that came meanwhile are read first. */
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
        // Whoever waits for an answer that was lost with the connection would do so until its time is over.
        bus.publish(lostSubject, Buffer.from(nameOf(self)))
      }
      if (type !== 'disconnect' && type !== 'close') continue
      isAway = true
      // Answers that are sent meanwhile find nobody here who hears them.
      failAll(new Unanswered('the connection to NATS was lost'))
    }
  }

  const subscriptions = [
    // As a queue: of several processes that take themselves for this worker one gets a message, and nothing is done twice.
    bus.subscribe(ownSubject, { queue: 'one', callback: onMessage }),
    // Not as one: NATS tells what it could not deliver only to a plain subscription of the connection that sent it.
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
      // What is published now is lost, or leaves when nobody waits for it any more.
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

const nameOf = ({ node, worker }: Place): string => `${node}.${worker}`

type Peer = {
  readonly place: Place
  readonly link: Link
  readonly assemble: (frame: Frame) => Batch | null
}

/** As large as `randomInt` allows; what is counted from there on stays an exact integer. */
const randomMax = 2 ** 48 - 1
