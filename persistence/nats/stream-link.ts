import { type JetStreamClient, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { newThrottle } from '../base/throttle.ts'
import type { StreamAway, StreamMessage } from '../stream/stream.ts'
import { hasLost, type Stored } from './lost-events.ts'
import { StreamMissing } from './require-stream.ts'
import { requireEventStream, type StreamSettings } from './stream-config.ts'
import { newTroubles, type StreamLog, trouble } from './troubles.ts'

/** Resolves when a server accepts the service, and reports each refusal. Rejects when the signal is aborted. */
export type ConnectNats = (signal: AbortSignal, onRefused: (reason: Error) => void) => Promise<NatsConnection>

/** The state that the parts of an event stream on JetStream share. */
export type StreamLink = ReturnType<typeof newStreamLink>

/** A link that is not connected yet. */
export const newStreamLink = (settings: StreamSettings, log: StreamLog) => ({
  settings,
  log,
  troubles: newTroubles(log),
  /** Aborts when the stream is closed. */
  ending: new AbortController(),
  connection: null as NatsConnection | null,
  /** Whether the connection is up; it reconnects by itself. */
  isLinked: false,
  /** Null while the stream cannot be used. */
  client: null as JetStreamClient | null,
  /** Streams made by older versions, or by others, take one event at a time. */
  takesBatches: false,
  isRefusing: false,
  /** Events of all shards that wait for the next publication. */
  gathered: [] as Publication[],
  throttle: newThrottle(bounds.eventsApartMs),
  /** Since when the stream has lost nothing, as far as this process knows. */
  wholeSinceMs: null as number | null,
  /** Called with `wholeSinceMs` when it changes. */
  listeners: new Set<(sinceMs: number) => void>(),
  /** When the stream was created, as the server says it. */
  created: null as string | null,
  /** Whether the last check missed a stream that was there before. */
  wasMissing: false,
  /** The last event known to be stored. */
  stored: null as Stored | null,
  lookAgain: (): void => undefined,
})

/** An event on its way, with the callbacks of its publisher. */
export type Publication = {
  readonly message: StreamMessage
  readonly resolve: () => void
  readonly reject: (reason: StreamAway) => void
}

/** Connects, and checks the stream at intervals until it is closed. */
export const keepLinked = async (link: StreamLink, connect: ConnectNats): Promise<void> => {
  const { troubles, ending } = link
  while (!ending.signal.aborted) {
    const connection = await connect(ending.signal, (reason) => troubles.report(trouble.connection, reason))
    link.connection = connection
    link.isLinked = true
    void watch(link, connection)
    while (!ending.signal.aborted && !connection.isClosed()) {
      if (link.isLinked) await look(link, connection)
      await nextLook(link, link.client === null ? bounds.natsRetryMs : bounds.natsLookMs)
    }
  }
}

/** Remembers the newest event that the stream is known to hold. */
export const noteStored = (link: StreamLink, event: Stored): void => {
  if (event.sequence > (link.stored?.sequence ?? 0)) link.stored = event
}

/** Checks the stream: after an outage or a refusal it may be missing, replaced, or without its last events. */
const look = async (link: StreamLink, connection: NatsConnection): Promise<void> => {
  const { troubles } = link
  try {
    // A stream created while servers still delete its predecessor loses its files with it, so it is created at the
    // next check.
    const mayCreate = link.wholeSinceMs === null || link.wasMissing
    const found = await requireEventStream(connection, link.settings, mayCreate)
    link.wasMissing = false
    const usable = link.client ?? jetstream(connection, { timeout: bounds.natsTimeoutMs })
    const isLost = link.stored !== null && (await hasLost(usable, link.stored))
    if (!link.isLinked) return
    if (isLost) {
      link.log.error(
        'the event stream has lost events that it had acknowledged: what is recent is published again',
      )
      link.stored = null
    }
    link.client = usable
    link.takesBatches = found.config.allow_atomic === true
    troubles.over(trouble.connection, trouble.stream)
    if (isLost || found.created !== link.created) {
      const before = link.wholeSinceMs ?? found.createdMs
      const sinceMs = isLost ? Date.now() : Math.max(found.createdMs, before)
      link.wholeSinceMs = sinceMs
      for (const listener of link.listeners) listener(sinceMs)
    }
    link.created = found.created
  } catch (error) {
    link.client = null
    link.wasMissing = error instanceof StreamMissing
    if (link.isLinked && !link.ending.signal.aborted) troubles.report(trouble.stream, error)
  }
}

/** Waits for the next check. */
const nextLook = (link: StreamLink, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    link.lookAgain = () => {
      clearTimeout(timer)
      resolve()
    }
  })

const watch = async (link: StreamLink, connection: NatsConnection): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === 'error') link.troubles.report(trouble.connection, status.error)
    if (status.type !== 'disconnect' && status.type !== 'reconnect' && status.type !== 'close') continue
    link.isLinked = status.type === 'reconnect'
    if (!link.isLinked) link.client = null
    if (status.type === 'disconnect') link.troubles.report(trouble.connection, `${status.server} is away`)
    link.lookAgain()
  }
}
