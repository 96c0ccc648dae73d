import Type from 'typebox'
import { readDocument } from '../../../engine/shared/documents.ts'
import type { WalletId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { notFound } from '../../problems/problem.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { wallet, walletOwnership } from '../../resources/money-out/wallet.ts'
import { equals, has, when } from '../../schema/rules.ts'
import { documentField, searchParameter, textUpTo } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forExisting, forNew } from '../command-target.ts'
import { assetFields, chainAddressInput, networkRefusal } from '../crypto/asset-input.ts'
import { cryptoBalanceReads, cryptoMoneyOut } from '../groups.ts'
import { activeParameter, pagingParameters, readActive, readPaging } from '../paging.ts'
import { searchTextOf } from '../search-text.ts'

export const createWalletRoute = commandRoute({
  ...cryptoMoneyOut,
  verb: 'POST',
  path: '/v1/crypto/wallets',
  operationId: 'createWallet',
  summary: 'Register a wallet',
  description:
    'Stablecoins are sent to registered wallets alone, and to a new one from the next day on: what is sent cannot be called back.',
  factor: 'OPERATION',
  status: 201,
  refusals: [409, 422],
  body: Type.Object(
    {
      name: textUpTo(bounds.walletNameCharsMax, 'What you call it.'),
      ...assetFields,
      address: chainAddressInput('Its address. A checksum that does not fit is refused (422).'),
      ownership: walletOwnership,
      holderName: textUpTo(bounds.nameCharsMax, 'Whose it is.'),
      holderDocument: documentField,
      providerName: Type.Optional(
        textUpTo(bounds.nameCharsMax, 'Who keeps the keys, where a provider does.'),
      ),
    },
    {
      examples: [
        {
          name: 'Treasury',
          asset: 'USDT',
          network: 'TRON',
          address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
          ownership: 'SELF_CUSTODY',
          holderName: 'Loja Exemplo Ltda',
          holderDocument: '11222333000181',
        },
      ],
    },
  ),
  rules: when(equals('ownership', 'PROVIDER'), has('providerName')),
  answer: wallet.schema,
  read: (body) => {
    if (body.ownership === 'PROVIDER' && body.providerName === undefined)
      return refusedField('providerName', 'REQUIRED', (say) =>
        say.requiredWith('providerName', 'ownership', 'PROVIDER'),
      )
    const { asset, network, ownership } = body
    return (
      networkRefusal(body) ?? {
        ok: true,
        input: {
          name: body.name.trim(),
          asset,
          network,
          address: body.address.trim(),
          ownership,
          holderName: body.holderName.trim(),
          holderDocument: readDocument(body.holderDocument)!.document,
          providerName: body.providerName?.trim() ?? null,
        },
      }
    )
  },
  command: (input, request) =>
    ({
      type: 'RegisterWallet',
      ...forNew('walletId', request),
      wallet: { ...input, createdBy: request.by.id },
    }) as const,
  view: ({ state, nowMs }) => ({
    location: `/v1/crypto/wallets/${state.id}`,
    body: wallet.view(state, nowMs),
  }),
})

export const listWalletsRoute = queryRoute({
  ...cryptoBalanceReads,
  path: '/v1/crypto/wallets',
  operationId: 'listWallets',
  summary: 'List wallets',
  description: 'Registered wallets, newest first; removed ones as well.',
  parameters: pagingParameters({
    active: activeParameter,
    q: searchParameter('Searches id and address, and names of wallet, holder and provider.'),
  }),
  answer: listOfRows(wallet.schema),
  read: (query) => readPaging(query, { isActive: readActive(query.active), search: searchTextOf(query.q) }),
  query: (input, { accountId }) => ({ type: 'ListWallets', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, (own) => wallet.view(own, listed.nowMs)) }),
})

export const getWalletRoute = queryRoute({
  ...cryptoBalanceReads,
  path: '/v1/crypto/wallets/:id',
  operationId: 'getWallet',
  summary: 'Get one wallet',
  description: 'With its status at this moment.',
  refusals: [404],
  answer: wallet.schema,
  query: (_, { accountId, id }) => ({ type: 'FindWallet', accountId, walletId: id as WalletId }) as const,
  view: (found) => (found === null ? notFound('wallet') : { body: wallet.view(found.wallet, found.nowMs) }),
})

export const removeWalletRoute = commandRoute({
  ...cryptoMoneyOut,
  verb: 'DELETE',
  path: '/v1/crypto/wallets/:id',
  operationId: 'removeWallet',
  summary: 'Remove a wallet',
  description: 'Nothing is sent to it any more. One that is removed stays as it is.',
  factor: 'SESSION',
  refusals: [404],
  answer: wallet.schema,
  command: (_, request) => ({ type: 'RemoveWallet', ...forExisting('walletId', request) }) as const,
  view: ({ state, nowMs }) => ({ body: wallet.view(state, nowMs) }),
})
