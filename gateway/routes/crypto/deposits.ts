import Type from 'typebox'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { cryptoDeposit, depositStatus } from '../../resources/crypto/crypto-deposit.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { described } from '../../schema/named-schema.ts'
import { choice, oneOrMore } from '../../schema/schema.ts'
import { forExisting } from '../command-target.ts'
import { cryptoBalanceReads, cryptoMoneyOut } from '../groups.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { chainAddressInput } from './asset-input.ts'

export const listCryptoDepositsRoute = queryRoute({
  ...cryptoBalanceReads,
  path: '/v1/crypto/deposits',
  operationId: 'listCryptoDeposits',
  summary: 'List deposits of stablecoins',
  description: 'What arrived at the addresses of charges and did not pay them, newest first.',
  parameters: pagingParameters({ status: oneOrMore(depositStatus) }),
  answer: listOfRows(cryptoDeposit.schema),
  read: (query) => readPaging(query, { statuses: query.status ?? [] }),
  query: (input, { accountId }) => ({ type: 'ListCryptoDeposits', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, cryptoDeposit.view) }),
})

export const resolveCryptoDepositRoute = commandRoute({
  ...cryptoMoneyOut,
  verb: 'POST',
  path: '/v1/crypto/deposits/:id/resolve',
  operationId: 'resolveCryptoDeposit',
  summary: 'Decide about a deposit of stablecoins',
  description:
    'ACCEPT takes it into the balance. RETURN sends it back, less what the network takes; by default to where it came from. Many wallets of exchanges cannot receive there: ask the payer for an address.',
  factor: 'OPERATION',
  refusals: [404, 409, 422, 503],
  body: Type.Object(
    {
      action: described(choice('ACCEPT', 'RETURN'), 'Into the balance, or back.'),
      address: Type.Optional(chainAddressInput('Where it goes back to, on the network that it came by.')),
    },
    { examples: [{ action: 'ACCEPT' }] },
  ),
  answer: cryptoDeposit.schema,
  read: ({ action, address }) => ({ action, address: address?.trim() ?? null }),
  command: (input, request) =>
    ({ type: 'ResolveDeposit', ...forExisting('depositId', request), ...input }) as const,
  view: ({ state }) => ({ body: cryptoDeposit.view(state) }),
})
