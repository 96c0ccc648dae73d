import Type from 'typebox'
import { commandRoute } from '../../../api/route.ts'
import { sandboxReset, sandboxResetView, sentSample } from '../../../resources/developers/sandbox.ts'
import { eventType } from '../../../resources/enumerations.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const sendSandboxEventRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/events',
  operationId: 'sendSandboxEvent',
  summary: 'Send a sample event',
  description:
    'Sends a sample to the endpoints that listen for its type, signed and repeated as every event. Its `data` has `test: true`.',
  refusals: [403],
  body: Type.Object({ type: eventType }),
  answer: sentSample.schema,
  read: ({ type }) => ({ eventType: type }),
  command: ({ eventType }, { accountId, by }) => ({ type: 'RequestSampleEvent', accountId, by, eventType }),
  view: (_, { eventType }) => ({ body: sentSample.view(eventType) }),
})

export const resetSandboxRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/reset',
  operationId: 'resetSandbox',
  summary: 'Empty the Sandbox',
  description:
    'Deletes all Sandbox data of the company: charges, received PIX, deliveries, balances and idempotency keys. API keys, endpoints and the clock stay; a clock that is `ADVANCING` goes on.',
  refusals: [403],
  answer: sandboxReset,
  command: (_, { accountId, by }) => ({ type: 'ClearSandbox', accountId, by }),
  view: () => ({ body: sandboxResetView }),
})
