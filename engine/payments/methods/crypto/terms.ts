import type { Network } from '../../../shared/asset.ts'
import type { Asset } from '../../../shared/method.ts'

/** How a charge is paid in a stablecoin. Its amount is in reais, or in millionths of the asset. */
export type CryptoTerms = {
  readonly method: 'CRYPTO'
  readonly asset: Asset
  readonly network: Network
  readonly isPricedInAsset: boolean
  readonly expiresInSeconds: number
}
