import type { Request } from '../kernel/command.ts'
import type { AuditDraft } from '../shared/audit.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly audit: RecordAudit
  }
}

/** Adds an act that is no command of this account: of the directory, a sign-in, a refusal, an export. */
export type RecordAudit = Request<'RecordAudit'> & {
  /** Where it is from: what was told before is not told again. Null for any other. */
  readonly source: AuditSource | null
  readonly draft: AuditDraft
}

/** The fact of the directory, or the act in the log of sessions, by its number there. */
export type AuditSource = { readonly log: 'DIRECTORY' | 'SESSIONS'; readonly sequence: number }
