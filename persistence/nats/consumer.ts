import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JsMsg,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { stopWhenLost } from './stop-when-lost.ts'
import { eventStreamName } from './stream-config.ts'

/** The durable consumer that webhooks are planned from. */
const deliveryConsumerName = 'pay-deliveries'

/** Events that the consumer has not handed out, and events handed out without an acknowledgement. */
export type Backlog = { readonly pending: number; readonly unacknowledged: number }

/** Consumes from the durable consumer, created if missing, until the result is closed or it breaks off. */
export const consumeDeliveries = async (
  client: JetStreamClient,
  take: (message: JsMsg) => void,
): Promise<ConsumerMessages> => {
  const manager = await client.jetstreamManager(false)
  await manager.consumers.add(eventStreamName, {
    durable_name: deliveryConsumerName,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(bounds.ackWaitMs),
    max_ack_pending: bounds.consumerPendingMax,
  })
  const consumer = await client.consumers.get(eventStreamName, deliveryConsumerName)
  const messages = await consumer.consume({
    max_messages: bounds.consumerPendingMax,
    expires: 5000,
    idle_heartbeat: 1000,
    callback: take,
  })
  void stopWhenLost(messages)
  return messages
}

/** How far the consumer is behind. */
export const backlogOf = async (client: JetStreamClient): Promise<Backlog> => {
  const manager = await client.jetstreamManager(false)
  const { num_pending, num_ack_pending } = await manager.consumers.info(eventStreamName, deliveryConsumerName)
  return { pending: num_pending, unacknowledged: num_ack_pending }
}
