import Type from 'typebox'
import { type Endpoint, endpointSignatures } from '../../../engine/companies/endpoint.ts'
import type { EventType } from '../../../engine/kernel/event-types.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { EndpointHealth } from '../../../engine/webhooks/queries.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { environment, eventType } from '../enumerations.ts'
import {
  anyObject,
  count,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  objectName,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

/** The statuses that a person can set. */
export const endpointStatuses = ['ENABLED', 'DISABLED'] as const

/** An endpoint without its secret, as people and operators see it. */
export const webhookEndpoint = resource<Endpoint, [number]>(
  'WebhookEndpoint',
  'A URL that events are sent to, without its secret.',
).with({
  ...identityFields('whk', 'webhook_endpoint'),
  companyId: [textOf('The company, `cmp_…`.'), same],
  environment: [environment, same],
  url: [textOf('Where events are sent.'), same],
  description: [described(nullableText, 'As it was sent.'), same],
  events: [
    listOf(
      eventType,
      'The event types that it receives; empty for all, without `extraEvents` for all that every endpoint receives.',
    ),
    (e) => e.eventTypes as readonly EventType[],
  ],
  extraEvents: [
    described(
      Type.Boolean(),
      'Whether it receives types beyond those that every endpoint receives: `payment.refund_failed`, `checkout.completed`, `checkout.expired`, `transfer.returned`.',
    ),
    same,
  ],
  signature: [
    described(
      choice(...endpointSignatures),
      'What signs attempts: `Service-Signature`, or beside it the headers of Standard Webhooks.',
    ),
    same,
  ],
  headerNames: [
    listOf(Type.String(), 'The headers of its own that every attempt sends. Their values are not shown.'),
    (e) => e.headers.map(({ name }) => name),
  ],
  status: [
    described(
      choice(...endpointStatuses, 'DELETED'),
      'DISABLED and DELETED: nothing is sent to it. A deleted one is kept for its deliveries.',
    ),
    (e) => endpointStatus(e),
  ],
  formerSecretUntil: [
    nullableField(instant, 'Until when the secret before signs as well; null if it does not.'),
    (e, nowMs) => formerSecretUntil(e, nowMs),
  ],
  ...datedFields,
  deletedAt: [nullableField(instant, 'When it was deleted.'), (e) => instantOrNull(e.deletedAtMs)],
})

/** How the deliveries of an endpoint fare. */
export const webhookHealth = resource<EndpointHealth>(
  'WebhookHealth',
  'How the deliveries of an endpoint fare.',
).with({
  successRateBps: [
    nullableField(
      Type.Integer(),
      'Deliveries of the last 24 hours that were accepted, of those with an attempt, in basis points; null without any.',
    ),
    (h) => (h.attempted === 0 ? null : Math.floor((h.accepted * 10_000) / h.attempted)),
  ],
  attempted: [count('Deliveries of the last 24 hours with an attempt.'), same],
  accepted: [count('How many of them were accepted.'), same],
  p95LatencyMs: [
    nullableField(
      Type.Integer(),
      'What 95 % of the attempts took at most, of the newest 200 deliveries of the last 24 hours; null without any.',
    ),
    (h) => (h.p95LatencyMs === null ? null : Math.round(h.p95LatencyMs)),
  ],
  open: [count('Deliveries, however old, that are PENDING or RETRYING.'), same],
  oldestOpenAt: [
    nullableField(instant, 'When the oldest of them was created; null without any.'),
    (h) => instantOrNull(h.oldestOpenAtMs),
  ],
})

export const endpointWithHealth = namedObject(
  'WebhookEndpointHealth',
  'A URL that events are sent to, and how its deliveries fare.',
  { ...webhookEndpoint.schema.properties, health: webhookHealth.schema },
)

export const endpointWithSecret = namedObject(
  'NewWebhookEndpoint',
  'A URL that events are sent to, with the secret that signs them.',
  {
    ...webhookEndpoint.schema.properties,
    secret: textOf('The secret that signs the events. It is shown this once.'),
  },
)

export const eventTypeList = namedObject('WebhookEventTypes', 'All event types.', {
  object: objectName('list'),
  data: listOf(
    namedObject('WebhookEventType', 'A type of event.', {
      type: eventType,
      text: textOf('When it is sent, in English.'),
      sample: described(anyObject, 'An event of this type. Its ids look real, and name nothing.'),
    }),
    'Each type once.',
  ),
})

/** A type of event with a sample. */
export const eventTypeView = (type: EventType, text: string, sample: object) => ({ type, text, sample })

const formerSecretUntil = ({ formerSecret }: Endpoint, nowMs: number): string | null =>
  formerSecret !== null && formerSecret.untilMs > nowMs ? isoInstant(formerSecret.untilMs) : null

const endpointStatus = ({ hearsAfter, deletedAtMs }: Endpoint): 'ENABLED' | 'DISABLED' | 'DELETED' => {
  if (deletedAtMs !== null) return 'DELETED'
  return hearsAfter === null ? 'DISABLED' : 'ENABLED'
}
