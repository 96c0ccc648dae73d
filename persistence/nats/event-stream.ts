import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { headers, type NatsConnection, nanos } from '@nats-io/transport-node'
import { accountIdOf, type CompanyId, companyIdOf, type EventId, environmentOf } from '../../engine/ids.ts'
import type { EventType } from '../../engine/public-events.ts'
import { limits } from '../limits.ts'
import type { EventStream, StreamMessage } from '../stream.ts'
import { requireStream } from './require-stream.ts'

/**
 * The public events on JetStream, for the service's own webhooks and for other systems of the company that runs it:
 * `pay.events.<environment>.<companyId>.<event type>`, with the webhook's envelope as body and the event's id as message id.
 */
export type JetStreamEvents = EventStream & {
  readonly isConnected: () => boolean
  readonly close: () => Promise<void>
}

export type StreamSettings = {
  readonly replicas: number
  /** How long events are kept; 0 for ever. */
  readonly maxAgeMs: number
  /** How many bytes of them; -1 for any number. The oldest go first. */
  readonly maxBytes: number
}

export const eventStreamName = 'PAY_EVENTS'
/** The durable consumer from which webhooks are planned. */
export const deliveryConsumerName = 'pay-deliveries'
const subjectPrefix = 'pay.events'

/** Checks the stream, or creates it where it is missing. */
export const requireEventStream = (
  connection: NatsConnection,
  { replicas, maxAgeMs, maxBytes }: StreamSettings,
): Promise<void> =>
  requireStream(connection, {
    name: eventStreamName,
    subjects: [`${subjectPrefix}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(limits.duplicateWindowMs),
  })

export const openEventStream = (
  connection: Promise<NatsConnection>,
  settings: StreamSettings,
  onTrouble: (message: string, error: unknown) => void,
): JetStreamEvents => {
  let isClosed = false
  let isConnected = false
  let client: JetStreamClient | null = null
  let messages: ConsumerMessages | null = null

  const opened = (async () => {
    const connected = await connection
    for (;;) {
      try {
        await requireEventStream(connected, settings)
        break
      } catch (error) {
        if (isClosed) return
        onTrouble('the event stream cannot be used', error)
        await delay(limits.natsRetryMs)
      }
    }
    client = jetstream(connected, { timeout: limits.natsTimeoutMs })
    isConnected = true
    for await (const { type } of connected.status()) {
      if (type === 'disconnect' || type === 'staleConnection') isConnected = false
      if (type === 'reconnect') isConnected = true
    }
  })()
  opened.catch((error) => onTrouble('NATS cannot be used', error))

  const publish = async ({ id, type, accountId, objectId, atMs, body }: StreamMessage): Promise<void> => {
    if (client === null || !isConnected) throw new Error('NATS is away')
    const head = headers()
    head.set('Pay-Object', objectId)
    head.set('Pay-At', String(atMs))
    const ack = await client.publish(subjectOf(accountId, type), body, {
      msgID: id,
      headers: head,
      retries: 0,
    })
    // While the first copy of a repeat is not committed, older servers answer without a sequence.
    if (ack.seq === 0) throw new Error(`event ${id} is not stored yet`)
  }

  const consume: EventStream['consume'] = (handle, mayConsume = () => true) => {
    void (async () => {
      while (!isClosed) {
        try {
          if (client === null || !mayConsume()) await delay(limits.natsRetryMs)
          else await consumeFrom(client, await connection, handle, mayConsume)
        } catch (error) {
          if (!isClosed) onTrouble('events are not consumed for now', error)
          await delay(limits.natsRetryMs)
        }
      }
    })()
  }

  const consumeFrom = async (
    from: JetStreamClient,
    connected: NatsConnection,
    handle: (message: StreamMessage) => Promise<void>,
    mayConsume: () => boolean,
  ): Promise<void> => {
    const manager = await jetstreamManager(connected, { timeout: limits.natsTimeoutMs })
    await manager.consumers.add(eventStreamName, {
      durable_name: deliveryConsumerName,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(limits.ackWaitMs),
      max_ack_pending: limits.consumerPendingMax,
    })
    const consumer = await from.consumers.get(eventStreamName, deliveryConsumerName)
    messages = await consumer.consume({
      max_messages: limits.consumerPendingMax,
      expires: 5000,
      idle_heartbeat: 1000,
    })
    const current = messages
    // A consumer whose server died is not told of it: the client would wait for half a minute between its tries.
    void (async () => {
      for await (const { type } of current.status()) {
        if (type === 'heartbeats_missed' || type === 'consumer_not_found' || type === 'no_responders')
          await current.close()
      }
    })()
    const looking = setInterval(() => void (mayConsume() || current.close()), limits.natsRetryMs)
    const inOrder = newChains()
    try {
      for await (const message of current) {
        const told = messageOf(message)
        // What concerns one object in order: each plan waits for a quorum, and those of others must not wait for it, too.
        inOrder(told.objectId, () => handleOne(told, message, handle))
      }
    } finally {
      clearInterval(looking)
    }
  }

  const handleOne = async (
    told: StreamMessage,
    message: JsMsg,
    handle: (message: StreamMessage) => Promise<void>,
  ): Promise<void> => {
    while (!isClosed) {
      try {
        await handle(told)
        message.ack()
        return
      } catch (error) {
        onTrouble(`event ${told.id} cannot be planned for delivery yet`, error)
        message.working()
        await delay(limits.streamPauseMs)
      }
    }
  }

  return {
    publish,
    consume,
    isConnected: () => isConnected,
    close: async () => {
      isClosed = true
      await messages?.close()
      // Never connected: there is nothing to close, and nobody to wait for.
      if (isConnected) await (await connection).drain()
    },
  }
}

const subjectOf = (accountId: StreamMessage['accountId'], type: EventType): string =>
  `${subjectPrefix}.${environmentOf(accountId).toLowerCase()}.${companyIdOf(accountId)}.${type}`

const messageOf = (message: JsMsg): StreamMessage => {
  const [environment, companyId, ...type] = message.subject.slice(subjectPrefix.length + 1).split('.')
  const { headers: head } = message
  return {
    id: head!.get('Nats-Msg-Id') as EventId,
    type: type.join('.') as EventType,
    accountId: accountIdOf(companyId as CompanyId, environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION'),
    objectId: head!.get('Pay-Object'),
    atMs: Number(head!.get('Pay-At')),
    body: message.data,
  }
}

/** Work under one name is done in the order in which it came. */
const newChains = () => {
  const ends = new Map<string, Promise<void>>()
  return (name: string, work: () => Promise<void>): void => {
    const before = ends.get(name)
    const end = before === undefined ? work() : before.then(work)
    ends.set(name, end)
    void end.finally(() => {
      if (ends.get(name) === end) ends.delete(name)
    })
  }
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())
