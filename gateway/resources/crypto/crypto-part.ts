import Type from 'typebox'
import { type Crypto, paymentStateOf, receivedUnits } from '../../../engine/payments/methods/crypto/crypto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { assets, chainNetworks, decimalOf, shortDecimalOf } from '../../../engine/shared/asset.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { count, digitsOrNull, instant, instantOrNull, listOf, nullableField, textOf } from '../fields.ts'
import { leftOut, resource, same } from '../resource.ts'

export const asset = named('Asset', described(choice(...assets), 'The stablecoin.'))
export const network = named(
  'Network',
  described(
    choice(...chainNetworks),
    'The network that carries it. The same address on another network is another one.',
  ),
)

/** An amount in the smallest unit of a stablecoin. */
export const unitsOf = (description: string) =>
  Type.String({
    pattern: '^-?[0-9]+$',
    description: `${description} In millionths of the asset, as digits.`,
    examples: ['18450000'],
  })
/** An amount of a stablecoin as people write it, with six decimals. */
export const decimalText = (description: string) =>
  Type.String({
    pattern: '^[0-9]+\\.[0-9]{6}$',
    description: `${description} A decimal number with six decimals.`,
    examples: ['18.450000'],
  })
/** A price in reais for one of an asset. */
export const rateText = (description: string) =>
  Type.String({
    pattern: '^[0-9]+(\\.[0-9]{1,6})?$',
    description: `${description} In reais for one of the asset, as a decimal number.`,
    examples: ['5.4'],
  })

/** The crypto part of a transaction (dashboard, section 3.2). */
export const cryptoPart = resource<Crypto, [Charge]>('CryptoData', 'The crypto part of a transaction.').with({
  asset: [asset, (_, { currency }) => currency as Asset],
  network: [network, same],
  address: [
    nullableField(textOf('Where to pay to: an address of this charge alone. Null until it is open.')),
    same,
  ],
  cryptoAmount: [decimalText('What is asked.'), (_, { amountCents }) => decimalOf(amountCents)],
  quotedAmount: [
    nullableField(textOf('The price in reais. In centavos, as digits.')),
    ({ quotedCents }) => digitsOrNull(quotedCents),
  ],
  rate: [
    nullableField(rateText('By which one became the other.')),
    ({ rateMicros }) => (rateMicros === null ? null : shortDecimalOf(rateMicros)),
  ],
  rateExpiresAt: [
    nullableField(instant, 'Until when that rate holds, which is how long it can be paid.'),
    (_, { expiresAtMs }) => instantOrNull(expiresAtMs),
  ],
  uri: [nullableField(textOf('What a wallet opens to pay.')), same],
  qrCode: [
    Type.Optional(
      nullableField(
        Type.String({ format: 'data-uri' }),
        'The same as an image, `data:image/png;base64,…`: in the answer that creates the charge, and where it is shown alone.',
      ),
    ),
    leftOut,
  ],
  receivedAmount: [
    unitsOf('What has arrived in time, confirmed or not.'),
    (crypto) => String(receivedUnits(crypto)),
  ],
  confirmations: [
    count('Blocks of the network that confirm the youngest transfer that counts.'),
    (crypto) => confirmationsOf(crypto),
  ],
  requiredConfirmations: [count('How many are enough.'), same],
  txHashes: [
    listOf(textOf('A transfer on the network.'), 'All transfers to the address, in order.'),
    (crypto) => txHashesOf(crypto),
  ],
  paymentState: [
    described(
      choice('NONE', 'SEEN', 'PARTIAL', 'PAID', 'OVERPAID'),
      'SEEN: enough has arrived and is being confirmed. PARTIAL: less than was asked.',
    ),
    (_, charge) => paymentStateOf(charge),
  ],
})

type Charge = Pick<Transaction, 'currency' | 'amountCents' | 'expiresAtMs' | 'status' | 'means'>

/** The hashes of all transfers. A seeded charge may have a hash without a transfer. */
export const txHashesOf = ({ transfers, txHash }: Crypto): readonly string[] =>
  transfers.length > 0 || txHash === null ? transfers.map(({ txHash }) => txHash) : [txHash]

/** The least confirmed of the transfers that count; 0 without any. */
export const confirmationsOf = ({ transfers }: Crypto): number => {
  const counting = transfers.filter(({ isInTime, status }) => isInTime && status !== 'DROPPED')
  return counting.length === 0 ? 0 : Math.min(...counting.map(({ confirmations }) => confirmations))
}
