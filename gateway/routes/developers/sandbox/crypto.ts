import Type from 'typebox'
import { assets, readDecimal, toRateMicros } from '../../../../engine/shared/asset.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { sandboxChain } from '../../../providers/sandbox-chain/adapter.ts'
import { conversion, conversionFailure } from '../../../resources/crypto/conversion.ts'
import { cryptoCharge } from '../../../resources/crypto/crypto-charge.ts'
import { cryptoRate } from '../../../resources/crypto/crypto-rate.ts'
import { cryptoWithdrawal, withdrawalFailure } from '../../../resources/money-out/crypto-withdrawal.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { described } from '../../../schema/named-schema.ts'
import { choice, wholeNumber } from '../../../schema/schema.ts'
import { refusedField, transactionResponse } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { cryptoAmountInput, readUnits } from '../../crypto/asset-input.ts'
import { deliverNotice, sandboxRoute } from './sandbox-route.ts'

export const paySandboxCryptoChargeRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/crypto/charges/:id/pay',
  operationId: 'paySandboxCryptoCharge',
  summary: 'Pay a charge in a stablecoin',
  description:
    'A transfer to its address is seen, and has so many confirmations at once. What a charge cannot take becomes a deposit: too little until it expires, too much, too late, another asset.',
  refusals: [403, 404, 409],
  body: Type.Object({
    cryptoAmount: Type.Optional(cryptoAmountInput('What arrives. By default what is still missing.')),
    asset: Type.Optional(described(choice(...assets), 'By default the asset of the charge.')),
    confirmations: Type.Optional(
      wholeNumber(0, bounds.confirmationsMax, 'By default as many as the charge requires.'),
    ),
  }),
  answer: cryptoCharge.schema,
  read: ({ cryptoAmount, asset, confirmations }) => ({
    units: cryptoAmount === undefined ? null : readUnits(cryptoAmount),
    asset: asset ?? null,
    confirmations: confirmations ?? null,
  }),
  command: (input, request) =>
    deliverNotice(
      sandboxChain,
      {
        kind: 'TRANSFER_SEEN',
        accountId: request.accountId,
        transactionId: request.id as TransactionId,
        txHash: null,
        fromAddress: null,
        ...input,
      },
      request,
    ),
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request),
})

export const confirmSandboxCryptoChargeRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/crypto/charges/:id/confirm',
  operationId: 'confirmSandboxCryptoCharge',
  summary: 'Confirm transfers to a charge in a stablecoin',
  description:
    'All transfers that were seen and not confirmed get as many confirmations as the charge requires.',
  refusals: [403, 404, 409],
  answer: cryptoCharge.schema,
  command: (_, request) => ({ type: 'ConfirmTransfers', ...forExisting('transactionId', request) }) as const,
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request),
})

export const dropSandboxCryptoChargeRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/crypto/charges/:id/drop',
  operationId: 'dropSandboxCryptoCharge',
  summary: 'Drop transfers to a charge in a stablecoin',
  description: 'The network drops all transfers that were seen and not confirmed, as if they had never been.',
  refusals: [403, 404, 409],
  answer: cryptoCharge.schema,
  command: (_, request) =>
    deliverNotice(
      sandboxChain,
      {
        kind: 'TRANSFER_DROPPED',
        accountId: request.accountId,
        transactionId: request.id as TransactionId,
        txHash: null,
      },
      request,
    ),
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request),
})

export const resolveSandboxConversionRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/conversions/:id/resolve',
  operationId: 'resolveSandboxConversion',
  summary: 'Decide a conversion',
  description: 'Completes or fails a conversion that is PROCESSING.',
  refusals: [403, 404, 409],
  body: Type.Object({
    result: described(choice('COMPLETED', 'FAILED'), 'How it ends.'),
    failureReason: Type.Optional(described(conversionFailure, 'Why it fails. Default PROVIDER_REJECTED.')),
  }),
  answer: conversion.schema,
  read: ({ result, failureReason }) => ({ result, failureReason: failureReason ?? null }),
  command: (input, request) =>
    ({ type: 'ResolveConversion', ...forExisting('conversionId', request), ...input }) as const,
  view: ({ state }) => ({ body: conversion.view(state) }),
})

export const resolveSandboxCryptoWithdrawalRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/crypto/withdrawals/:id/resolve',
  operationId: 'resolveSandboxCryptoWithdrawal',
  summary: 'Decide a withdrawal of stablecoins',
  description: 'Decides a withdrawal that is PROCESSING or BROADCAST, in the place of the network.',
  refusals: [403, 404, 409],
  body: Type.Object({
    result: described(choice('COMPLETED', 'FAILED'), 'How it ends.'),
    failureReason: Type.Optional(described(withdrawalFailure, 'Why it fails. Default REFUSED_BY_NETWORK.')),
  }),
  answer: cryptoWithdrawal.schema,
  read: ({ result, failureReason }) =>
    result === 'COMPLETED' ? null : (failureReason ?? ('REFUSED_BY_NETWORK' as const)),
  command: (failureReason, request) =>
    ({
      type: 'ResolveMoneyOut',
      ...forExisting('withdrawalId', request),
      failureReason,
    }) as const,
  view: ({ state }, _, { personal }) => ({ body: cryptoWithdrawal.view(state, personal.open) }),
})

export const setSandboxCryptoRateRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/crypto/rate',
  operationId: 'setSandboxCryptoRate',
  summary: 'Set the price of a stablecoin',
  description:
    'Charges and quotes from now on have this price in the middle, until it is set again or the Sandbox is reset.',
  refusals: [403],
  body: Type.Object({
    asset: described(choice(...assets), 'The stablecoin.'),
    rate: Type.String({
      format: 'crypto-amount',
      description: 'Reais for one of it: a decimal number from 0.01 to 1000 with at most six decimals.',
      examples: ['5.4'],
    }),
  }),
  answer: cryptoRate.schema,
  read: ({ asset, rate }) => {
    const micros = readDecimal(rate)!
    return micros < bounds.rateMicrosMin || micros > bounds.rateMicrosMax
      ? refusedField('rate', 'OUT_OF_RANGE', (say) =>
          say.mustBe('rate', say.wanted.formats['crypto-amount']('')),
        )
      : { ok: true, input: { asset, rateMicros: toRateMicros(micros) } }
  },
  command: (input, { accountId, by }) => ({ type: 'ForceRate', accountId, by, ...input }) as const,
  view: (_, { asset, rateMicros }) => ({ body: cryptoRate.view(asset, rateMicros) }),
})
