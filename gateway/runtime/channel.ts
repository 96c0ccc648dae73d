import { MessageChannel, type MessagePort } from 'node:worker_threads'

/**
 * One thread's end of a channel: a ring of shared memory for each direction, and the port that wakes the other side. Bytes in shared memory
 * cost no allocation; what `postMessage` copies is memory outside of the heap, which V8 collects by marking all of it.
 */
export type ChannelEnd = {
  readonly outgoing: SharedArrayBuffer
  readonly incoming: SharedArrayBuffer
  readonly bell: MessagePort
}

export type Channel = {
  /** Sends a message, which may be reused then. What the ring has no room for is copied, and leaves as the other side reads. */
  readonly send: (message: Uint8Array) => void
  /** Bytes that wait for room. */
  readonly backlogBytes: () => number
  readonly close: () => void
}

/** The two ends of a new channel with rings of so many bytes, a power of two. */
export const newChannel = (ringBytes: number): readonly [ChannelEnd, ChannelEnd] => {
  const { port1, port2 } = new MessageChannel()
  const memory = () => new SharedArrayBuffer(countersBytes + ringBytes)
  const [there, back] = [memory(), memory()]
  return [
    { outgoing: there, incoming: back, bell: port1 },
    { outgoing: back, incoming: there, bell: port2 },
  ]
}

/**
 * Opens one end. Each message arrives whole, in order, and is only lent: its bytes are overwritten when `receive` has returned. `onClosed`
 * is called when the other thread has ended, or closed its end.
 */
export const openChannel = (
  end: ChannelEnd,
  receive: (message: Buffer) => void,
  onClosed: () => void,
): Channel => {
  const { bell } = end
  const outgoing = ringOver(end.outgoing)
  const incoming = ringOver(end.incoming)
  let backlog: Uint8Array[] = []
  let backlogBytes = 0
  let inbox = Buffer.allocUnsafeSlow(incoming.bytes.length)
  /** The first bytes of a message whose rest has not arrived. */
  let begun = 0
  const length = Buffer.alloc(lengthBytes)

  const send = (message: Uint8Array): void => {
    length.writeUInt32LE(message.length)
    offer(length)
    offer(message)
    wake()
  }

  const offer = (bytes: Uint8Array): void => {
    const written = backlogBytes === 0 ? write(outgoing, bytes) : 0
    if (written === bytes.length) return
    const rest = Buffer.from(bytes.subarray(written))
    backlog.push(rest)
    backlogBytes += rest.length
    // The other side may have read everything before it could see that this one waits for room.
    if (backlog.length === 1) sendBacklog()
  }

  const sendBacklog = (): void => {
    for (;;) {
      let whole = 0
      for (const bytes of backlog) {
        const written = write(outgoing, bytes)
        backlogBytes -= written
        if (written < bytes.length) {
          backlog[whole] = bytes.subarray(written)
          break
        }
        whole += 1
      }
      backlog = backlog.slice(whole)
      if (backlog.length === 0) return
      Atomics.store(outgoing.counters, isWaiting, 1)
      if (roomIn(outgoing) === 0) return
    }
  }

  const take = (): void => {
    const arrived = arrivedIn(incoming)
    const filled = begun + arrived
    if (filled > inbox.length) {
      const larger = Buffer.allocUnsafeSlow(2 * filled)
      larger.set(inbox.subarray(0, begun))
      inbox = larger
    }
    read(incoming, inbox, begun, arrived)
    if (Atomics.exchange(incoming.counters, isWaiting, 0) === 1) wake()
    let at = 0
    while (filled - at >= lengthBytes) {
      const until = at + lengthBytes + inbox.readUInt32LE(at)
      if (until > filled) break
      receive(inbox.subarray(at + lengthBytes, until))
      at = until
    }
    if (at > 0) inbox.copyWithin(0, at, filled)
    begun = filled - at
  }

  /** One ring of the bell until the other side has heard it. */
  const wake = (): void => {
    if (Atomics.exchange(outgoing.counters, isRung, 1) === 0) bell.postMessage(null)
  }

  bell.on('message', () => {
    Atomics.store(incoming.counters, isRung, 0)
    if (backlogBytes > 0) {
      sendBacklog()
      wake()
    }
    take()
  })
  bell.on('close', onClosed)
  return { send, backlogBytes: () => backlogBytes, close: () => bell.close() }
}

/** Bytes in a circle: one thread writes, one reads, and neither waits for the other. */
type Ring = {
  readonly counters: Int32Array
  readonly bytes: Uint8Array
}

/** How many bytes were written and read since the beginning, modulo 2^32; whether the writer waits for room; whether the bell was rung. */
const [writtenBytes, readBytes, isWaiting, isRung] = [0, 1, 2, 3]
const countersBytes = 16
const lengthBytes = 4

const ringOver = (memory: SharedArrayBuffer): Ring => ({
  counters: new Int32Array(memory, 0, countersBytes / 4),
  bytes: new Uint8Array(memory, countersBytes),
})

const arrivedIn = ({ counters }: Ring): number =>
  (Atomics.load(counters, writtenBytes) - Atomics.load(counters, readBytes)) >>> 0

const roomIn = (ring: Ring): number => ring.bytes.length - arrivedIn(ring)

/** Writes as many of the bytes as there is room for. */
const write = (ring: Ring, source: Uint8Array): number => {
  const { counters, bytes } = ring
  const count = Math.min(source.length, roomIn(ring))
  const at = counters[writtenBytes]! & (bytes.length - 1)
  const first = Math.min(count, bytes.length - at)
  bytes.set(source.subarray(0, first), at)
  if (count > first) bytes.set(source.subarray(first, count))
  Atomics.add(counters, writtenBytes, count)
  return count
}

const read = ({ counters, bytes }: Ring, target: Uint8Array, from: number, count: number): void => {
  const at = counters[readBytes]! & (bytes.length - 1)
  const first = Math.min(count, bytes.length - at)
  target.set(bytes.subarray(at, at + first), from)
  if (count > first) target.set(bytes.subarray(0, count - first), from + first)
  Atomics.add(counters, readBytes, count)
}
