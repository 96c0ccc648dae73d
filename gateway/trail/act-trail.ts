import type { QueuedAct, SessionFact } from '../../engine/people/session.ts'
import { newTrail, type Trail, type TrailPort } from './trail.ts'

/** Delivers the acts in the log of sessions to the audit logs of accounts. */
export type ActTrail = Pick<Trail<WaitingAct>, 'report' | 'reportOverdue'> & {
  /** Takes every fact about sessions, in order. */
  readonly apply: (fact: SessionFact) => void
  /** Starts the delivery, which waits until then. */
  readonly open: (
    port: Omit<TrailPort<WaitingAct>, 'save'> & {
      readonly append: (decide: () => readonly SessionFact[] | null) => Promise<void>
    },
  ) => void
}

export type WaitingAct = Pick<QueuedAct, 'sequence' | 'draft'> & { readonly atMs: number }

/** The trail of the acts that `apply` receives. */
export const newActTrail = (): ActTrail => {
  const trail = newTrail<WaitingAct>()
  return {
    apply: (fact) => {
      if (fact.type === 'ActsRecorded') trail.forget(fact.upTo)
      if (fact.type !== 'ActQueued') return
      const { sequence, accountIds, draft } = fact.act
      trail.reach(sequence)
      for (const accountId of accountIds) trail.add(accountId, { sequence, draft, atMs: draft.atMs })
    },
    report: trail.report,
    reportOverdue: trail.reportOverdue,
    open: ({ append, ...port }) =>
      trail.open({
        ...port,
        save: (upTo, isKnown) => append(() => (isKnown() ? null : [{ type: 'ActsRecorded', upTo }])),
      }),
  }
}
