import type { Static } from 'typebox'
import { type Crypto, cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { toRateMicros } from '../../../engine/shared/asset.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { qrCodeDataUri } from '../../documents/qr-code/draw.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { eventData } from '../event-data.ts'
import { count, identity, nullable, textOf } from '../fields.ts'
import { pendingSample } from '../payments/payment-samples.ts'
import { type Today, type TransactionView, transaction, transactionView } from '../payments/transaction.ts'
import { detail } from '../payments/transaction-detail.ts'
import type { Sample } from '../sample.ts'
import { asset, cryptoPart, cryptoPartView, decimalText, network, unitsOf } from './crypto-part.ts'

const fields = { ...transaction.properties, crypto: cryptoPart }

/** A charge in a stablecoin in an answer, a list, and alone. */
export const cryptoCharge = namedObject(
  'CryptoCharge',
  'A charge in a stablecoin: a transaction, with the address that the payer pays to. Its amounts are in millionths of the asset.',
  fields,
)
export const cryptoChargeDetail = namedObject(
  'CryptoChargeDetail',
  'A charge in a stablecoin with its history.',
  { ...fields, ...detail.properties },
)

/** A charge in a stablecoin with the image of its URI. */
export const cryptoChargeView = (t: Transaction, today: Today): TransactionView => {
  const view = transactionView(t, today)
  const { uri } = cryptoOf(t)!
  return { ...view, crypto: { ...view.crypto!, qrCode: uri && qrCodeDataUri(uri) } }
}

/** `data` of events about a charge in a stablecoin (decisions, section 27). */
export const cryptoPaymentEvent = eventData('CryptoPaymentEventData', 'A charge in a stablecoin.', {
  ...identity('txn', 'crypto_payment'),
  transactionId: textOf('The transaction, `txn_…`.'),
  asset,
  network,
  cryptoAmount: decimalText('What was asked.'),
  amount: unitsOf('The same.'),
  txHash: nullable(textOf('The first transfer on the network; null where none was seen.')),
  confirmations: count('Blocks of the network that confirm it.'),
  address: nullable(textOf('The address that it was asked to.')),
})

/** A charge in a stablecoin as in its events. */
export const cryptoPaymentEventView = (t: Transaction): Static<typeof cryptoPaymentEvent> => {
  const { asset, network, cryptoAmount, txHashes, confirmations, address } = cryptoPartView(t, cryptoOf(t)!)
  return {
    id: t.id,
    object: 'crypto_payment',
    transactionId: t.id,
    asset,
    network,
    cryptoAmount,
    amount: String(t.amountCents),
    txHash: txHashes[0] ?? null,
    confirmations,
    address,
  }
}

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
