import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'

/** A manager of streams, which also reads single records. It skips the client's initial check of the API. */
export const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { timeout: bounds.natsTimeoutMs, checkAPI: false })
