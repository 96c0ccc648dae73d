import Type from 'typebox'
import {
  assets,
  chainNetworks,
  type Network,
  networksOf,
  readDecimal,
  unitsMax,
} from '../../../engine/shared/asset.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { choice, textUpTo } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'

/** The stablecoin and the network of a request. */
export const assetFields = {
  asset: described(choice(...assets), 'The stablecoin.'),
  network: described(
    choice(...chainNetworks),
    'The network. USDT: TRON, ETHEREUM, POLYGON. USDC: ETHEREUM, POLYGON, BASE, SOLANA.',
  ),
}

/** An amount of a stablecoin as people write it. */
export const cryptoAmountInput = (description: string, max: number = unitsMax) =>
  Type.String({
    format: 'crypto-amount',
    description: `${description} A decimal number with at most six decimals, at most ${max / 1e6}.`,
    examples: ['18.45'],
  })

/** Reads such an amount, in millionths. */
export const readUnits = (amount: string) => toCents(readDecimal(amount)!)

/** An address of a network, whose form the engine checks. */
export const chainAddressInput = (description: string) => textUpTo(128, description)

/** The refusal of a network that does not carry the asset; null if it does. */
export const networkRefusal = ({ asset, network }: { readonly asset: Asset; readonly network: Network }) =>
  networksOf[asset].includes(network)
    ? null
    : refusedField('network', 'INVALID_VALUE', (say) =>
        say.networkOfAsset('network', asset, networksOf[asset]),
      )
