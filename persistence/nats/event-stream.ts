import { type ConsumerMessages, type JetStreamClient, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { limits } from '../limits.ts'
import { type EventStream, StreamAway } from '../stream.ts'
import { type Backlog, backlogOf, consumeDeliveries } from './consumer.ts'
import { headersOf, subjectOf } from './message.ts'
import { newPlanning } from './planning.ts'
import { requireEventStream, type StreamSettings } from './stream-config.ts'

/**
 * The public events on JetStream, for the service's own webhooks and for other systems of the company that runs it:
 * `pay.events.<environment>.<companyId>.<event type>`, with the webhook's envelope as body and the event's id as message id.
 */
export type JetStreamEvents = EventStream & {
  /** Whether events can be published now: NATS is there, and the stream is as it has to be. */
  readonly isConnected: () => boolean
  /** Of the consumer from which webhooks are planned; null while the stream cannot be used. */
  readonly backlog: () => Promise<Backlog | null>
  readonly close: () => Promise<void>
}

/** Resolves when a server has let the service in; tells why it does not. Rejects when the signal is aborted. */
export type Connect = (signal: AbortSignal, onRefused: (reason: Error) => void) => Promise<NatsConnection>

export const openEventStream = (
  connect: Connect,
  settings: StreamSettings,
  /** Hears what the operator has to know, each trouble once. */
  onTrouble: (message: string) => void,
): JetStreamEvents => {
  const ending = new AbortController()
  const isClosed = () => ending.signal.aborted
  const troubles = newTroubles(onTrouble)
  const creationListeners = new Set<(atMs: number) => void>()
  let connection: NatsConnection | null = null
  /** Whether the connection stands; it comes back by itself. */
  let isLinked = false
  /** Null while the stream cannot be used. */
  let client: JetStreamClient | null = null
  let createdAtMs: number | null = null
  let messages: ConsumerMessages | null = null
  let lookAgain: () => void = () => undefined
  const whenUsable: (() => void)[] = []

  const run = async (): Promise<void> => {
    while (!isClosed()) {
      connection = await connect(ending.signal, (reason) => troubles.tell(trouble.connection, reason))
      isLinked = true
      void watch(connection)
      while (!isClosed() && !connection.isClosed()) {
        if (isLinked) await look(connection)
        await lookedAt(client === null ? limits.natsRetryMs : limits.natsLookMs)
      }
    }
  }

  /** The stream may be missing, or be another, whenever NATS was away or did not take something, and at other times. */
  const look = async (linked: NatsConnection): Promise<void> => {
    try {
      const created = await requireEventStream(linked, settings)
      if (!isLinked) return
      client ??= jetstream(linked, { timeout: limits.natsTimeoutMs })
      troubles.over(trouble.connection, trouble.stream, trouble.planning)
      if (created !== createdAtMs) for (const tell of creationListeners) tell(created)
      createdAtMs = created
      for (const resolve of whenUsable.splice(0)) resolve()
    } catch (error) {
      client = null
      if (isLinked && !isClosed()) troubles.tell(trouble.stream, error)
    }
  }

  /** Waits for the next look. */
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
      if (status.type === 'error') troubles.tell(trouble.connection, status.error)
      if (status.type !== 'disconnect' && status.type !== 'reconnect' && status.type !== 'close') continue
      isLinked = status.type === 'reconnect'
      if (!isLinked) client = null
      if (status.type === 'disconnect') troubles.tell(trouble.connection, `${status.server} is away`)
      lookAgain()
    }
  }

  const publish: EventStream['publish'] = async (message) => {
    if (client === null) throw new StreamAway('NATS is away')
    const { id, body } = message
    try {
      const ack = await client.publish(subjectOf(message), body, { msgID: id, headers: headersOf(message) })
      // While the first copy of a repeat is not committed, older servers answer without a sequence.
      if (ack.seq === 0) throw new Error('it is not stored yet')
    } catch (error) {
      lookAgain()
      throw new StreamAway(`NATS does not take event ${id}: ${textOf(error)}`)
    }
  }

  const consume: EventStream['consume'] = (handle, mayConsume = () => true) => {
    const planning = newPlanning({
      handle,
      onTrouble: (error) => troubles.tell(trouble.planning, error),
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
          messages = await consumeDeliveries(client, planning.take)
          troubles.over(trouble.consumer)
          await messages.closed()
        } catch (error) {
          if (isLinked && !isClosed()) troubles.tell(trouble.consumer, error)
        }
        clearInterval(looking)
        lookAgain()
        await delay(limits.natsRetryMs)
      }
    })()
  }

  run().catch((error) => {
    if (!isClosed()) troubles.tell(trouble.connection, error)
  })

  return {
    publish,
    consume,
    onCreated: (listener) => {
      creationListeners.add(listener)
      if (createdAtMs !== null) listener(createdAtMs)
      return () => void creationListeners.delete(listener)
    },
    isConnected: () => client !== null,
    backlog: async () => (client === null ? null : await backlogOf(client).catch(() => null)),
    close: async () => {
      ending.abort()
      lookAgain()
      await messages?.close()
      if (isLinked) await connection!.drain()
      else await connection?.close()
    },
  }
}

const trouble = {
  connection: 'NATS cannot be used',
  stream: 'the event stream cannot be used',
  consumer: 'events are not consumed for now',
  planning: 'events cannot be planned for delivery yet',
} as const
type Trouble = (typeof trouble)[keyof typeof trouble]

/** Tells of each trouble once, and again when it has another reason or was over. */
const newTroubles = (onTrouble: (message: string) => void) => {
  const told = new Map<Trouble, string>()
  return {
    tell: (what: Trouble, error: unknown): void => {
      const reason = textOf(error)
      if (told.get(what) === reason) return
      told.set(what, reason)
      onTrouble(`${what}: ${reason}`)
    },
    over: (...these: Trouble[]): void => {
      for (const what of these) told.delete(what)
    },
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())
