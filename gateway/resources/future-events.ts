import Type, { type Static } from 'typebox'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { described } from '../http/named-schema.ts'
import { eventData } from './event-data.ts'
import {
  amountOf,
  brlOnly,
  count,
  createdAt,
  enumeration,
  identity,
  instant,
  nullable,
  objectName,
  text,
  textOf,
} from './fields.ts'
import { endToEndIdSample } from './payment-samples.ts'
import type { Sample } from './sample.ts'

/** Events that nothing publishes yet: their schemas and samples only, so that receivers can be written ahead. */

const asset = { asset: textOf('The stablecoin.'), network: textOf('The network that carries it.') }
const cryptoAmount = textOf('What moved, as a decimal number.')
const txHash = nullable(textOf('The transaction of the network.'))
const failureReason = described(text, 'Why it failed.')

/** `data` of events about a charge in a stablecoin. */
export const cryptoPaymentEvent = eventData('CryptoPaymentEventData', 'A charge in a stablecoin.', {
  ...identity('txn', 'crypto_payment'),
  transactionId: textOf('The transaction, `txn_…`.'),
  ...asset,
  cryptoAmount,
  amount: amountOf('What was asked.'),
  txHash,
  confirmations: count('Blocks of the network that confirm it.'),
  address: textOf('The address that it was asked to.'),
})

/** `data` of events about a stablecoin withdrawal. */
export const cryptoWithdrawalEvent = eventData(
  'CryptoWithdrawalEventData',
  'A stablecoin on its way to a wallet of your own.',
  {
    id: textOf('Its id.'),
    object: objectName('crypto_withdrawal'),
    ...asset,
    cryptoAmount,
    toAddress: textOf('Part of the address that it goes to.'),
    txHash,
    failureReason,
  },
)

/** `data` of events about a conversion. */
export const conversionEvent = eventData(
  'ConversionEventData',
  'A change of reais into a stablecoin, or back.',
  {
    id: textOf('Its id.'),
    object: objectName('conversion'),
    fromCurrency: textOf('What was given.'),
    toCurrency: textOf('What was bought.'),
    fromAmount: amountOf('What was given.'),
    toAmount: nullable(amountOf('What was bought.')),
    rate: textOf('Units of `fromCurrency` for one of `toCurrency`, as a decimal number.'),
    failureReason,
  },
)

/** `data` of events about a transfer made by a person. */
export const transferEvent = eventData(
  'TransferEventData',
  'Money that a person sent from the account: `object` is `transfer`.',
  {
    id: textOf('Its id, `trf_…`.'),
    object: objectName('transfer'),
    kind: described(enumeration('PIX', 'TED'), 'How it is sent.'),
    status: described(
      enumeration('PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'),
      'PENDING_APPROVAL: another person has to approve it.',
    ),
    amount: amountOf('What is sent.'),
    currency: brlOnly,
    beneficiary: Type.Object(
      {
        name: textOf('Who gets it.'),
        document: described(text, 'Part of the CPF or CNPJ.'),
        bankCode: Type.Optional(textOf('The bank, of a TED.')),
        pixKey: Type.Optional(textOf('The key, of a PIX.')),
      },
      { description: 'Who gets it.' },
    ),
    scheduledFor: described(instant, 'When it is sent.'),
    approvals: Type.Object(
      { required: count('How many it needs.'), given: count('How many it has.') },
      { description: 'Approvals of people.' },
    ),
    createdBy: described(text, 'Who asked for it.'),
    endToEndId: nullable(textOf('Id of the payment between banks.')),
    failureReason,
    createdAt,
    completedAt: nullable(instant, 'When it arrived.'),
  },
)

const assetSample = { asset: 'USDT', network: 'TRON', cryptoAmount: '1.85' }
const txHashSample = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'

/** A stablecoin charge that was paid, or that expired. */
export const cryptoPaymentSample = ({ id }: Sample, isPaid: boolean): Static<typeof cryptoPaymentEvent> => ({
  id: id('txn'),
  object: 'crypto_payment',
  transactionId: id('txn'),
  amount: '1000',
  txHash: isPaid ? txHashSample : null,
  confirmations: isPaid ? 12 : 0,
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  ...assetSample,
})

/** A stablecoin withdrawal that arrived, or that failed. */
export const cryptoWithdrawalSample = (
  { suffix }: Sample,
  isSent: boolean,
): Static<typeof cryptoWithdrawalEvent> => ({
  id: `trf_${suffix}`,
  object: 'crypto_withdrawal',
  toAddress: 'TJRa…RTv8',
  txHash: isSent ? txHashSample : null,
  failureReason: isSent ? null : 'REFUSED_BY_NETWORK',
  ...assetSample,
})

/** A conversion of reais that was made, or whose quote had expired. */
export const conversionSample = ({ suffix }: Sample, isMade: boolean): Static<typeof conversionEvent> => ({
  id: `trf_${suffix}`,
  object: 'conversion',
  fromCurrency: 'BRL',
  toCurrency: 'USDT',
  fromAmount: '1000',
  toAmount: isMade ? '185' : null,
  rate: '5.4054',
  failureReason: isMade ? null : 'RATE_EXPIRED',
})

/** A transfer made by a person, in one of its statuses. */
export const transferSample = (
  { suffix, atMs, afterMs }: Sample,
  status: Static<typeof transferEvent>['status'],
): Static<typeof transferEvent> => ({
  id: `trf_${suffix}`,
  object: 'transfer',
  kind: 'PIX',
  status,
  amount: '1000',
  currency: 'BRL',
  beneficiary: { name: 'Fornecedor de Teste', document: '***.456.789-**', pixKey: 'teste@example.com' },
  scheduledFor: isoInstant(afterMs(1)),
  approvals: { required: status === 'PENDING_APPROVAL' ? 2 : 1, given: 1 },
  createdBy: null,
  endToEndId: status === 'COMPLETED' ? endToEndIdSample : null,
  failureReason: status === 'FAILED' ? 'REFUSED_BY_BANK' : null,
  createdAt: isoInstant(atMs),
  completedAt: status === 'COMPLETED' ? isoInstant(atMs) : null,
})
