import { createHash } from 'node:crypto'
import { leftInSuspenseCents } from '../../engine/payments/suspense/suspense.ts'
import type { Reconciliation } from '../../engine/reconciliation/reconciliation.ts'
import { type CalendarDate, dayMs } from '../../engine/shared/calendar.ts'
import type { NoticeId, ReconciliationId } from '../../engine/shared/ids.ts'
import type { InboxLane } from './lane.ts'

/** Money in suspense for so long is forgotten, unless people are reminded. */
const oldMs = 3 * dayMs

/** Notifies people of books that differ: once for each set of differences of a day, however often it is compared. */
export const noticeOfDifference = async (lane: InboxLane, day: Reconciliation): Promise<void> => {
  const { id: objectId, date, providerId: provider, differencesCount, differenceCents, differences } = day
  await lane.shard.raise(idOf('D', objectId, JSON.stringify(differences)), {
    ...{ kind: 'BOOKS_DIFFER', personId: null, objectId },
    details: { provider, date, count: differencesCount, amount: String(differenceCents) },
  })
}

/** Notifies people of a statement that a bank has not given for days. */
export const noticeOfStatement = async (
  lane: InboxLane,
  reconciliationId: ReconciliationId,
  date: CalendarDate,
): Promise<void> => {
  const { provider, connectionId } = lane.reporting
  await lane.shard.raise(idOf('S', reconciliationId, ''), {
    ...{ kind: 'STATEMENT_MISSING', personId: null, objectId: connectionId },
    details: { provider, date },
  })
}

/** Reminds people once of each sum that has been in suspense for three days. */
export const remindOfSuspense = async (lane: InboxLane): Promise<void> => {
  for (const item of await lane.shard.suspendedBefore(lane.realNow() - oldMs)) {
    if (lane.reminded.has(item.id)) continue
    await lane.shard.raise(idOf('M', item.id, ''), {
      ...{ kind: 'SUSPENSE_OLD', personId: null, objectId: item.id },
      details: { provider: lane.reporting.provider, amount: String(leftInSuspenseCents(item)) },
    })
    lane.reminded.add(item.id)
  }
}

/** One id for what is one notice, so that what was raised is not raised once more. */
const idOf = (kind: string, objectId: string, of: string): NoticeId =>
  `ntf_0${kind}${createHash('sha256').update(`${objectId} ${of}`).digest('hex').slice(0, 24).toUpperCase()}` as NoticeId
