declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly crypto: CryptoRefusal
  }
}

/** Refusals of stablecoins. */
export type CryptoRefusal =
  | { readonly reason: 'ADDRESS_INVALID'; readonly field: string }
  /** The sender's address is unknown, and the request names none. */
  | { readonly reason: 'ADDRESS_REQUIRED' }
  /** Nothing of the amount would be left after the network fee. */
  | { readonly reason: 'BELOW_NETWORK_FEE' }
  | { readonly reason: 'QUOTE_EXPIRED' }
  | { readonly reason: 'TOO_MANY_QUOTES'; readonly retryAfterSeconds: number }
