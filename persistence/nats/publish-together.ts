import { type NatsConnection, nuid } from '@nats-io/transport-node'
import type { StreamMessage } from '../stream/stream.ts'
import { headersOf, subjectOf } from './message.ts'

/** The server takes none of a batch, for example because the stream has one of its messages already. */
export class BatchRefused extends Error {}

/**
 * Stores messages as one batch, all or none (NATS, ADR-50): the server flushes and acknowledges once. Only for a
 * stream with `allow_atomic`; elsewhere an old server would store each message separately. Resolves to the
 * stream's sequence of the last message. After `BatchRefused` nothing is stored; after another failure that is
 * unknown.
 */
export const publishTogether = async (
  connection: NatsConnection,
  messages: readonly StreamMessage[],
  timeoutMs: number,
): Promise<number> => {
  const batch = nuid.next()
  const headersAt = (n: number) => {
    const head = headersOf(messages[n]!)
    head.set('Nats-Batch-Id', batch)
    head.set('Nats-Batch-Sequence', String(n + 1))
    return head
  }
  const last = messages.length - 1
  for (let n = 0; n < last; n++)
    connection.publish(subjectOf(messages[n]!), messages[n]!.body, { headers: headersAt(n) })
  const headers = headersAt(last)
  headers.set('Nats-Batch-Commit', '1')
  const options = { headers, timeout: timeoutMs }
  const reply = await connection.request(subjectOf(messages[last]!), messages[last]!.body, options)
  const answer = reply.json<Answer>()
  if (answer.error !== undefined) throw new BatchRefused(answer.error.description)
  if (answer.count !== messages.length || !answer.seq)
    throw new Error('the batch is not stored as it was sent')
  return answer.seq
}

/** A server's reply to the last message of a batch. */
type Answer = {
  readonly seq?: number
  readonly count?: number
  readonly error?: { readonly description: string }
}
