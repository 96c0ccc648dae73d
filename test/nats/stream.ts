import { DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { type ConnectionOptions, connect } from '@nats-io/transport-node'
import { eventStreamName } from '../../persistence/nats/stream-config.ts'

/** What an operator does with the stream, over a connection of its own. */
export const withManager = async <Result>(
  servers: string,
  work: (manager: JetStreamManager) => Promise<Result>,
  options: ConnectionOptions = {},
): Promise<Result> => {
  const connection = await connect({ servers, ...options })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}

/** Everything that the stream holds now, in its order. */
export const eventsIn = (servers: string): Promise<any[]> =>
  withManager(servers, async (manager) => {
    const { state } = await manager.streams.info(eventStreamName)
    if (state.messages === 0) return []
    const consumer = await manager
      .jetstream()
      .consumers.get(eventStreamName, { deliver_policy: DeliverPolicy.All })
    const events: any[] = []
    for await (const message of await consumer.fetch({ max_messages: state.messages }))
      events.push(message.json())
    return events
  })
