import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import { type AccountId, type NoticeId, noticeIdAt } from '../../engine/shared/ids.ts'
import type { CommitBy } from '../identity/asked.ts'
import { type Audited, accountsOfFact } from './audit-draft.ts'
import { type ForeignNotice, noticesOfFact } from './directory-notices.ts'
import { type LostPermissions, lostBy } from './lost-permissions.ts'
import { newTrail, type Trail, type TrailPort } from './trail.ts'

/**
 * Delivers to accounts what the directory records about them: who did what, which is part of the facts themselves,
 * so that none can be missing, and the notices that follow from them.
 */
export type AuditTrail = Pick<Trail<ToldAct>, 'report' | 'reportOverdue'> & {
  /** Takes every fact of the directory, in order and after it was applied, by its number from 1. */
  readonly apply: (fact: DirectoryFact, sequence: number) => void
  /** Starts the delivery, which waits until then. */
  readonly open: (port: Omit<TrailPort<ToldAct>, 'save'> & { readonly commit: CommitBy }) => void
}

/** The sequence is that of the fact in the directory. */
export type ToldAct = {
  readonly sequence: number
  readonly atMs: number
  /** Null where the account's audit log does not have the fact. */
  readonly draft: AuditDraft | null
  readonly notices: readonly (ForeignNotice & { readonly id: NoticeId })[]
  /** The permissions that a person has lost in this account, whose requests are stopped; null for none. */
  readonly lost: LostPermissions | null
}

/** The trail of the facts that `apply` receives. */
export const newAuditTrail = (of: Audited): AuditTrail => {
  const { directory } = of
  const trail = newTrail<ToldAct>()

  const apply = (fact: DirectoryFact, sequence: number): void => {
    trail.reach(sequence)
    if (fact.type === 'AuditsTold') trail.forget(fact.upTo)
    if (fact.type === 'AuditsTold' || fact.audit === undefined) return
    const { audit } = fact
    const audited = accountsOfFact(directory, fact)
    const notices = noticesOfFact(of, fact, audit).map((notice, n) => ({
      ...notice,
      id: noticeIdAt(audit.atMs, sequence, n),
    }))
    const lost = lostBy(directory, fact)
    const accountIds = new Set<AccountId>([
      ...audited,
      ...notices.map(({ accountId }) => accountId),
      ...lost.map(({ accountId }) => accountId),
    ])
    for (const accountId of accountIds)
      trail.add(accountId, {
        sequence,
        atMs: audit.atMs,
        draft: audited.includes(accountId) ? audit : null,
        notices: notices.filter((notice) => notice.accountId === accountId),
        lost: lost.find((one) => one.accountId === accountId) ?? null,
      })
  }

  return {
    apply,
    report: trail.report,
    reportOverdue: trail.reportOverdue,
    open: ({ commit, ...port }) =>
      trail.open({
        ...port,
        save: (upTo, isKnown) => commit(() => (isKnown() ? null : { type: 'AuditsTold', upTo })),
      }),
  }
}
