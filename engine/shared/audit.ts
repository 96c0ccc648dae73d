/** An audit entry before it has its place in the chain (dashboard, section 1.7). */
export type AuditDraft = AuditAsker & {
  /** Milliseconds of the real clock. */
  readonly atMs: number
  readonly object: { readonly type: string; readonly id: string } | null
  /** What was changed, without secrets, and with documents masked. */
  readonly changes: readonly AuditChange[]
  readonly result: 'DONE' | 'REFUSED'
  /** The code of the problem; null if it was done. */
  readonly code: string | null
}

/** Who acts, from where, and by which operation. */
export type AuditAsker = {
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
  readonly requestId: string | null
}

export type AuditChange = {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** The fields of an object that the audit log compares, under the names of the API. */
export type AuditedFields = Readonly<Record<string, unknown>>

/** The fields whose texts differ. */
export const auditChanges = (before: AuditedFields, after: AuditedFields): readonly AuditChange[] =>
  Object.keys(after).flatMap((field) => {
    const [from, to] = [auditText(before[field]), auditText(after[field])]
    return from === to ? [] : [{ field, before: from, after: to }]
  })

/** A value as the audit log shows it. */
export const auditText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** An e-mail address of which the first letter and the domain are left: its owner knows it again, and it cannot be written to. */
export const maskedEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}***${email.slice(at)}`
}
