declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly ledger: ClockRefusal
  }
}

/** Why the clock of a Sandbox refuses. */
export type ClockRefusal =
  | { readonly reason: 'CLOCK_CANNOT_GO_BACK' }
  | { readonly reason: 'CLOCK_STEP_TOO_LONG' }
  /** Another request set the clock back while it advanced. */
  | { readonly reason: 'CLOCK_RESET_MEANWHILE' }
