import { randomInt } from 'node:crypto'
import type { Waiter } from '../../../engine/kernel/handler.ts'
import { ShardMoved, ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { bounds } from '../../base/bounds.ts'
import { type FrameClock, frameClock, newDepartures } from '../departures.ts'
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
import { type Frame, formIn, framesOf, newAssembly, readFrame } from './frames.ts'

/** The part of a NATS connection that links use; a `NatsConnection` fits. */
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
   * Calls a worker of another node, and lets `waiter` wait. Rejects with `ShardMoved` if certainly nothing was done, for example because the call
   * reached no subscriber; with `Unanswered` if the outcome is unknown; otherwise like every link.
   */
  readonly call: (
    to: WorkerPlace,
    kind: Kind,
    message: Message,
    timeoutMs: number,
    waiter: Waiter<unknown>,
  ) => void
  /** Fails the pending calls to a dead node, which will not answer any more. */
  readonly nodeDied: (node: string) => void
  readonly close: () => void
}

export type NodeLinksOptions = {
  readonly bus: Bus
  readonly self: WorkerPlace
  /** The subject on which a worker gets its calls and results; undeliverable ones come back on subjects below it. */
  readonly subjectOf: (place: WorkerPlace) => string
  /** The subject on which a worker reports to all others that its connection was lost. */
  readonly lostSubject: string
  /** Serves the calls of other nodes. */
  readonly serve: Serve
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  /** When frames leave: with the clock of this process, unless a test has its own. */
  readonly frameClock?: FrameClock
  /** The version that every node of the cluster reads. */
  readonly writtenVersion: () => number
  readonly counters: ClusterCounters
  readonly onTrouble: (message: string, error: unknown) => void
}

type LinksState = NodeLinksOptions & {
  readonly ownSubject: string
  readonly peers: Map<string, Peer>
  isAway: boolean
  isClosed: boolean
  isTicking: boolean
  /** Batches to all places leave together, so that the NATS client writes them to its socket at once. */
  readonly newDeparture: ReturnType<typeof newDepartures>
  /**
   * Starts at random: results meant for an earlier life of this worker may still arrive, and must not answer a call of this one.
   */
  lastFrame: number
}

/**
 * Opens the links of one worker to those of other nodes. The calls and results of one turn of the event loop leave as one message
 * per place, or with those of the next millisecond where one left just before (`departures.ts`). NATS delivers a message once or, when a connection or server is lost, not at all.
 */
export const openNodeLinks = (options: NodeLinksOptions): NodeLinks => {
  const links: LinksState = {
    ...options,
    ownSubject: options.subjectOf(options.self),
    peers: new Map(),
    isAway: false,
    isClosed: false,
    isTicking: false,
    newDeparture: newDepartures(options.frameClock ?? frameClock),
    lastFrame: randomInt(randomMax),
  }
  const subscriptions = subscribe(links)
  watch(links).catch((error) => links.onTrouble('NATS does not say whether it is there', error))
  return {
    call: (...about) => callPeer(links, ...about),
    nodeDied: (node) => {
      for (const { place, link } of links.peers.values())
        if (place.node === node) link.fail(new Unanswered(`node ${node} has died`))
    },
    close: () => {
      links.isClosed = true
      for (const subscription of subscriptions) subscription.unsubscribe()
      failAll(links, new ShardUnavailable('the worker stops'))
    },
  }
}

const subscribe = (links: LinksState): readonly ReturnType<Bus['subscribe']>[] => {
  const { bus, ownSubject, lostSubject, peers } = links
  return [
    // A queue group: if several processes take themselves for this worker, each message goes to one of them, and nothing is
    // done twice.
    bus.subscribe(ownSubject, {
      queue: 'one',
      callback: (error, message) => onMessage(links, error, message),
    }),
    // Not a queue group: NATS reports undeliverable messages only to a plain subscription of the connection that sent them.
    bus.subscribe(`${ownSubject}.*.*.*.*`, {
      callback: (error, message) => onUndelivered(links, error, message),
    }),
    bus.subscribe(lostSubject, {
      callback: (error, { data }) => {
        const peer = error === null ? peers.get(Buffer.from(data).toString()) : undefined
        peer?.link.fail(new Unanswered('the connection of the other side was lost'))
      },
    }),
  ]
}

const callPeer = (
  links: LinksState,
  to: WorkerPlace,
  kind: Kind,
  message: Message,
  timeoutMs: number,
  waiter: Waiter<unknown>,
): void => {
  if (links.isClosed) {
    waiter.reject(new ShardUnavailable('the worker stops'))
    return
  }
  // A message published now would be lost, or would leave after its caller has given up.
  if (links.isAway) {
    waiter.reject(new ShardMoved('NATS is away'))
    return
  }
  const ticks = 1 + Math.ceil(timeoutMs / bounds.nodeCallTickMs)
  const counting: Waiter<unknown> = {
    resolve: (value) => waiter.resolve(value),
    reject: (error) => {
      if (error instanceof Unanswered) links.counters.unanswered += 1
      waiter.reject(error)
    },
  }
  peerAt(links, to).link.call(kind, message, counting, ticks)
  if (!links.isTicking) void tick(links)
}

const peerAt = (links: LinksState, place: WorkerPlace): Peer => {
  const name = nameOf(place)
  const known = links.peers.get(name)
  if (known !== undefined) return known
  const link: Link = openLink({
    post: (batch) => send(links, place, link, batch),
    serve: links.serve,
    later: links.newDeparture(),
    firstNumber: randomInt(randomMax),
  })
  const peer = { place, link, assemble: newAssembly() }
  links.peers.set(name, peer)
  return peer
}

const send = (links: LinksState, to: WorkerPlace, link: Link, batch: Batch): void => {
  const subject = links.subjectOf(to)
  const form = formIn(links.writtenVersion())
  for (const { calls, messages } of framesOf(links.self, batch, () => ++links.lastFrame, form)) {
    const range = calls.length > 0 ? ([calls[0]![0], calls.at(-1)![0]] as const) : null
    links.counters.batches += range === null ? 0 : 1
    links.counters.calls += calls.length
    try {
      // If the subject has no subscriber, NATS reports it to the reply subject, whose name lists the calls in the message.
      const reply = range && `${links.ownSubject}.${to.node}.${to.worker}.${range.join('.')}`
      for (const bytes of messages) links.bus.publish(subject, bytes, reply === null ? {} : { reply })
    } catch (error) {
      links.onTrouble(`nothing can be sent to ${subject}`, error)
      if (range !== null) link.fail(new Unanswered('NATS took no message'), ...range)
    }
  }
}

const onMessage = (links: LinksState, error: Error | null, { data }: BusMessage): void => {
  if (links.isClosed) return
  try {
    if (error !== null) throw error
    const frame: Frame = readFrame(data)
    const [, node, worker] = frame
    const peer = peerAt(links, { node, worker })
    const batch = peer.assemble(frame)
    if (batch !== null) peer.link.receive(batch)
  } catch (error) {
    links.onTrouble('a message of another node cannot be read', error)
  }
}

const onUndelivered = (links: LinksState, error: Error | null, { subject }: BusMessage): void => {
  if (error !== null) {
    links.onTrouble('NATS does not say what it could not deliver', error)
    return
  }
  const [node, worker, first, last] = subject.slice(links.ownSubject.length + 1).split('.')
  const noSubscriber = new ShardMoved(`nobody is there at ${node}`)
  links.peers.get(`${node}.${worker}`)?.link.fail(noSubscriber, Number(first), Number(last))
}

const failAll = (links: LinksState, error: Error): void => {
  for (const { link } of links.peers.values()) link.fail(error)
}

/** Timeouts count ticks rather than time: after a pause of this process, answers that have arrived meanwhile are read first. */
const tick = async (links: LinksState): Promise<void> => {
  links.isTicking = true
  while ([...links.peers.values()].some(({ link }) => link.waiting() > 0)) {
    await links.wait(bounds.nodeCallTickMs)
    for (const { link } of links.peers.values()) link.tick()
  }
  links.isTicking = false
}

const watch = async (links: LinksState): Promise<void> => {
  for await (const { type } of links.bus.status()) {
    if (links.isClosed) return
    if (type === 'reconnect') {
      links.isAway = false
      // Otherwise workers waiting for an answer that was lost with the connection would wait until their timeout.
      links.bus.publish(links.lostSubject, Buffer.from(nameOf(links.self)))
    }
    if (type !== 'disconnect' && type !== 'close') continue
    links.isAway = true
    // Answers that are sent meanwhile would reach no subscription here.
    failAll(links, new Unanswered('the connection to NATS was lost'))
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
