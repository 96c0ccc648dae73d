// Routes of webhooks: endpoints, and the deliveries of events to them.
import Type, { type Static } from 'typebox'
import type { DeliveryId, EndpointId } from '../../../../engine/shared/ids.ts'
import { statusClasses } from '../../../../engine/webhooks/delivery.ts'
import { operationRoute, queryRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { notFound } from '../../../problems/problem.ts'
import {
  attemptError,
  deliveryDetail,
  deliveryRow,
  deliveryStatus,
  resendJob,
} from '../../../resources/developers/delivery.ts'
import { eventType } from '../../../resources/enumerations.ts'
import { listOfRows, listView } from '../../../resources/list.ts'
import { choice, exactParameter, idParameter } from '../../../schema/schema.ts'
import { pagingParameters, readPaging } from '../../paging.ts'
import { webhookManages, webhookReads } from './groups.ts'

const several = <Item extends ReturnType<typeof choice>>(item: Item, description: string) =>
  Type.Optional(Type.Array(item, { description }))

const statusClass = choice(...statusClasses)

export const listDeliveriesRoute = queryRoute({
  ...webhookReads,
  path: '/v1/webhooks/deliveries',
  operationId: 'listDeliveries',
  summary: 'List webhook deliveries',
  description:
    'Deliveries to all endpoints, deleted ones included, newest first. `status=EXHAUSTED` is the failure queue.',
  parameters: pagingParameters({
    endpointId: Type.Optional(idParameter('Only those to this endpoint, `whk_…`.')),
    status: several(deliveryStatus, 'One or more, separated by commas.'),
    type: several(eventType, 'Event types, separated by commas.'),
    objectId: exactParameter(bounds.idCharsMax, 'Only those about this object, such as a transaction.'),
    statusClass: several(
      statusClass,
      'What the last attempt was answered: one or more, separated by commas.',
    ),
    error: several(attemptError, 'Why the last attempt failed: one or more, separated by commas.'),
  }),
  answer: listOfRows(deliveryRow.schema),
  read: (query) =>
    readPaging(query, {
      endpointId: (query.endpointId ?? null) as EndpointId | null,
      statuses: query.status ?? [],
      eventTypes: query.type ?? [],
      objectId: query.objectId ?? null,
      statusClasses: query.statusClass ?? [],
      errors: query.error ?? [],
    }),
  query: (input, { accountId }) => ({ type: 'ListDeliveries', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, deliveryRow.view) }),
})

export const getDeliveryRoute = queryRoute({
  ...webhookReads,
  path: '/v1/webhooks/deliveries/:id',
  operationId: 'getDelivery',
  summary: 'Get one webhook delivery',
  description: 'The delivery with every attempt, and with the headers and the body that are sent.',
  refusals: [404],
  answer: deliveryDetail.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindDelivery', accountId, deliveryId: id as DeliveryId }) as const,
  view: (delivery, _, { environment }) =>
    delivery === null ? notFound('delivery') : { body: deliveryDetail.view(delivery, environment) },
})

export const resendDeliveryRoute = operationRoute({
  ...webhookManages,
  verb: 'POST',
  path: '/v1/webhooks/deliveries/:id/resend',
  operationId: 'resendDelivery',
  summary: 'Send one delivery again',
  description:
    'A new delivery of the same bytes, once the old one has ended. While one is under way, asking again adds none.',
  status: 201,
  refusals: [404, 409],
  answer: deliveryRow.schema,
  operation: 'webhooks resend',
})

export const retryDeliveryRoute = operationRoute({
  ...webhookManages,
  verb: 'POST',
  path: '/v1/webhooks/deliveries/:id/retry',
  operationId: 'retryDelivery',
  summary: 'Make the next attempt now',
  description:
    'The next attempt of a delivery that is `PENDING` or `RETRYING` is made at once instead of at `nextAttemptAt`. It counts as one of the twelve; where one is under way, none is made beside it.',
  refusals: [404, 409],
  answer: deliveryRow.schema,
  operation: 'webhooks retry',
})

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

const resendBody = Type.Object({
  endpointId: Type.Optional(idParameter('Only those to this endpoint, `whk_…`.')),
  status: several(
    choice('SUCCEEDED', 'EXHAUSTED', 'CANCELLED'),
    'Which of those that have ended; by default EXHAUSTED.',
  ),
  type: several(eventType, 'Event types.'),
  objectId: Type.Optional(idParameter('Only those about this object, such as a transaction.')),
  statusClass: several(statusClass, 'What the last attempt was answered.'),
  error: several(attemptError, 'Why the last attempt failed.'),
  from: day('First day, in the company time zone.'),
  to: day('Last day, in the company time zone.'),
})

export const resendDeliveriesRoute = operationRoute({
  ...webhookManages,
  verb: 'POST',
  path: '/v1/webhooks/deliveries/resend',
  operationId: 'resendDeliveries',
  summary: 'Send many deliveries again',
  description:
    'Those that the filter means, at most 10,000, the oldest first, 50 a second. When this answers, all of them are scheduled. Deliveries to endpoints that are disabled or deleted are left out.',
  status: 202,
  refusals: [404],
  body: resendBody,
  answer: resendJob,
  operation: 'webhooks resend-all',
  input: (body: Static<typeof resendBody>) => body,
})
