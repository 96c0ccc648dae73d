import { cpSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from '../cleanup.ts'
import { cpuMs, temporaryDirectory, until } from '../processes.ts'
import { type FreshData, openService, readMetrics } from '../service.ts'
import type { Receiver } from './open-receiver.ts'
import type { BenchStream } from './streams.ts'

/** The service on a copy of a data directory, with a stream. */
export type EventService = {
  readonly origin: string
  /** Public events that the stream has taken. */
  readonly published: () => Promise<number>
  readonly cpuMs: () => number
  readonly stop: () => Promise<void>
}

export const startEventService = async (
  cleanup: Cleanup,
  fresh: FreshData,
  workers: number,
  stream: BenchStream,
  receiver: Receiver,
): Promise<EventService> => {
  const { path, remove } = temporaryDirectory(cleanup, 'events')
  cpSync(fresh.path, path, { recursive: true })
  const { settings, stop } = await stream.start()
  const { child, origin } = await openService(cleanup, path, workers, settings)
  const metric = async (name: string): Promise<number> => (await readMetrics(path))(name)
  if ('NATS_URL' in settings)
    await until(child, async () => (await metric('payments_event_stream_connected')) === workers)
  // The service publishes recent events to a new stream again, which must not be counted.
  await settled(async () => (await metric('payments_events_published_total')) + (await receiver.count()))
  return {
    origin,
    published: () => metric('payments_events_published_total'),
    cpuMs: () => cpuMs(child.pid),
    stop: async () => {
      await child.stop()
      await stop()
      await remove()
    },
  }
}

/** Waits until a number no longer changes. */
const settled = async (read: () => Promise<number>): Promise<void> => {
  for (let before = -1, now = await read(); now !== before; now = await read()) {
    before = now
    await sleep(settledMs)
  }
}

const settledMs = 500

/** Waits until the receiver has got `count` deliveries. */
export const allHeard = (receiver: Receiver, count: number): Promise<void> =>
  progress(
    receiver.count,
    (heard) => heard >= count,
    (heard) => `${count - heard} of ${count} deliveries do not arrive`,
  )

/** Waits until a number that grows is enough; fails once it has not grown for a while. */
const progress = async (
  read: () => Promise<number>,
  isEnough: (now: number) => boolean,
  failure: (now: number) => string,
): Promise<void> => {
  let now = await read()
  for (let grewAtMs = performance.now(); !isEnough(now); ) {
    await sleep(50)
    const next = await read()
    if (next > now) grewAtMs = performance.now()
    else if (performance.now() - grewAtMs > stuckMs) throw new Error(failure(next))
    now = next
  }
}

const stuckMs = 20_000
