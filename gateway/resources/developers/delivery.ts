// What the API shows to developers: keys, webhook endpoints, deliveries with their attempts, and the Sandbox.
import Type, { type Static } from 'typebox'
import type { EventType } from '../../../engine/kernel/event-types.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { Environment } from '../../../engine/shared/ids.ts'
import {
  type Attempt,
  attemptErrors,
  type Delivery,
  deliveryStatuses,
} from '../../../engine/webhooks/delivery.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { steadyHeaders } from '../../webhooks/headers.ts'
import { eventType } from '../enumerations.ts'
import {
  anyObject,
  count,
  createdAtField,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  objectName,
  pick,
  textOf,
} from '../fields.ts'
import { part, resource, same } from '../resource.ts'

export const deliveryStatus = named(
  'DeliveryStatus',
  described(
    choice(...deliveryStatuses),
    'EXHAUSTED: twelve attempts failed. CANCELLED: the endpoint is gone.',
  ),
)

export const attemptError = named(
  'DeliveryError',
  described(
    choice(...attemptErrors),
    'REDIRECT: redirects are not followed. BLOCKED_ADDRESS: the host is not one that webhooks may go to.',
  ),
)

/** A delivery without its attempts. */
export const deliveryRow = resource<Delivery>(
  'Delivery',
  'An event on its way to one endpoint, without its attempts.',
).with({
  ...identityFields('dlv', 'delivery'),
  eventId: [textOf('Id of the event, `evt_…`.'), same],
  // Deliveries keep the type as text, but only events create them.
  type: [eventType, (d) => d.eventType as EventType],
  objectId: [textOf('What the event is about, such as a transaction; of a test event its own id.'), same],
  endpointId: [textOf('The endpoint, `whk_…`.'), same],
  status: [deliveryStatus, same],
  attemptCount: [count('Attempts made so far.'), ({ attempts }) => attempts.length],
  lastStatusCode: [
    nullableField(Type.Integer(), 'What the endpoint answered last; null where it did not.'),
    ({ attempts }) => attempts.at(-1)?.statusCode ?? null,
  ],
  lastError: [
    nullableField(attemptError, 'Why the last attempt failed without an answer that counts; null otherwise.'),
    ({ attempts }) => attempts.at(-1)?.error ?? null,
  ],
  lastAttemptAt: [
    nullableField(instant, 'When the last attempt was made.'),
    ({ attempts }) => instantOrNull(attempts.at(-1)?.startedAtMs),
  ],
  nextAttemptAt: [
    nullableField(instant, 'When the next attempt is made; null if there is none.'),
    (d) => instantOrNull(d.nextAttemptAtMs),
  ],
  resendOf: [nullableField(Type.String(), 'The delivery that it sends again, `dlv_…`.'), same],
  createdAt: createdAtField,
})

/** The delivery of an event to one endpoint, as part of the transaction that the event is about. */
export const webhook = resource<Delivery>(
  'WebhookDelivery',
  'What became of an event about this transaction at one endpoint.',
).with({
  deliveryId: [textOf('Id of the delivery, `dlv_…`.'), ({ id }) => id],
  ...pick(deliveryRow.fields, 'eventId', 'type', 'endpointId', 'status'),
  attempts: [deliveryRow.schema.properties.attemptCount, ({ attempts }) => attempts.length],
  ...pick(deliveryRow.fields, 'lastStatusCode', 'lastAttemptAt'),
})

const attempt = resource<Attempt>('DeliveryAttempt', 'One HTTP request.').with({
  number: [count('Counted from 1.'), same],
  url: [
    nullableField(Type.String(), 'Where it was sent; null where that was not recorded.'),
    ({ url }) => (url === '' ? null : url),
  ],
  startedAt: [described(instant, 'When it began.'), ({ startedAtMs }) => isoInstant(startedAtMs)],
  latencyMs: [count('Until the answer’s header, or until it was given up.'), (a) => Math.round(a.latencyMs)],
  statusCode: [nullableField(Type.Integer(), 'What the endpoint answered; null where it did not.'), same],
  error: [nullableField(attemptError, 'Why it failed without an answer that counts; null otherwise.'), same],
  signature: [
    described(
      nullableText,
      'The `Service-Signature` header that was sent: `t` is its time, and what follows `v1=` the HMAC-SHA256 of the time, a point and the body. Null where nothing was sent, and for attempts of before it was kept.',
    ),
    ({ signature = null }) => signature,
  ],
  snippet: [textOf('The first kilobyte of the answer’s body.'), ({ responseSnippet }) => responseSnippet],
})

/** A delivery with its attempts (decisions, section 28). */
export const deliveryWithAttempts = part<Delivery>().with({
  ...deliveryRow.fields,
  attempts: [
    listOf(attempt.schema, 'Every attempt, the first one first.'),
    (d) => d.attempts.map(attempt.view),
  ],
})

/** A delivery with its attempts and the body that is sent. */
export const deliveryDetail = resource<Delivery, [Environment]>(
  'DeliveryDetail',
  'An event on its way to one endpoint, with what is sent and every attempt.',
).with({
  ...deliveryWithAttempts.fields,
  requestHeaders: [
    described(
      anyObject,
      'The headers of every attempt. `Service-Signature` is missing, because each attempt is signed anew, with its own time; so are those of Standard Webhooks, and headers of your own, which may be secrets.',
    ),
    (d, environment) => headersOf(d, environment),
  ],
  body: [
    textOf(
      'The bytes that are sent and signed, as text; `{"object":"forgotten"}` once they are forgotten with their payer.',
    ),
    (d) => Buffer.from(d.body).toString('utf8'),
  ],
})

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
  after: nullableField(
    Type.Integer(),
    'Send it back as `after` with the same span to go on where this one stopped; null when it is complete.',
  ),
})

/** A test event on its way. */
export const testEventView = (event: Omit<Static<typeof testEvent>, 'object'>) => ({
  object: 'test_event',
  ...event,
})

/** The result of a request to send deliveries again. */
export const resendJobView = (job: Omit<Static<typeof resendJob>, 'object'>) => ({ object: 'resend', ...job })

/** The result of a replay of the events of a period. */
export const replayView = ({
  fromMs,
  toMs,
  ...job
}: Omit<Static<typeof replayJob>, 'object' | 'from' | 'to'> & {
  readonly fromMs: number
  readonly toMs: number
}) => ({ object: 'replay', ...job, from: isoInstant(fromMs), to: isoInstant(toMs) })

const headersOf = (
  { id, eventType, traceparent }: Delivery,
  environment: Environment,
): Readonly<Record<string, string>> => {
  const flat = steadyHeaders({ eventType, deliveryId: id, environment, traceparent })
  return Object.fromEntries(flat.flatMap((name, n) => (n % 2 === 0 ? [[name, flat[n + 1]!]] : [])))
}
