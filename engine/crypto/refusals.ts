declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly crypto: CryptoRefusal
  }
}

/** Refusals of stablecoins. */
export type CryptoRefusal =
  | { readonly reason: 'ADDRESS_INVALID'; readonly field: string }
  /** Nothing says where the money came from. */
  | { readonly reason: 'ADDRESS_REQUIRED' }
  /** The network costs more than what would be sent. */
  | { readonly reason: 'BELOW_NETWORK_FEE' }
  | { readonly reason: 'QUOTE_EXPIRED' }
  | { readonly reason: 'TOO_MANY_QUOTES'; readonly retryAfterSeconds: number }
