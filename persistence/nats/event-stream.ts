import { type ConsumerMessages, type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { errors, type NatsConnection } from '@nats-io/transport-node'
import { entrySequenceOf } from '../../engine/shared/ids.ts'
import { delay } from '../base/delay.ts'
import { limits } from '../base/limits.ts'
import { type EventStream, StreamAway, type StreamMessage } from '../stream/stream.ts'
import { type Backlog, backlogOf, consumeDeliveries } from './consumer.ts'
import { hasLetGo, hasLost, newestLike, type Stored } from './lost-events.ts'
import { headersOf, subjectOf } from './message.ts'
import { newPlanning } from './planning.ts'
import { BatchRefused, publishTogether } from './publish-together.ts'
import { StreamMismatch, StreamMissing } from './require-stream.ts'
import { requireEventStream, type StreamSettings } from './stream-config.ts'

/**
 * The public events on JetStream, for the service's own webhooks and other systems of the company that runs it: subject
 * `pay.events.<environment>.<companyId>.<event type>`, body the webhook's envelope, message id the event's id.
 */
export type JetStreamEvents = EventStream & {
  readonly state: () => StreamState
  /** The backlog of the consumer that webhooks are planned from; null while the stream cannot be used. */
  readonly backlog: () => Promise<Backlog | null>
  readonly close: () => Promise<void>
}

/**
 * CONNECTED: events can be published. AWAY: NATS is not reached, or the stream is not configured as required. REFUSING: it did not take the last
 * event, for example because its disk is full.
 */
export type StreamState = 'CONNECTED' | 'AWAY' | 'REFUSING'

/** Resolves when a server accepts the service, and reports each refusal. Rejects when the signal is aborted. */
export type ConnectNats = (signal: AbortSignal, onRefused: (reason: Error) => void) => Promise<NatsConnection>

/** Receives each trouble once: an error when an operator has to act, a warning when it may pass. */
export type StreamLog = {
  readonly warn: (message: string) => void
  readonly error: (message: string) => void
}

/** Opens the stream in the background: until it can be used, publishing rejects with `StreamAway`. */
export const openEventStream = (
  connect: ConnectNats,
  settings: StreamSettings,
  log: StreamLog,
): JetStreamEvents => {
  const ending = new AbortController()
  const isClosed = () => ending.signal.aborted
  const troubles = newTroubles(log)
  const listeners = new Set<(sinceMs: number) => void>()
  let connection: NatsConnection | null = null
  /** Whether the connection is up; it reconnects by itself. */
  let isLinked = false
  /** Null while the stream cannot be used. */
  let client: JetStreamClient | null = null
  /** Streams made by older versions, or by others, take one event at a time. */
  let takesBatches = false
  let isRefusing = false
  /** Events of this turn of the event loop, of all shards. */
  let gathered: Publication[] = []
  /** Since when the stream has lost nothing, as far as this process knows. */
  let wholeSinceMs: number | null = null
  /** When the stream was created, as the server says it. */
  let created: string | null = null
  /** Whether the last check found the stream missing that was there before. */
  let wasMissing = false
  /** The last event known to be stored. */
  let stored: Stored | null = null
  let messages: ConsumerMessages | null = null
  let lookAgain: () => void = () => undefined
  const whenUsable: (() => void)[] = []

  const run = async (): Promise<void> => {
    while (!isClosed()) {
      connection = await connect(ending.signal, (reason) => troubles.report(trouble.connection, reason))
      isLinked = true
      void watch(connection)
      while (!isClosed() && !connection.isClosed()) {
        if (isLinked) await look(connection)
        await lookedAt(client === null ? limits.natsRetryMs : limits.natsLookMs)
      }
    }
  }

  /**
   * Checks the stream, which may be missing or another one after NATS was away or refused something, and at intervals.
   */
  const look = async (linked: NatsConnection): Promise<void> => {
    try {
      // A stream created while servers still delete its predecessor loses its files with it, so it is created at the
      // next check.
      const mayCreate = wholeSinceMs === null || wasMissing
      const found = await requireEventStream(linked, settings, mayCreate)
      wasMissing = false
      const usable = client ?? jetstream(linked, { timeout: limits.natsTimeoutMs })
      const isLost = stored !== null && (await hasLost(usable, stored))
      if (!isLinked) return
      if (isLost) {
        log.error(
          'the event stream has lost events that it had acknowledged: what is recent is published again',
        )
        stored = null
      }
      client = usable
      takesBatches = found.config.allow_atomic === true
      troubles.over(trouble.connection, trouble.stream, trouble.planning)
      if (isLost || found.created !== created) {
        const before = wholeSinceMs ?? found.createdMs
        wholeSinceMs = isLost ? Date.now() : Math.max(found.createdMs, before)
        for (const listener of listeners) listener(wholeSinceMs)
      }
      created = found.created
      for (const resolve of whenUsable.splice(0)) resolve()
    } catch (error) {
      client = null
      wasMissing = error instanceof StreamMissing
      if (isLinked && !isClosed()) troubles.report(trouble.stream, error)
    }
  }

  /** Waits for the next check. */
  const lookedAt = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      lookAgain = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const watch = async (linked: NatsConnection): Promise<void> => {
    for await (const status of linked.status()) {
      if (status.type === 'error') troubles.report(trouble.connection, status.error)
      if (status.type !== 'disconnect' && status.type !== 'reconnect' && status.type !== 'close') continue
      isLinked = status.type === 'reconnect'
      if (!isLinked) client = null
      if (status.type === 'disconnect') troubles.report(trouble.connection, `${status.server} is away`)
      lookAgain()
    }
  }

  /** A server that flushes before it acknowledges flushes once for all that are published together. */
  const publish: EventStream['publish'] = (message) =>
    new Promise((resolve, reject) => {
      if (gathered.length === 0) setImmediate(publishGathered)
      gathered.push({ message, resolve, reject })
    })

  const publishGathered = (): void => {
    const all = gathered
    gathered = []
    for (let first = 0; first < all.length; first += limits.eventsTogetherMax)
      void publishSome(all.slice(first, first + limits.eventsTogetherMax))
  }

  const publishSome = async (publications: readonly Publication[]): Promise<void> => {
    if (takesBatches && client !== null && publications.length > 1) {
      try {
        const messages = publications.map(({ message }) => message)
        const sequence = await publishTogether(connection!, messages, limits.natsTimeoutMs)
        taken({ id: messages.at(-1)!.id, sequence })
        for (const { resolve } of publications) resolve()
        return
      } catch (error) {
        // One of them is a repeat, for example: then each is published for itself.
        if (!(error instanceof BatchRefused)) {
          for (const publication of publications) refused(publication, error)
          return
        }
      }
    }
    await Promise.all(publications.map(publishOne))
  }

  const publishOne = async (publication: Publication): Promise<void> => {
    if (client === null) {
      publication.reject(new StreamAway('NATS is away'))
      return
    }
    const { id, body } = publication.message
    try {
      const headers = headersOf(publication.message)
      const ack = await client.publish(subjectOf(publication.message), body, { headers })
      // Before the first copy of a repeat is committed, older servers answer without a sequence.
      if (ack.seq === 0) throw new Error('it is not stored yet')
      taken({ id, sequence: ack.seq })
      publication.resolve()
    } catch (error) {
      refused(publication, error)
    }
  }

  const taken = (event: Stored): void => {
    noteStored(event)
    isRefusing = false
  }

  const refused = ({ message, reject }: Publication, error: unknown): void => {
    isRefusing = true
    lookAgain()
    reject(new StreamAway(`NATS does not take event ${message.id}: ${textOf(error)}`))
  }

  const noteStored = (event: Stored): void => {
    if (event.sequence > (stored?.sequence ?? 0)) stored = event
  }

  const consume: EventStream['consume'] = (handle, mayConsume = () => true) => {
    const plan = newPlanning({
      handle,
      onTrouble: (error) => troubles.report(trouble.planning, error),
      pause: () => delay(limits.streamPauseMs),
    })
    void (async () => {
      while (!isClosed()) {
        if (client === null) {
          await new Promise<void>((resolve) => void whenUsable.push(resolve))
          continue
        }
        if (!mayConsume()) {
          await delay(limits.natsRetryMs)
          continue
        }
        const looking = setInterval(() => void (mayConsume() || messages?.close()), limits.natsRetryMs)
        try {
          messages = await consumeDeliveries(client, plan)
          troubles.over(trouble.consumer)
          await messages.closed()
        } catch (error) {
          if (isLinked && !isClosed()) troubles.report(trouble.consumer, error)
        }
        clearInterval(looking)
        lookAgain()
        await delay(limits.natsRetryMs)
      }
    })()
  }

  run().catch((error) => {
    if (!isClosed()) troubles.report(trouble.connection, error)
  })

  return {
    publish,
    consume,
    holds: async (event) => {
      if (client === null) throw new StreamAway('NATS is away')
      try {
        const newest = await newestLike(client, event)
        if (newest === null) return await hasLetGo(client, event.atMs)
        noteStored(newest)
        // What comes later in the journal is published later, and the stream lets go of what is oldest.
        return entrySequenceOf(newest.id) >= entrySequenceOf(event.id)
      } catch (error) {
        throw new StreamAway(`the event stream does not say what it has: ${textOf(error)}`)
      }
    },
    onRecreated: (listener) => {
      listeners.add(listener)
      if (wholeSinceMs !== null) listener(wholeSinceMs)
      return () => void listeners.delete(listener)
    },
    state: () => (client === null ? 'AWAY' : isRefusing ? 'REFUSING' : 'CONNECTED'),
    backlog: async () => (client === null ? null : await backlogOf(client).catch(() => null)),
    close: async () => {
      ending.abort()
      lookAgain()
      await messages?.close()
      // Flushes what was sent last, but a server that hangs must not delay the end.
      if (isLinked)
        await Promise.race([connection!.drain().catch(() => undefined), delay(limits.natsTimeoutMs)])
      await connection?.close()
    },
  }
}

/** An event on its way, and who waits for it. */
type Publication = {
  readonly message: StreamMessage
  readonly resolve: () => void
  readonly reject: (reason: StreamAway) => void
}

const trouble = {
  connection: 'NATS cannot be used',
  stream: 'the event stream cannot be used',
  consumer: 'events are not consumed for now',
  planning: 'events cannot be planned for delivery yet',
} as const
type Trouble = (typeof trouble)[keyof typeof trouble]

/** Reports each trouble once, and again when its reason changes or it recurs. */
const newTroubles = (log: StreamLog) => {
  const reported = new Map<Trouble, string>()
  return {
    report: (what: Trouble, error: unknown): void => {
      const reason = textOf(error)
      if (reported.get(what) === reason) return
      reported.set(what, reason)
      log[isToMend(error) ? 'error' : 'warn'](`${what}: ${reason}`)
    },
    over: (...these: Trouble[]): void => {
      for (const what of these) reported.delete(what)
    },
  }
}

const isToMend = (error: unknown): boolean => {
  const reason = (error as Error | null)?.cause ?? error
  return toMend.some((kind) => reason instanceof kind)
}

const toMend = [StreamMismatch, errors.AuthorizationError, errors.PermissionViolationError]

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
