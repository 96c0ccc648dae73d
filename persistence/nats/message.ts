import type { JsMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { EventType } from '../../engine/kernel/event-types.ts'
import {
  accountIdOf,
  type CompanyId,
  companyIdOf,
  type EventId,
  environmentOf,
} from '../../engine/shared/ids.ts'
import { readTraceparent } from '../../engine/shared/traceparent.ts'
import type { StreamMessage } from '../stream/stream.ts'

/** An event on the wire: its subject, headers, and how it is read back. */
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

/** The event in a message. */
export const messageOf = (message: JsMsg): StreamMessage => {
  const [environment, companyId, ...type] = message.subject.slice(subjectPrefix.length + 1).split('.')
  const { headers: head } = message
  const traceparent = readTraceparent(head!.get('traceparent'))
  return {
    id: head!.get('Nats-Msg-Id') as EventId,
    type: type.join('.') as EventType,
    accountId: accountIdOf(companyId as CompanyId, environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION'),
    objectId: head!.get('Pay-Object'),
    atMs: Number(head!.get('Pay-At')),
    // A copy: the client's view covers everything that arrived with it, which would be retained, and cloned to other
    // threads.
    body: new Uint8Array(message.data),
    ...(traceparent !== null && { traceparent }),
  }
}
