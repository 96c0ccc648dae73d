import Type, { type Static } from 'typebox'
import type { EventType } from '../../engine/kernel/public-event.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { type Delivery, deliveryStatuses } from '../../engine/webhooks/delivery.ts'
import { described, namedObject } from '../http/named-schema.ts'
import { eventType } from './enumerations.ts'
import { count, enumeration, instant, instantOrNull, nullable, textOf } from './fields.ts'

/** A delivery as part of the transaction that its event is about. */
export const webhook = namedObject(
  'WebhookDelivery',
  'What became of an event about this transaction at one endpoint.',
  {
    deliveryId: textOf('Id of the delivery, `dlv_…`.'),
    eventId: textOf('Id of the event, `evt_…`.'),
    type: eventType,
    endpointId: textOf('The endpoint, `whk_…`.'),
    status: described(
      enumeration(...deliveryStatuses),
      'EXHAUSTED: twelve attempts failed. CANCELLED: the endpoint is gone.',
    ),
    attempts: count('Attempts made so far.'),
    lastStatusCode: nullable(Type.Integer(), 'What the endpoint answered last; null where it did not.'),
    lastAttemptAt: nullable(instant, 'When the last attempt was made.'),
  },
)

/** What became of an event at one endpoint, in short form. */
export const webhookView = (delivery: Delivery): Static<typeof webhook> => {
  const last = delivery.attempts.at(-1)
  return {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    // Deliveries keep the type as text, but only events create them.
    type: delivery.eventType as EventType,
    endpointId: delivery.endpointId,
    status: delivery.status,
    attempts: delivery.attempts.length,
    lastStatusCode: last?.statusCode ?? null,
    lastAttemptAt: instantOrNull(last?.startedAtMs ?? null),
  }
}

/** A delivery with its attempts, as operators see it (decisions, section 28). */
export const deliveryView = (delivery: Delivery) => ({
  id: delivery.id,
  object: 'delivery',
  eventId: delivery.eventId,
  type: delivery.eventType,
  endpointId: delivery.endpointId,
  status: delivery.status,
  attempts: delivery.attempts.map(
    ({ number, url, startedAtMs, latencyMs, statusCode, error, responseSnippet }) => ({
      number,
      url: url === '' ? null : url,
      startedAt: isoInstant(startedAtMs),
      latencyMs: Math.round(latencyMs),
      statusCode,
      error,
      responseSnippet,
    }),
  ),
  nextAttemptAt: instantOrNull(delivery.nextAttemptAtMs),
  resendOf: delivery.resendOf,
  createdAt: isoInstant(delivery.createdAtMs),
})
