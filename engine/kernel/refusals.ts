declare module './registry.ts' {
  interface FolderRefusals {
    readonly kernel: KernelRefusal
  }
}

/** Refusals that any command can meet. */
export type KernelRefusal =
  | { readonly reason: 'ACCOUNT_ABSENT' }
  | { readonly reason: 'NOT_FOUND'; readonly resource: string }
  | {
      readonly reason: 'INVALID_STATE'
      readonly currentStatus: string
      readonly allowedStatuses: readonly string[]
    }
  | { readonly reason: 'IDEMPOTENCY_KEY_REUSED' }
  | { readonly reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' }
  | { readonly reason: 'REFERENCE_NOT_FOUND'; readonly field: string }
  /** Another object has the same value in this field. */
  | { readonly reason: 'DUPLICATE'; readonly field: string; readonly existingId: string }
