import Type from 'typebox'
import type { Endpoint } from '../../../engine/directory/directory.ts'
import type { EventType } from '../../../engine/kernel/public-event.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { EndpointHealth } from '../../../engine/webhooks/queries.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { environment, eventType } from '../enumerations.ts'
import {
  anyObject,
  count,
  dated,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nullable,
  objectName,
  text,
  textOf,
} from '../fields.ts'

/** What a person can set. */
export const endpointStatuses = ['ENABLED', 'DISABLED'] as const

const endpointFields = {
  ...identity('whk', 'webhook_endpoint'),
  companyId: textOf('The company, `cmp_…`.'),
  environment,
  url: textOf('Where events are sent.'),
  description: described(text, 'As it was sent.'),
  events: listOf(eventType, 'The event types that it hears; empty for all.'),
  status: described(
    enumeration(...endpointStatuses, 'DELETED'),
    'DISABLED and DELETED: nothing is sent to it. A deleted one is kept for its deliveries.',
  ),
  formerSecretUntil: nullable(instant, 'Until when the secret before signs as well; null if it does not.'),
  ...dated,
  deletedAt: nullable(instant, 'When it was deleted.'),
}

const health = namedObject('WebhookHealth', 'How the deliveries of an endpoint fare.', {
  successRateBps: nullable(
    Type.Integer(),
    'Deliveries of the last 24 hours that were accepted, of those with an attempt, in basis points; null without any.',
  ),
  attempted: count('Deliveries of the last 24 hours with an attempt.'),
  p95LatencyMs: nullable(
    Type.Integer(),
    'What 95 % of the attempts took at most, of the newest 200 deliveries of the last 24 hours; null without any.',
  ),
  open: count('Deliveries, however old, that are PENDING or RETRYING.'),
  oldestOpenAt: nullable(instant, 'When the oldest of them was created; null without any.'),
})

export const webhookEndpoint = namedObject(
  'WebhookEndpoint',
  'A URL that events are sent to, without its secret.',
  endpointFields,
)

export const endpointWithHealth = namedObject(
  'WebhookEndpointHealth',
  'A URL that events are sent to, and how its deliveries fare.',
  { ...endpointFields, health },
)

export const endpointWithSecret = namedObject(
  'NewWebhookEndpoint',
  'A URL that events are sent to, with the secret that signs them.',
  { ...endpointFields, secret: textOf('The secret that signs the events. It is shown this once.') },
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

/** An endpoint without its secret, as people and operators see it. */
export const endpointView = (endpoint: Endpoint, nowMs: number) => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  companyId: endpoint.companyId,
  environment: endpoint.environment,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.eventTypes,
  status: endpointStatus(endpoint),
  formerSecretUntil: formerSecretUntil(endpoint, nowMs),
  createdAt: isoInstant(endpoint.createdAtMs),
  updatedAt: isoInstant(endpoint.updatedAtMs),
  deletedAt: instantOrNull(endpoint.deletedAtMs),
})

const formerSecretUntil = ({ formerSecret }: Endpoint, nowMs: number): string | null =>
  formerSecret !== null && formerSecret.untilMs > nowMs ? isoInstant(formerSecret.untilMs) : null

const endpointStatus = ({ hearsAfter, deletedAtMs }: Endpoint): 'ENABLED' | 'DISABLED' | 'DELETED' => {
  if (deletedAtMs !== null) return 'DELETED'
  return hearsAfter === null ? 'DISABLED' : 'ENABLED'
}

/** How the deliveries of an endpoint fare. */
export const healthView = ({ attempted, accepted, p95LatencyMs, open, oldestOpenAtMs }: EndpointHealth) => ({
  successRateBps: attempted === 0 ? null : Math.floor((accepted * 10_000) / attempted),
  attempted,
  p95LatencyMs: p95LatencyMs === null ? null : Math.round(p95LatencyMs),
  open,
  oldestOpenAt: instantOrNull(oldestOpenAtMs),
})
