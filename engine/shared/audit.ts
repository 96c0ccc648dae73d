/** What the audit log records of an act (dashboard, section 1.7), before it has its place in the chain. */
export type AuditDraft = {
  /** Milliseconds of the real clock. */
  readonly atMs: number
  readonly actor: {
    readonly kind: 'PERSON' | 'KEY' | 'OPERATOR' | 'CLOCK'
    readonly id: string | null
    readonly name: string | null
  }
  readonly sessionId: string | null
  readonly keyId: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  /** The operation, such as `keys roll` or `refundTransaction`. */
  readonly action: string
  readonly object: { readonly type: string; readonly id: string } | null
  /** What was changed, without secrets, and with documents masked. */
  readonly changes: readonly AuditChange[]
  readonly result: 'DONE' | 'REFUSED'
  /** The code of the problem; null if it was done. */
  readonly code: string | null
  readonly requestId: string | null
}

export type AuditChange = {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}
