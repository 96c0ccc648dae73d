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
): Promise<EventService> => {
  const { path, remove } = temporaryDirectory(cleanup, 'events')
  cpSync(fresh.path, path, { recursive: true })
  const { settings, stop } = await stream.start()
  const { child, origin } = await openService(cleanup, path, workers, settings)
  if ('NATS_URL' in settings)
    await until(child, async () => (await readMetrics(path))('payments_event_stream_connected') === workers)
  return {
    origin,
    published: async () => (await readMetrics(path))('payments_events_published_total'),
    cpuMs: () => cpuMs(child.pid),
    stop: async () => {
      await child.stop()
      await stop()
      await remove()
    },
  }
}

/** Waits until the receiver has heard so many deliveries. */
export const allHeard = async (receiver: Receiver, count: number): Promise<void> => {
  let heard = await receiver.count()
  for (let progressAtMs = performance.now(); heard < count; ) {
    await sleep(50)
    const now = await receiver.count()
    if (now > heard) progressAtMs = performance.now()
    else if (performance.now() - progressAtMs > stuckMs)
      throw new Error(`${count - heard} of ${count} deliveries do not arrive`)
    heard = now
  }
}

const stuckMs = 20_000
