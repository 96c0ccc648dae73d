import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { limits } from '../base/limits.ts'

/** What manages streams and reads single records of them, without asking first whether it may. */
export const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { timeout: limits.natsTimeoutMs, checkAPI: false })
