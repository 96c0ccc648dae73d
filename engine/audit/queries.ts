import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { AuditEntry } from './audit-entry.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly audit: ListAudit | VerifyAudit
  }
  interface Answers {
    readonly ListAudit: Listed<AuditEntry>
    readonly VerifyAudit: VerifiedChain
  }
}

/** Each filter is null for all. */
export type ListAudit = Question<'ListAudit'> &
  Paging & {
    /** A kind of actor, or an actor's id. */
    readonly actor: string | null
    readonly action: string | null
    readonly objectId: string | null
  }

/** Computes every hash again. */
export type VerifyAudit = Question<'VerifyAudit'>

export type VerifiedChain = {
  readonly entries: number
  readonly headHash: string | null
  /** The first entry that is not as it was written; null if all are. */
  readonly brokenAt: ChainBreak | null
}

export type ChainBreak = {
  /** The entry's place in the chain, from 1. */
  readonly number: number
  /** Null if it is not there. */
  readonly id: string | null
  /** CHANGED: its hash is not that of its contents. UNLINKED: it does not follow the one before. MISSING: it is not there. */
  readonly reason: 'CHANGED' | 'UNLINKED' | 'MISSING'
}
