import { type Crypto, cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { decimalOf, toRateMicros } from '../../../engine/shared/asset.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { qrCodeDataUri } from '../../documents/qr-code/draw.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { eventResource } from '../event-data.ts'
import { count, identityFields, nullableField, textOf } from '../fields.ts'
import { pendingSample } from '../payments/payment-samples.ts'
import { type Today, transaction } from '../payments/transaction.ts'
import { detail } from '../payments/transaction-detail.ts'
import { resource } from '../resource.ts'
import type { Sample } from '../sample.ts'
import {
  asset,
  confirmationsOf,
  cryptoPart,
  decimalText,
  network,
  txHashesOf,
  unitsOf,
} from './crypto-part.ts'

/** A charge in a stablecoin with the image of its URI, in an answer and a list. */
export const cryptoCharge = resource<Transaction, [Today]>(
  'CryptoCharge',
  'A charge in a stablecoin: a transaction, with the address that the payer pays to. Its amounts are in millionths of the asset.',
).with({
  ...transaction.fields,
  crypto: [
    cryptoPart.schema,
    (t) => {
      const crypto = cryptoOf(t)!
      const { uri } = crypto
      return { ...cryptoPart.view(crypto, t), qrCode: uri && qrCodeDataUri(uri) }
    },
  ],
})

/** A charge in a stablecoin shown alone. */
export const cryptoChargeDetail = namedObject(
  'CryptoChargeDetail',
  'A charge in a stablecoin with its history.',
  { ...cryptoCharge.schema.properties, ...detail.schema.properties },
)

/** `data` of events about a charge in a stablecoin (decisions, section 27). */
export const cryptoPaymentEvent = eventResource<Transaction>(
  'CryptoPaymentEventData',
  'A charge in a stablecoin.',
).with({
  ...identityFields('txn', 'crypto_payment'),
  transactionId: [textOf('The transaction, `txn_…`.'), ({ id }) => id],
  asset: [asset, ({ currency }) => currency as Asset],
  network: [network, (t) => cryptoOf(t)!.network],
  cryptoAmount: [decimalText('What was asked.'), ({ amountCents }) => decimalOf(amountCents)],
  amount: [unitsOf('The same.'), ({ amountCents }) => String(amountCents)],
  txHash: [
    nullableField(textOf('The first transfer on the network; null where none was seen.')),
    (t) => txHashesOf(cryptoOf(t)!)[0] ?? null,
  ],
  confirmations: [count('Blocks of the network that confirm it.'), (t) => confirmationsOf(cryptoOf(t)!)],
  address: [nullableField(textOf('The address that it was asked to.')), (t) => cryptoOf(t)!.address],
})

const amountCents = toCents(1_850_000)

/** A charge in a stablecoin that was paid, or that expired. */
export const cryptoPaymentSample = (sample: Sample, isPaid: boolean): Transaction => {
  const txHash = '4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'
  const crypto: Crypto = {
    network: 'TRON',
    address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    uri: null,
    quotedCents: toCents(999),
    rateMicros: toRateMicros(5_400_000),
    toleranceBps: 50,
    requiredConfirmations: 20,
    expiresInSeconds: 900,
    txHash: isPaid ? txHash : null,
    transfers: isPaid
      ? [
          {
            txHash,
            asset: 'USDT',
            units: amountCents,
            fromAddress: null,
            seenAtMs: sample.atMs,
            confirmations: 20,
            status: 'CONFIRMED',
            isInTime: true,
            paidUnits: amountCents,
          },
        ]
      : [],
  }
  return {
    ...pendingSample(sample),
    method: 'CRYPTO',
    currency: 'USDT',
    status: isPaid ? 'APPROVED' : 'EXPIRED',
    amountCents,
    means: { crypto },
  }
}
