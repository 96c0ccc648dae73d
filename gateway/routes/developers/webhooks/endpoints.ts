import Type, { type Static } from 'typebox'
import { endpointSignatures } from '../../../../engine/companies/endpoint.ts'
import { operationRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { replayJob, testEvent } from '../../../resources/developers/delivery.ts'
import {
  endpointStatuses,
  endpointWithHealth,
  endpointWithSecret,
  eventTypeList,
  webhookEndpoint,
} from '../../../resources/developers/endpoint.ts'
import { eventType } from '../../../resources/enumerations.ts'
import { listOfRows } from '../../../resources/list.ts'
import { choice, orNull, textUpTo, wholeNumber } from '../../../schema/schema.ts'
import { webhookManages, webhookReads } from './groups.ts'

export const listWebhookEventTypesRoute = operationRoute({
  ...webhookReads,
  path: '/v1/webhooks/event-types',
  operationId: 'listWebhookEventTypes',
  summary: 'List the event types',
  description: 'Every event type, when it is sent, and a sample of it.',
  answer: eventTypeList,
  operation: 'webhooks types',
})

const url = textUpTo(
  bounds.webhookUrlCharsMax,
  'Where events are sent: `https://`, to a public host; in Sandbox also `http://` and hosts of your own network.',
)
const description = orNull(textUpTo(255, 'What it is for.'))
const events = Type.Array(eventType, {
  uniqueItems: true,
  description:
    'The event types that it receives; an empty list for all of them. Types beyond the list that every endpoint receives need `extraEvents`.',
})

/** Options that a receiver may do without (decisions, section 28). */
const options = {
  extraEvents: Type.Optional(
    Type.Boolean({
      description:
        'Whether it receives types beyond those that every endpoint receives: `payment.refund_failed`, `checkout.completed`, `checkout.expired`, `transfer.returned`. By default it does not, so that a receiver meets no type that it does not know.',
    }),
  ),
  headers: Type.Optional(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ['object', 'null'],
      maxProperties: bounds.ownHeadersMax * 2,
      additionalProperties: {
        type: ['string', 'null'],
        maxLength: bounds.ownHeaderCharsMax,
        format: 'text',
      },
      description:
        'Up to 5 headers of your own that every attempt sends, such as `Authorization`: name and value. They are kept encrypted and never shown again. None that the service sends itself (`Service-…`, `webhook-…`, `Content-…`, `Host`, `User-Agent`, `Accept-Encoding`, `traceparent`) or that concerns the connection. In a change, those that are not named stay, and null takes one away, or all of them. A new URL needs them anew.',
      examples: [{ Authorization: 'Bearer 6f1c' }],
    }),
  ),
  signature: Type.Optional({
    ...choice(...endpointSignatures),
    description:
      '`standard-webhooks` sends `webhook-id`, `webhook-timestamp` and `webhook-signature` beside `Service-Signature`, so that the libraries of Standard Webhooks can verify events.',
  }),
}

export const listWebhookEndpointsRoute = operationRoute({
  ...webhookReads,
  path: '/v1/webhooks/endpoints',
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints',
  description:
    'The endpoints of the company in this environment, newest first, each with its health. Deleted ones are left out.',
  parameters: Type.Object({
    page: Type.Optional(wholeNumber(1, bounds.pageMax, 'Which page. The first is 1, the default.')),
    pageSize: Type.Optional(
      wholeNumber(1, bounds.pageSizeMax, 'Rows of a page. Without it there is one page.'),
    ),
  }),
  answer: listOfRows(endpointWithHealth),
  operation: 'webhooks health',
  input: (_, query) => query ?? {},
})

export const getWebhookEndpointRoute = operationRoute({
  ...webhookReads,
  path: '/v1/webhooks/endpoints/:id',
  operationId: 'getWebhookEndpoint',
  summary: 'Get one webhook endpoint',
  description: 'The endpoint with its health. A deleted one can still be read.',
  refusals: [404],
  answer: endpointWithHealth,
  operation: 'webhooks get',
})

export const createWebhookEndpointRoute = operationRoute({
  ...webhookManages,
  verb: 'POST',
  path: '/v1/webhooks/endpoints',
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  description:
    'It hears what happens from now on. The answer has the secret that signs its events, which is shown this once. A company has at most 20 endpoints in an environment.',
  factor: 'SESSION',
  status: 201,
  refusals: [409],
  body: Type.Object({
    url,
    description: Type.Optional(description),
    events: Type.Optional(events),
    ...options,
  }),
  answer: endpointWithSecret,
  operation: 'webhooks create',
})

export const changeWebhookEndpointRoute = operationRoute({
  ...webhookManages,
  verb: 'PATCH',
  path: '/v1/webhooks/endpoints/:id',
  operationId: 'changeWebhookEndpoint',
  summary: 'Change a webhook endpoint',
  description:
    'Pending deliveries go to a new URL. DISABLED: nothing is sent any more, and what waits is cancelled. ENABLED: it hears what happens from now on; send it what it missed by a replay.',
  factor: 'SESSION',
  refusals: [404, 409],
  body: Type.Object({
    url: Type.Optional(url),
    description: Type.Optional(description),
    events: Type.Optional(events),
    ...options,
    status: Type.Optional({ ...choice(...endpointStatuses), description: 'Whether events are sent to it.' }),
  }),
  answer: webhookEndpoint.schema,
  operation: 'webhooks update',
})

export const deleteWebhookEndpointRoute = operationRoute({
  ...webhookManages,
  verb: 'DELETE',
  path: '/v1/webhooks/endpoints/:id',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description:
    'Nothing is sent to it any more, and what waits is cancelled. Its deliveries can still be read.',
  factor: 'SESSION',
  refusals: [404],
  answer: webhookEndpoint.schema,
  operation: 'webhooks delete',
})

export const rollWebhookSecretRoute = operationRoute({
  ...webhookManages,
  verb: 'POST',
  path: '/v1/webhooks/endpoints/:id/roll-secret',
  operationId: 'rollWebhookSecret',
  summary: 'Roll the secret of a webhook endpoint',
  description:
    'The new secret signs every attempt from now on, those of older deliveries included. During the overlap the one before signs as well: `Service-Signature` then has two `v1`, that of the new secret first.',
  factor: 'OPERATION',
  refusals: [404, 409],
  body: Type.Object({
    overlapSeconds: Type.Optional(
      wholeNumber(0, 86_400, 'How long the secret before signs as well. By default it does not.'),
    ),
  }),
  answer: endpointWithSecret,
  operation: 'webhooks rotate',
  input: ({ overlapSeconds = 0 }, _, { id }) => ({ id, overlap: overlapSeconds }),
})

export const testWebhookEndpointRoute = operationRoute({
  ...webhookManages,
  verb: 'POST',
  path: '/v1/webhooks/endpoints/:id/test',
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test event',
  description:
    'Sends a sample event to this endpoint alone, whatever it subscribes to; ten a minute at most.',
  status: 201,
  refusals: [404, 409],
  body: Type.Object({ type: Type.Optional(eventType) }),
  answer: testEvent,
  operation: 'webhooks test',
})

const replayBody = Type.Object({
  from: Type.String({ format: 'date-or-date-time', description: 'The beginning of the span.' }),
  to: Type.Optional(
    Type.String({
      format: 'date-or-date-time',
      description: 'Its end, at most 30 days later; by default now. A date is that whole day.',
    }),
  ),
  types: Type.Optional(
    Type.Array(eventType, {
      uniqueItems: true,
      description: 'Which events; by default those that the endpoint hears.',
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The `after` of an earlier answer: goes on where that one stopped.',
    }),
  ),
})

export const replayToWebhookEndpointRoute = operationRoute({
  ...webhookManages,
  verb: 'POST',
  path: '/v1/webhooks/endpoints/:id/replay',
  operationId: 'replayToWebhookEndpoint',
  summary: 'Replay a span of time',
  description:
    'Sends the events of a span to this endpoint again, those from while it was disabled or did not exist included, as new deliveries: at most 10,000 events, 50 a second. When this answers, all of them are scheduled.',
  factor: 'SESSION',
  status: 202,
  refusals: [404, 409],
  body: replayBody,
  answer: replayJob,
  operation: 'webhooks replay',
  input: (body: Static<typeof replayBody>, _, { id }) => ({
    ...body,
    ...(body.types?.length === 0 && { types: undefined }),
    id,
  }),
})
