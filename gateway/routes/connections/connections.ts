import Type from 'typebox'
import { connectionRoles } from '../../../engine/connections/rail-connection.ts'
import { operationRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { connectionRails, connectionResource } from '../../resources/connections/connection.ts'
import { connectionProviders } from '../../resources/connections/provider.ts'
import { listOfRows } from '../../resources/list.ts'
import { described } from '../../schema/named-schema.ts'
import { choice, textUpTo, wholeNumber } from '../../schema/schema.ts'

const ofConnections = { tag: 'Connections', product: null } as const
const manages = { ...ofConnections, permission: 'company.manage' } as const
const answer = connectionResource.schema

const settings = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, description })

export const listConnectionsRoute = operationRoute({
  ...ofConnections,
  permission: 'company.read',
  verb: 'GET',
  path: '/v1/connections',
  operationId: 'listConnections',
  summary: 'List connections',
  description:
    'The connections to banks and acquirers in this environment, newest first, retired ones included. No secret is shown.',
  parameters: Type.Object({
    page: Type.Optional(wholeNumber(1, bounds.pageMax, 'Which page. The first is 1, the default.')),
    pageSize: Type.Optional(
      wholeNumber(1, bounds.pageSizeMax, 'Rows of a page. Without it there is one page.'),
    ),
  }),
  answer: listOfRows(answer),
  operation: 'connections list',
  input: (_, query) => query ?? {},
})

export const listProvidersRoute = operationRoute({
  ...ofConnections,
  permission: 'company.read',
  verb: 'GET',
  path: '/v1/connections/providers',
  operationId: 'listConnectionProviders',
  summary: 'List the providers to connect to',
  description:
    'The banks and acquirers that a company can be connected to, with the settings that each needs.',
  answer: connectionProviders,
  operation: 'connections providers',
})

export const createConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections',
  operationId: 'createConnection',
  summary: 'Create a connection',
  description:
    'Makes a connection to a bank or acquirer, as a DRAFT: verify it, and activate it then. Production only; the Sandbox has providers of its own.',
  factor: 'OPERATION',
  status: 201,
  refusals: [409],
  body: Type.Object({
    provider: textUpTo(40, 'The name of the provider.'),
    settings: settings(
      'What the provider needs to know, by its name. Secrets among them are sealed, and never shown. Which machines are asked is for the operator of the service to say.',
    ),
    role: Type.Optional(
      described(
        choice(...connectionRoles),
        'PRIMARY by default. A FALLBACK takes what is new while the primary one is not active, or answers nothing.',
      ),
    ),
    rails: Type.Optional(
      Type.Array(choice(...connectionRails), {
        minItems: 1,
        uniqueItems: true,
        description: 'What it is used for. By default all that the provider has.',
      }),
    ),
  }),
  answer,
  operation: 'connections create',
})

export const getConnectionRoute = operationRoute({
  ...ofConnections,
  permission: 'company.read',
  verb: 'GET',
  path: '/v1/connections/:id',
  operationId: 'getConnection',
  summary: 'Get a connection',
  description: 'A connection to a bank or acquirer, without its secrets.',
  refusals: [404],
  answer,
  operation: 'connections get',
})

export const verifyConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections/:id/verify',
  operationId: 'verifyConnection',
  summary: 'Verify a connection',
  description:
    'Opens it, and asks the provider for a token and something harmless. A DRAFT that answers is VERIFIED; what does not work is refused with what the provider said.',
  factor: 'SESSION',
  refusals: [404, 409],
  answer,
  operation: 'connections verify',
})

export const activateConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections/:id/activate',
  operationId: 'activateConnection',
  summary: 'Activate a connection',
  description:
    'From now on new charges go by it. Of a company’s connections for a way to be paid one is PRIMARY, and one the FALLBACK. Where money can leave by it, another person has to activate it, too. Activating it twice changes nothing.',
  factor: 'OPERATION',
  refusals: [404, 409],
  answer,
  operation: 'connections activate',
})

export const suspendConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections/:id/suspend',
  operationId: 'suspendConnection',
  summary: 'Suspend a connection',
  description: 'Nothing new goes by it until it is resumed. What came by it is still refunded by it.',
  factor: 'SESSION',
  refusals: [404, 409],
  answer,
  operation: 'connections suspend',
})

export const resumeConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections/:id/resume',
  operationId: 'resumeConnection',
  summary: 'Resume a connection',
  description: 'New charges go by it once more.',
  factor: 'OPERATION',
  refusals: [404, 409],
  answer,
  operation: 'connections resume',
})

export const rotateConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections/:id/rotate',
  operationId: 'rotateConnection',
  summary: 'Rotate the credentials of a connection',
  description:
    'Gives it other credentials, which have to work. Those before can be taken back for 24 hours. A connection that was suspended because its certificate had expired is active once more.',
  factor: 'OPERATION',
  refusals: [404, 409],
  body: Type.Object({
    settings: settings('The settings that change; null removes one. The PIX key stays.'),
  }),
  answer,
  operation: 'connections rotate',
})

export const restoreConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections/:id/restore',
  operationId: 'restoreConnection',
  summary: 'Take back the former credentials of a connection',
  description: 'The credentials from before the last rotation, within 24 hours.',
  factor: 'OPERATION',
  refusals: [404, 409],
  answer,
  operation: 'connections restore',
})

export const retireConnectionRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/connections/:id/retire',
  operationId: 'retireConnection',
  summary: 'Retire a connection',
  description:
    'Ends it for good. What came by it is still refunded by it. Retiring it twice changes nothing.',
  factor: 'OPERATION',
  refusals: [404, 409],
  answer,
  operation: 'connections retire',
})
