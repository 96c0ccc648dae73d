import type { Decider, Deciders } from '../kernel/decider.ts'
import type { AcceptDifference, GiveStatement, ReconciliationCommand, RecordComparedDay } from './commands.ts'
import { declarePayout, declareTransfer } from './declare.ts'
import {
  type ComparedDay,
  hasSameDifferences,
  type Reconciliation,
  reconciliationStatusOf,
} from './reconciliation.ts'
import type { StatementFile, ThirdBook } from './statement.ts'
import { withStatementSums } from './sums.ts'

const recordComparedDay: Decider<RecordComparedDay> = (
  draft,
  { accountId, reconciliationId: id, compared, third, strange = [] },
) => {
  const known = draft.find('reconciliation', id)
  const latest: ComparedDay = { accountId, ...compared }
  const areSame = JSON.stringify(known?.strange ?? []) === JSON.stringify(strange)
  if (known !== undefined && areSame && isSame(known, latest, third)) return null
  const fact = { actor: 'reconciliation', id, atMs: draft.context.atMs, compared: latest } as const
  if (third === undefined) draft.add({ ...fact, type: 'DayCompared' })
  else draft.add({ ...fact, type: 'ThreeBooksCompared', third })
  const { compared: _, ...head } = fact
  if (strange.length > 0) draft.add({ ...head, type: 'StrangePixShown', strange })
  return null
}

/** Whether a comparison says the same as the one before. Of what was accepted, only the differences count, and which statement it was. */
const isSame = (known: Reconciliation, compared: ComparedDay, third: ThirdBook | undefined): boolean =>
  hasSameDifferences(known, compared) &&
  known.third?.digest === third?.digest &&
  (known.accepted !== null ||
    (books.every((name) => JSON.stringify(known[name]) === JSON.stringify(compared[name])) &&
      JSON.stringify(known.third) === JSON.stringify(third)))

const books = ['bank', 'ours', 'statement'] as const

/** Takes a statement whole or not at all. The same file once more changes nothing, and another one takes its place. */
const giveStatement: Decider<GiveStatement> = (draft, { accountId, reconciliationId: id, by, given }) => {
  const known = draft.find('reconciliation', id)
  if (known === undefined) return { reason: 'NOT_FOUND', resource: 'reconciliation' }
  const { why, digest, movements } = given
  if (why !== null) return { reason: 'STATEMENT_REFUSED', why }
  if (known.third?.source === 'BANK') return { reason: 'STATEMENT_REFUSED', why: 'BANK_GAVE_IT' }
  if (known.file?.digest === digest) return null
  const { atMs } = draft.context
  const file: StatementFile = { digest, by, atMs, movements }
  draft.add({ actor: 'reconciliation', type: 'StatementGiven', id, atMs, file })
  // In the Sandbox no bank is asked: the books of the day are made up, and their sums are all that there is.
  if (known.connectionId !== null) return null
  const { compared, third } = withStatementSums(known, file)
  draft.add({
    ...{ actor: 'reconciliation', type: 'ThreeBooksCompared', id, atMs },
    compared: { ...compared, accountId },
    third,
  })
  return null
}

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
  GiveStatement: giveStatement,
  DeclareTransfer: declareTransfer,
  DeclarePayout: declarePayout,
}
