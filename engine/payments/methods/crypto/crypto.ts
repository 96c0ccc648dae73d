/** A payment in a stablecoin; the asset is the transaction's currency. */
export type Crypto = {
  readonly network: CryptoNetwork
  /** The address to pay to, unique to this charge. */
  readonly address: string
  /** The transfer on the network; null until one is seen. */
  readonly txHash: string | null
}

/** The networks that carry both assets. */
export type CryptoNetwork = 'ETHEREUM' | 'POLYGON'
