import Type, { type Static } from 'typebox'
import type { EventType } from '../../../engine/kernel/public-event.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { Environment } from '../../../engine/shared/ids.ts'
import { attemptErrors, type Delivery, deliveryStatuses } from '../../../engine/webhooks/delivery.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { steadyHeaders } from '../../webhooks/headers.ts'
import { eventType } from '../enumerations.ts'
import {
  anyObject,
  count,
  createdAt,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nullable,
  objectName,
  textOf,
} from '../fields.ts'

export const deliveryStatus = named(
  'DeliveryStatus',
  described(
    enumeration(...deliveryStatuses),
    'EXHAUSTED: twelve attempts failed. CANCELLED: the endpoint is gone.',
  ),
)

export const attemptError = named(
  'DeliveryError',
  described(
    enumeration(...attemptErrors),
    'REDIRECT: redirects are not followed. BLOCKED_ADDRESS: the host is not one that webhooks may go to.',
  ),
)

/** A delivery as part of the transaction that its event is about. */
export const webhook = namedObject(
  'WebhookDelivery',
  'What became of an event about this transaction at one endpoint.',
  {
    deliveryId: textOf('Id of the delivery, `dlv_…`.'),
    eventId: textOf('Id of the event, `evt_…`.'),
    type: eventType,
    endpointId: textOf('The endpoint, `whk_…`.'),
    status: deliveryStatus,
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

const deliveryFields = {
  ...identity('dlv', 'delivery'),
  eventId: textOf('Id of the event, `evt_…`.'),
  type: eventType,
  objectId: textOf('What the event is about, such as a transaction; of a test event its own id.'),
  endpointId: textOf('The endpoint, `whk_…`.'),
  status: deliveryStatus,
  attemptCount: count('Attempts made so far.'),
  lastStatusCode: nullable(Type.Integer(), 'What the endpoint answered last; null where it did not.'),
  lastError: nullable(
    attemptError,
    'Why the last attempt failed without an answer that counts; null otherwise.',
  ),
  lastAttemptAt: nullable(instant, 'When the last attempt was made.'),
  nextAttemptAt: nullable(instant, 'When the next attempt is made; null if there is none.'),
  resendOf: nullable(Type.String(), 'The delivery that it sends again, `dlv_…`.'),
  createdAt,
}

export const deliveryRow = namedObject(
  'Delivery',
  'An event on its way to one endpoint, without its attempts.',
  deliveryFields,
)

const attempt = namedObject('DeliveryAttempt', 'One HTTP request.', {
  number: count('Counted from 1.'),
  url: nullable(Type.String(), 'Where it was sent; null where that was not recorded.'),
  startedAt: described(instant, 'When it began.'),
  latencyMs: count('Until the answer’s header, or until it was given up.'),
  statusCode: nullable(Type.Integer(), 'What the endpoint answered; null where it did not.'),
  error: nullable(attemptError, 'Why it failed without an answer that counts; null otherwise.'),
  snippet: textOf('The first kilobyte of the answer’s body.'),
})

export const deliveryDetail = namedObject(
  'DeliveryDetail',
  'An event on its way to one endpoint, with what is sent and every attempt.',
  {
    ...deliveryFields,
    attempts: listOf(attempt, 'Every attempt, the first one first.'),
    requestHeaders: described(
      anyObject,
      'The headers of every attempt. `Service-Signature` is missing: each attempt is signed anew, with its own time.',
    ),
    body: textOf('The bytes that are sent and signed, as text.'),
  },
)

export const testEvent = namedObject('WebhookTest', 'A test event on its way.', {
  object: objectName('test_event'),
  deliveryId: textOf('Its delivery, `dlv_…`.'),
  eventId: textOf('Id of the event, `evt_…`.'),
  type: eventType,
  endpointId: textOf('The endpoint, `whk_…`.'),
})

const jobId = textOf('Names the request in logs and in the audit log, `req_…`.')

export const resendJob = namedObject('ResendJob', 'Deliveries that are sent again.', {
  object: objectName('resend'),
  jobId,
  count: count('How many are sent again, 50 a second.'),
})

export const replayJob = namedObject('ReplayJob', 'Events of a span of time that are sent to one endpoint.', {
  object: objectName('replay'),
  jobId,
  endpointId: textOf('The endpoint, `whk_…`.'),
  from: described(instant, 'The beginning of the span.'),
  to: described(instant, 'Its end.'),
  events: count('Events of the span that were found.'),
  count: count(
    'Deliveries that were made of them, 50 a second; events that are on their way already have none.',
  ),
  after: nullable(
    Type.Integer(),
    'Send it back as `after` with the same span to go on where this one stopped; null when it is complete.',
  ),
})

/** A test event on its way. */
export const testEventView = (event: Omit<Static<typeof testEvent>, 'object'>) => ({
  object: 'test_event',
  ...event,
})

/** Deliveries that are sent again. */
export const resendJobView = (job: Omit<Static<typeof resendJob>, 'object'>) => ({ object: 'resend', ...job })

/** Events of a span that are sent again. */
export const replayView = ({
  fromMs,
  toMs,
  ...job
}: Omit<Static<typeof replayJob>, 'object' | 'from' | 'to'> & {
  readonly fromMs: number
  readonly toMs: number
}) => ({ object: 'replay', ...job, from: isoInstant(fromMs), to: isoInstant(toMs) })

/** A delivery without its attempts. */
export const deliveryRowView = (delivery: Delivery) => {
  const last = delivery.attempts.at(-1)
  return {
    id: delivery.id,
    object: 'delivery',
    eventId: delivery.eventId,
    type: delivery.eventType,
    objectId: delivery.objectId,
    endpointId: delivery.endpointId,
    status: delivery.status,
    attemptCount: delivery.attempts.length,
    lastStatusCode: last?.statusCode ?? null,
    lastError: last?.error ?? null,
    lastAttemptAt: instantOrNull(last?.startedAtMs ?? null),
    nextAttemptAt: instantOrNull(delivery.nextAttemptAtMs),
    resendOf: delivery.resendOf,
    createdAt: isoInstant(delivery.createdAtMs),
  }
}

/** A delivery with its attempts (decisions, section 28). */
export const deliveryView = (delivery: Delivery) => ({
  ...deliveryRowView(delivery),
  attempts: delivery.attempts.map(
    ({ number, url, startedAtMs, latencyMs, statusCode, error, responseSnippet }) => ({
      number,
      url: url === '' ? null : url,
      startedAt: isoInstant(startedAtMs),
      latencyMs: Math.round(latencyMs),
      statusCode,
      error,
      snippet: responseSnippet,
    }),
  ),
})

/** The same with what is sent. */
export const deliveryDetailView = (delivery: Delivery, environment: Environment) => ({
  ...deliveryView(delivery),
  requestHeaders: headersOf(delivery, environment),
  body: Buffer.from(delivery.body).toString('utf8'),
})

const headersOf = (
  { id, eventType, traceparent }: Delivery,
  environment: Environment,
): Readonly<Record<string, string>> => {
  const flat = steadyHeaders({ eventType, deliveryId: id, environment, traceparent })
  return Object.fromEntries(flat.flatMap((name, n) => (n % 2 === 0 ? [[name, flat[n + 1]!]] : [])))
}
