import Type from 'typebox'
import { statusClasses } from '../../../engine/webhooks/delivery.ts'
import { operationRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { apiKey, newApiKey, rolledApiKey, scope } from '../../resources/developers/key.ts'
import { keyRequest } from '../../resources/developers/key-request.ts'
import { listOfRows } from '../../resources/list.ts'
import { choice, orNull, searchParameter, textUpTo, wholeNumber } from '../../schema/schema.ts'

const ofKeys = { tag: 'API keys', product: null } as const
const manages = { ...ofKeys, permission: 'keys.manage' } as const

const name = textUpTo(bounds.keyNameCharsMax, 'For people to tell keys apart.')
const scopeList = (description: string) => Type.Array(scope, { minItems: 1, uniqueItems: true, description })
const ipAllowList = Type.Array(Type.String({ format: 'network', examples: ['203.0.113.0/24'] }), {
  maxItems: bounds.keyNetworksMax,
  description:
    'The networks (CIDR, or single addresses) that may use the key; an empty list lets all of them. Another address gets the 401 of a wrong key, and is shown as `lastRefusedIp`.',
})

export const listApiKeysRoute = operationRoute({
  ...ofKeys,
  permission: 'keys.read',
  verb: 'GET',
  path: '/v1/keys',
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'The keys of the company in this environment, newest first, those that have ended included.',
  parameters: Type.Object({
    page: Type.Optional(wholeNumber(1, bounds.pageMax, 'Which page. The first is 1, the default.')),
    pageSize: Type.Optional(
      wholeNumber(1, bounds.pageSizeMax, 'Rows of a page. Without it there is one page.'),
    ),
  }),
  answer: listOfRows(apiKey.schema),
  operation: 'keys list',
  input: (_, query) => query ?? {},
})

export const listKeyRequestsRoute = operationRoute({
  ...ofKeys,
  permission: 'keys.read',
  verb: 'GET',
  path: '/v1/keys/:id/requests',
  operationId: 'listKeyRequests',
  summary: 'List the requests of an API key',
  description:
    'The newest requests that the key has sent, newest first: as many as the operator keeps in memory (`KEY_LOG_ENTRIES`), since the last start. Neither queries nor bodies are kept.',
  refusals: [404],
  parameters: Type.Object({
    statusClass: Type.Optional(
      Type.Array(choice(...statusClasses), { description: 'One or more, separated by commas.' }),
    ),
    path: searchParameter('Only those whose path has this part.'),
    page: Type.Optional(wholeNumber(1, bounds.pageMax, 'Which page. The first is 1, the default.')),
    pageSize: Type.Optional(wholeNumber(1, bounds.pageSizeMax, 'Rows of a page. Default: 25.')),
  }),
  answer: listOfRows(keyRequest.schema),
  operation: 'keys requests',
  input: (_, query, { id }) => ({ pageSize: bounds.pageSizeDefault, ...query, id }),
})

export const createApiKeyRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/keys',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description:
    'Creates a key of this environment. The answer has its secret, which is shown this once. A key can do no more than the person who creates it; a company has at most 20 active keys in an environment.',
  factor: 'OPERATION',
  status: 201,
  refusals: [409],
  body: Type.Object({
    name,
    scopes: Type.Optional(
      scopeList(
        'What the key may do. By default charges, transactions and subscriptions, as far as you may yourself.',
      ),
    ),
    expiresAt: Type.Optional(
      orNull(
        Type.String({ format: 'date-time', description: 'When it stops working, at most two years ahead.' }),
      ),
    ),
    ipAllowList: Type.Optional(ipAllowList),
  }),
  answer: newApiKey,
  operation: 'keys create',
})

export const changeApiKeyRoute = operationRoute({
  ...manages,
  verb: 'PATCH',
  path: '/v1/keys/:id',
  operationId: 'changeApiKey',
  summary: 'Change an API key',
  description: 'Changes its name, its networks, or takes scopes away. For more scopes create another key.',
  factor: 'SESSION',
  refusals: [404, 409],
  body: Type.Object({
    name: Type.Optional(name),
    scopes: Type.Optional(scopeList('Those that it keeps.')),
    ipAllowList: Type.Optional(ipAllowList),
  }),
  answer: apiKey.schema,
  operation: 'keys update',
})

export const rollApiKeyRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/keys/:id/roll',
  operationId: 'rollApiKey',
  summary: 'Roll an API key',
  description:
    'Makes a new secret for the same client, on the same terms. The answer has it, this once. The old key is EXPIRING, and works until the overlap ends.',
  factor: 'OPERATION',
  status: 201,
  refusals: [404, 409],
  body: Type.Object({
    overlapSeconds: Type.Optional(
      Type.Unsafe<0 | 3600 | 86400 | 604800>({
        type: 'integer',
        enum: [0, 3600, 86_400, 604_800],
        description: 'How long the old secret works: not at all, an hour, a day (the default), or a week.',
      }),
    ),
  }),
  answer: rolledApiKey,
  operation: 'keys roll',
  input: ({ overlapSeconds = 86_400 }, _, { id }) => ({ id, overlap: overlapSeconds }),
})

export const revokeApiKeyRoute = operationRoute({
  ...manages,
  verb: 'POST',
  path: '/v1/keys/:id/revoke',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description: 'For good. When this answers, no node lets the key in. Revoking it twice changes nothing.',
  factor: 'SESSION',
  refusals: [404],
  answer: apiKey.schema,
  operation: 'keys revoke',
})
