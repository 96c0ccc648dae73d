import Type from 'typebox'
import { type EventType, eventTypes } from '../../../engine/public-events.ts'
import { commandRoute } from '../../http/route.ts'
import { sampleEvent, sandboxReset } from '../answers.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const sendSandboxEvent = commandRoute({
  ...sandboxRoute,
  verb: 'POST',
  path: '/v1/sandbox/events',
  operationId: 'sendSandboxEvent',
  summary: 'Send a sample event to the endpoints that listen for its type',
  refusals: [403],
  body: Type.Object({ type: Type.Unsafe<EventType>({ type: 'string', enum: [...eventTypes] }) }),
  answer: sampleEvent,
  read: ({ type }) => ({ eventType: type }),
  command: ({ eventType }, { accountId, by }) => ({ type: 'RequestSampleEvent', accountId, by, eventType }),
  view: (_, { eventType }) => ({ body: { object: 'sample_event', type: eventType, test: true } }),
})

export const resetSandbox = commandRoute({
  ...sandboxRoute,
  verb: 'POST',
  path: '/v1/sandbox/reset',
  operationId: 'resetSandbox',
  summary: 'Drop all Sandbox data of the company',
  description:
    'Charges, received PIX, deliveries, balances and idempotency keys. Keys, endpoints and the clock stay; one that is `ADVANCING` goes on.',
  refusals: [403],
  answer: sandboxReset,
  read: () => null,
  command: (_, { accountId, by }) => ({ type: 'ClearSandbox', accountId, by }),
  view: () => ({ body: { object: 'sandbox', reset: true } }),
})
