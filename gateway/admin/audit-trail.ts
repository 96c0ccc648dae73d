import type { Directory, DirectoryEvent } from '../../engine/directory/directory.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import {
  type AccountId,
  accountIdOf,
  type CompanyId,
  type NoticeId,
  noticeIdAt,
  type PersonId,
} from '../../engine/shared/ids.ts'
import { type ForeignNotice, noticesOfFact } from '../notices/directory-notices.ts'
import { type Audited, accountsOfFact } from './audit-draft.ts'
import type { CommitBy } from './operation-options.ts'
import { newTrail, type Trail, type TrailPort } from './trail.ts'

/**
 * What the directory has to tell accounts: who did what, which is part of the facts themselves, so that none can be missing, and the notices
 * that follow from them.
 */
export type AuditTrail = Pick<Trail<ToldAct>, 'tell' | 'tellOverdue'> & {
  /** Takes every fact of the directory, in order and after it was applied, by its number from 1. */
  readonly apply: (fact: DirectoryEvent, sequence: number) => void
  /** Nothing is told before it is opened. */
  readonly open: (port: Omit<TrailPort<ToldAct>, 'save'> & { readonly commit: CommitBy }) => void
}

/** The sequence is that of the fact in the directory. */
export type ToldAct = {
  readonly sequence: number
  readonly atMs: number
  /** Null where the account's audit log does not have the fact. */
  readonly draft: AuditDraft | null
  readonly notices: readonly (ForeignNotice & { readonly id: NoticeId })[]
  /** The person who has left the company, whose requests that wait for approval are cancelled, or null. */
  readonly left: PersonId | null
}

/** The trail of a directory that is kept current. */
export const newAuditTrail = (of: Audited): AuditTrail => {
  const { directory } = of
  const trail = newTrail<ToldAct>()

  const apply = (fact: DirectoryEvent, sequence: number): void => {
    trail.reach(sequence)
    if (fact.type === 'AuditsTold') trail.forget(fact.upTo)
    if (fact.type === 'AuditsTold' || fact.audit === undefined) return
    const { audit } = fact
    const audited = accountsOfFact(directory, fact)
    const notices = noticesOfFact(of, fact, audit).map((notice, n) => ({
      ...notice,
      id: noticeIdAt(audit.atMs, sequence, n),
    }))
    const gone = goneBy(directory, fact)
    const accountIds = new Set<AccountId>([
      ...audited,
      ...notices.map(({ accountId }) => accountId),
      ...gone.companyIds.flatMap((id) => environments.map((environment) => accountIdOf(id, environment))),
    ])
    for (const accountId of accountIds)
      trail.add(accountId, {
        sequence,
        atMs: audit.atMs,
        draft: audited.includes(accountId) ? audit : null,
        notices: notices.filter((notice) => notice.accountId === accountId),
        left: gone.personId,
      })
  }

  return {
    apply,
    tell: trail.tell,
    tellOverdue: trail.tellOverdue,
    open: ({ commit, ...port }) =>
      trail.open({
        ...port,
        save: (upTo, isKnown) => commit(() => (isKnown() ? null : { type: 'AuditsTold', upTo })),
      }),
  }
}

/** Who has left which companies by a fact. */
const goneBy = (
  { people }: Directory,
  fact: DirectoryEvent,
): { readonly personId: PersonId | null; readonly companyIds: readonly CompanyId[] } => {
  if (fact.type === 'PersonErased' && fact.id !== null)
    return { personId: fact.id, companyIds: fact.companyIds }
  if (fact.type !== 'MembershipRemoved') return { personId: null, companyIds: [] }
  const { personId, companyId } = people.memberships.get(fact.id)!
  return { personId, companyIds: [companyId] }
}

const environments = ['SANDBOX', 'PRODUCTION'] as const
