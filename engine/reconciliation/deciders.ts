import type { Decider, Deciders } from '../kernel/decider.ts'
import type { AcceptDifference, ReconciliationCommand, RecordComparedDay } from './commands.ts'
import { type ComparedDay, type Reconciliation, reconciliationStatusOf } from './reconciliation.ts'

const recordComparedDay: Decider<RecordComparedDay> = (
  draft,
  { accountId, reconciliationId: id, compared },
) => {
  const known = draft.find('reconciliation', id)
  const latest: ComparedDay = { accountId, ...compared }
  if (known !== undefined && isSame(known, latest)) return null
  draft.add({
    actor: 'reconciliation',
    type: 'DayCompared',
    id,
    atMs: draft.context.atMs,
    compared: latest,
  })
  return null
}

/** Whether a comparison says the same as the one before: what was accepted stays so while the same payments differ. */
const isSame = (known: Reconciliation, compared: ComparedDay): boolean =>
  namesOf(known).every((name) => JSON.stringify(known[name]) === JSON.stringify(compared[name]))

const namesOf = ({ accepted }: Reconciliation): readonly (keyof ComparedDay)[] =>
  accepted === null
    ? ['bank', 'ours', 'statement', 'differences', 'differencesCount', 'differenceCents']
    : ['differences', 'differencesCount', 'differenceCents']

const acceptDifference: Decider<AcceptDifference> = (draft, { reconciliationId, by, reason }) => {
  const known = draft.find('reconciliation', reconciliationId)
  if (known === undefined) return { reason: 'NOT_FOUND', resource: 'reconciliation' }
  const currentStatus = reconciliationStatusOf(known)
  if (currentStatus !== 'DIFFERENT')
    return { reason: 'INVALID_STATE', currentStatus, allowedStatuses: ['DIFFERENT'] }
  draft.add({
    actor: 'reconciliation',
    type: 'DifferenceAccepted',
    id: reconciliationId,
    atMs: draft.context.atMs,
    by,
    reason,
  })
  return null
}

/** Deciders for the books of days. */
export const reconciliationDeciders: Deciders<ReconciliationCommand> = {
  RecordComparedDay: recordComparedDay,
  AcceptDifference: acceptDifference,
}
