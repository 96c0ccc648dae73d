import type { Static } from 'typebox'
import { described } from '../http/named-schema.ts'
import { eventData } from './event-data.ts'
import { nullable, objectName, text, textOf } from './fields.ts'
import type { Sample } from './sample.ts'

/** Events that nothing publishes yet: their schemas and samples only, so that receivers can be written ahead. */

const asset = { asset: textOf('The stablecoin.'), network: textOf('The network that carries it.') }
const cryptoAmount = textOf('What moved, as a decimal number.')
const txHash = nullable(textOf('The transaction of the network.'))
const failureReason = described(text, 'Why it failed.')

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

const assetSample = { asset: 'USDT', network: 'TRON', cryptoAmount: '1.85' }
const txHashSample = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'

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
