import type { JsMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { EventType } from '../../engine/kernel/public-event.ts'
import {
  accountIdOf,
  type CompanyId,
  companyIdOf,
  type EventId,
  environmentOf,
} from '../../engine/shared/ids.ts'
import { readTraceparent } from '../../engine/shared/traceparent.ts'
import type { StreamMessage } from '../stream/stream.ts'

/** An event on the wire: where it is published, what it carries beside its body, and how it is read back. */
const subjectPrefix = 'pay.events'

/** Every subject of the stream. */
export const allSubjects = `${subjectPrefix}.>`

export const subjectOf = ({ accountId, type }: Pick<StreamMessage, 'accountId' | 'type'>): string =>
  `${subjectPrefix}.${environmentOf(accountId).toLowerCase()}.${companyIdOf(accountId)}.${type}`

export const headersOf = ({
  objectId,
  atMs,
  traceparent,
}: Pick<StreamMessage, 'objectId' | 'atMs' | 'traceparent'>): MsgHdrs => {
  const head = headers()
  head.set('Pay-Object', objectId)
  head.set('Pay-At', String(atMs))
  if (traceparent !== undefined) head.set('traceparent', traceparent)
  return head
}

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
    // A copy: what the client gives is a view of all that came with it, which would be kept, and cloned to other threads.
    body: new Uint8Array(message.data),
    ...(traceparent !== null && { traceparent }),
  }
}
