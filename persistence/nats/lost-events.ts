import type { JetStreamClient, StoredMsg } from '@nats-io/jetstream'
import type { EventId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import type { StreamMessage } from '../stream/stream.ts'
import { subjectOf } from './message.ts'
import { byOwnClock } from './require-stream.ts'
import { eventStreamName } from './stream-config.ts'

/** An acknowledged event and its position. */
export type Stored = { readonly id: EventId; readonly sequence: number }

/**
 * Whether the stream has lost an acknowledged event. By default nats-server flushes every two minutes: after a power
 * loss of all its servers the stream ends earlier and continues from there.
 */
export const hasLost = async (client: JetStreamClient, { id, sequence }: Stored): Promise<boolean> => {
  const manager = await client.jetstreamManager(false)
  const there = await manager.streams.getMessage(eventStreamName, { seq: sequence })
  if (there !== null) return idOf(there) !== id
  // Events that grew too old are gone as well.
  const { state } = await manager.streams.info(eventStreamName)
  return state.last_seq < sequence
}

/** The newest event of the same company and type in the stream. */
export const newestLike = async (
  client: JetStreamClient,
  event: Pick<StreamMessage, 'accountId' | 'type'>,
): Promise<Stored | null> => {
  const manager = await client.jetstreamManager(false)
  const last = await manager.streams.getMessage(eventStreamName, { last_by_subj: subjectOf(event) })
  return last && { id: idOf(last), sequence: last.seq }
}

/** Whether the stream has dropped events as old as this, because of age or size. */
export const hasLetGo = async (client: JetStreamClient, atMs: number): Promise<boolean> => {
  const manager = await client.jetstreamManager(false)
  const { state, ts } = await manager.streams.info(eventStreamName)
  return state.first_seq > 1 && atMs < byOwnClock(state.first_ts, ts) - bounds.clockOffMsMax
}

const idOf = ({ header }: StoredMsg): EventId => header.get('Nats-Msg-Id') as EventId
