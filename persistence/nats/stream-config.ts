import { RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { allSubjects } from './message.ts'
import { type FoundStream, requireStream } from './require-stream.ts'

export type StreamSettings = {
  readonly replicas: number
  /** How long events are kept; 0 for ever. */
  readonly maxAgeMs: number
  /** How many bytes of events are kept; -1 for any number. The oldest go first. */
  readonly maxBytes: number
}

export const eventStreamName = 'PAY_EVENTS'

/** Checks the event stream, or creates one that accepts batches (`publish-together.ts`) if it is missing. */
export const requireEventStream = (
  connection: NatsConnection,
  { replicas, maxAgeMs, maxBytes }: StreamSettings,
  mayCreate = true,
): Promise<FoundStream> => {
  const wanted = {
    name: eventStreamName,
    subjects: [allSubjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(bounds.duplicateWindowMs),
  }
  return requireStream(connection, wanted, mayCreate, { allow_atomic: true })
}
