import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { companyIdOf, environmentOf } from '../../engine/shared/ids.ts'
import type { StreamMessage } from '../stream/stream.ts'

/** An event on the wire: its subject and headers. */
const subjectPrefix = 'pay.events'

/** Every subject of the stream. */
export const allSubjects = `${subjectPrefix}.>`

/** The subject of an event. */
export const subjectOf = ({ accountId, type }: Pick<StreamMessage, 'accountId' | 'type'>): string =>
  `${subjectPrefix}.${environmentOf(accountId).toLowerCase()}.${companyIdOf(accountId)}.${type}`

/** The headers of an event. */
export const headersOf = ({
  id,
  objectId,
  atMs,
  traceparent,
}: Pick<StreamMessage, 'id' | 'objectId' | 'atMs' | 'traceparent'>): MsgHdrs => {
  const head = headers()
  head.set('Nats-Msg-Id', id)
  head.set('Pay-Object', objectId)
  head.set('Pay-At', String(atMs))
  if (traceparent !== undefined) head.set('traceparent', traceparent)
  return head
}
