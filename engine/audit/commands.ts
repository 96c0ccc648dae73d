import type { Request } from '../kernel/command.ts'
import type { AuditDraft } from '../shared/audit.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly audit: RecordAudit
  }
}

/** Adds an act that is no command of this account: of the directory, a sign-in, a refusal, an export. */
export type RecordAudit = Request<'RecordAudit'> & {
  /** The number of the directory's fact that it is about: what was told before is not told again. Null for any other. */
  readonly sequence: number | null
  readonly draft: AuditDraft
}
