declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly transfers: TransferRefusal
  }
}

/** Why look-ups, beneficiaries and transfers refuse. */
export type TransferRefusal =
  /** Too many keys were looked up without paying their owners. */
  | { readonly reason: 'LOOKUP_QUOTA'; readonly tokens: number; readonly retryAfterSeconds: number }
  /** Too old, used before, or another person's. */
  | { readonly reason: 'LOOKUP_EXPIRED' }
  | { readonly reason: 'BENEFICIARY_INACTIVE' }
  /** A TED goes to a bank account, not to a key. */
  | { readonly reason: 'TED_TO_KEY' }
  | { readonly reason: 'SCHEDULED_IN_THE_PAST' }
  | { readonly reason: 'SCHEDULED_TOO_FAR'; readonly days: number }
