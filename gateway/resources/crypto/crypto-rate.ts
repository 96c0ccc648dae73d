import { type RateMicros, shortDecimalOf } from '../../../engine/shared/asset.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { objectField } from '../fields.ts'
import { resource } from '../resource.ts'
import { asset, rateText } from './crypto-part.ts'

/** The price of a stablecoin in the Sandbox. */
export const cryptoRate = resource<Asset, [RateMicros]>(
  'SandboxCryptoRate',
  'The price of a stablecoin in the Sandbox.',
).with({
  ...objectField('crypto_rate'),
  asset: [asset, (asset) => asset],
  rate: [
    rateText('The price in the middle between buying and selling.'),
    (_, rateMicros) => shortDecimalOf(rateMicros),
  ],
})
