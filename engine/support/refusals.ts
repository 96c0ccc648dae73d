declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly support: SupportRefusal
  }
}

/** Why tickets refuse. */
export type SupportRefusal =
  | { readonly reason: 'TOO_MANY_OPEN_TICKETS'; readonly openMax: number }
  /** It was closed too long ago to be opened again. */
  | { readonly reason: 'TICKET_CLOSED'; readonly days: number }
