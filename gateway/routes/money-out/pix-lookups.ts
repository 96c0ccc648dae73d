import Type from 'typebox'
import { readPixKey } from '../../../engine/shared/pix-key.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { problem, unavailable } from '../../problems/problem.ts'
import { pixLookup, pixLookupQuota } from '../../resources/money-out/pix-lookup.ts'
import { forNew } from '../command-target.ts'

const ofLookups = { tag: 'Transfers', product: 'PIX', permission: 'transfers.create' } as const

export const lookUpPixKeyRoute = commandRoute({
  ...ofLookups,
  verb: 'POST',
  path: '/v1/pix/lookups',
  operationId: 'lookUpPixKey',
  summary: 'Look up a PIX key',
  description:
    'Asks the directory of PIX keys who owns one, so that you see who is paid before you sign. The answer is good for ten minutes, for you alone and for one transfer. Look-ups that lead to no payment are rationed.',
  status: 201,
  refusals: [422],
  body: Type.Object({
    key: Type.String({
      format: 'pix-key',
      description: 'CPF, CNPJ, e-mail, telephone with + and country code, or random key.',
      examples: ['fornecedor@example.com'],
    }),
  }),
  answer: pixLookup.schema,
  read: ({ key }) => readPixKey(key)!,
  command: (input, request) => ({ type: 'LookUpKey', ...forNew('keyLookupId', request), ...input }),
  view: ({ state }) => {
    if (state.status === 'NOT_FOUND') return problem('PIX_KEY_NOT_FOUND')
    return state.owner === null ? unavailable : { body: pixLookup.view(state, state.owner) }
  },
})

export const getPixLookupQuotaRoute = queryRoute({
  ...ofLookups,
  verb: 'GET',
  path: '/v1/pix/lookups/quota',
  operationId: 'getPixLookupQuota',
  summary: 'Get the quota of look-ups',
  description: 'How many PIX keys can be looked up now.',
  answer: pixLookupQuota.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: pixLookupQuota.view(found.account, found.nowMs) }),
})
