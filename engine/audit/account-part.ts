import type { AccountFactOf } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    readonly audit: AuditHead
  }
  interface AccountPartFacts {
    readonly audit: AuditChained
  }
}

/** The end of an account's chain of audit entries. */
type AuditHead = {
  readonly entries: number
  /** Null while there is none. */
  readonly headHash: string | null
  /** The last fact of the directory that is in the log. */
  readonly directorySequence: number
  /** The last act of the log of sessions that is in the log. */
  readonly sessionSequence: number
}

/** An entry was added. */
type AuditChained = AccountFactOf<'AuditChained'> & {
  readonly hash: string
  /** The fact of the directory that it is about; null for none. */
  readonly directorySequence: number | null
  /** The act of the log of sessions that it is; null for none. */
  readonly sessionSequence: number | null
}

/**
 * The end of the audit chain: needed to append, and to show that no entry is missing. A Sandbox reset keeps it.
 */
export const auditAccountPart: AccountPart<'audit'> = {
  opened: { audit: { entries: 0, headHash: null, directorySequence: 0, sessionSequence: 0 } },
  cleared: () => ({}),
  evolve: {
    AuditChained: (account, { hash, directorySequence, sessionSequence }) => ({
      ...account,
      audit: {
        entries: account.audit.entries + 1,
        headHash: hash,
        directorySequence: directorySequence ?? account.audit.directorySequence,
        sessionSequence: sessionSequence ?? account.audit.sessionSequence,
      },
    }),
  },
}
