declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly ledger: ClockRefusal
  }
}

/** Refusals of the Sandbox clock. */
export type ClockRefusal =
  | { readonly reason: 'CLOCK_CANNOT_GO_BACK' }
  | { readonly reason: 'CLOCK_STEP_TOO_LONG' }
  /** Another request reset the clock while it advanced. */
  | { readonly reason: 'CLOCK_RESET_MEANWHILE' }
