import Type from 'typebox'
import { commandRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { cryptoCharge, cryptoChargeDetail } from '../../resources/crypto/crypto-charge.ts'
import { referenceInput } from '../../resources/payments/charge-details.ts'
import { transaction } from '../../resources/payments/transaction.ts'
import { exactlyOneOf } from '../../schema/rules.ts'
import { amount, wholeNumber } from '../../schema/schema.ts'
import {
  chargeFields,
  createChargeCommand,
  eitherCustomer,
  readCharge,
  refusedField,
  transactionResponse,
} from '../charge-input.ts'
import { forExisting } from '../command-target.ts'
import { type FamilyRoutes, getRoute, listRoute } from '../family.ts'
import { cryptoReads, cryptoWrites } from '../groups.ts'
import { assetFields, cryptoAmountInput, networkRefusal, readUnits } from './asset-input.ts'

export const createCryptoChargeRoute = commandRoute({
  ...cryptoWrites,
  path: '/v1/crypto/charges',
  operationId: 'createCryptoCharge',
  isAudited: false,
  summary: 'Create a charge in a stablecoin',
  description:
    'Opens an address to which the payer sends the stablecoin. A price in reais becomes an amount of the asset by the rate of this moment, which holds while the charge can be paid. What arrives too late, too little or too much becomes a deposit that a person decides about.',
  status: 201,
  refusals: [503],
  body: Type.Object({
    amount: Type.Optional(amount(bounds.amountCentsMax, 'What the payer pays, in reais.')),
    cryptoAmount: Type.Optional(cryptoAmountInput('What the payer pays, instead of `amount`.')),
    ...assetFields,
    expiresInSeconds: Type.Optional(
      wholeNumber(
        bounds.cryptoExpirySecondsMin,
        bounds.cryptoExpirySecondsMax,
        'How long it can be paid, and the rate holds. Default 900.',
      ),
    ),
    ...chargeFields,
    reference: referenceInput,
  }),
  rules: { allOf: [eitherCustomer, exactlyOneOf('amount', 'cryptoAmount')] },
  answer: cryptoCharge.schema,
  read: (body) => {
    const { asset, network, amount, cryptoAmount, expiresInSeconds = 900 } = body
    if (amount !== undefined && cryptoAmount !== undefined)
      return refusedField('cryptoAmount', 'MUTUALLY_EXCLUSIVE', (say) =>
        say.eitherOr('amount', 'cryptoAmount'),
      )
    const asked = amount ?? (cryptoAmount === undefined ? undefined : readUnits(cryptoAmount))
    if (asked === undefined)
      return refusedField('amount', 'REQUIRED', (say) => say.oneOfTwo('amount', 'cryptoAmount'))
    const isPricedInAsset = amount === undefined
    return (
      networkRefusal(body) ??
      readCharge(
        { ...body, amount: asked },
        { method: 'CRYPTO', asset, network, isPricedInAsset, expiresInSeconds },
      )
    )
  },
  command: (input, request) => createChargeCommand(input, request.origin, request),
  view: (reply, _, request) =>
    transactionResponse(
      request.prefersMinimal ? transaction.view : cryptoCharge.view,
      reply,
      request,
      '/v1/crypto/charges',
    ),
})

export const cancelCryptoChargeRoute = commandRoute({
  ...cryptoWrites,
  path: '/v1/crypto/charges/:id/cancel',
  operationId: 'cancelCryptoCharge',
  summary: 'Cancel a pending charge in a stablecoin',
  description: 'Whatever arrives at its address from then on is a deposit that a person decides about.',
  refusals: [404, 409],
  answer: cryptoCharge.schema,
  command: (_, request) => ({
    type: 'CancelCharge',
    ...forExisting('transactionId', request),
    family: 'CRYPTO',
    reason: null,
  }),
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request),
})

const charges: FamilyRoutes = {
  group: cryptoReads,
  family: 'CRYPTO',
  listPath: '/v1/crypto/charges',
  path: '/v1/crypto/charges',
  operations: { list: 'listCryptoCharges', get: 'getCryptoCharge' },
  nouns: { one: 'charge in a stablecoin', many: 'charges in stablecoins' },
  resource: 'crypto_charge',
  row: cryptoCharge.schema,
  detail: cryptoChargeDetail,
  view: transaction.view,
  detailOf: cryptoCharge.view,
  hasCodes: false,
}

export const listCryptoChargesRoute = listRoute(charges)
export const getCryptoChargeRoute = getRoute(charges)
