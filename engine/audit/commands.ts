import type { Request } from '../kernel/command.ts'
import type { AuditDraft } from '../shared/audit.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly audit: RecordAudit
  }
}

/** Adds an act that is no command of this account: a fact of the directory, a sign-in, a refusal, an export. */
export type RecordAudit = Request<'RecordAudit'> & {
  /** Where the act comes from, used to skip duplicates; null for acts that are recorded once. */
  readonly source: AuditSource | null
  readonly draft: AuditDraft
}

/** A fact of the directory, or an act in the log of sessions, by its number there. */
export type AuditSource = { readonly log: 'DIRECTORY' | 'SESSIONS'; readonly sequence: number }
