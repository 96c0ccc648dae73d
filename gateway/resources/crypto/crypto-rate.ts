import type { Static } from 'typebox'
import { type RateMicros, shortDecimalOf } from '../../../engine/shared/asset.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { objectName } from '../fields.ts'
import { asset, rateText } from './crypto-part.ts'

/** The price of a stablecoin in the Sandbox. */
export const cryptoRate = namedObject('SandboxCryptoRate', 'The price of a stablecoin in the Sandbox.', {
  object: objectName('crypto_rate'),
  asset,
  rate: rateText('The price in the middle between buying and selling.'),
})

/** A price as answers show it. */
export const cryptoRateView = (asset: Asset, rateMicros: RateMicros): Static<typeof cryptoRate> => ({
  object: 'crypto_rate',
  asset,
  rate: shortDecimalOf(rateMicros),
})
