import type { Decider } from '../kernel/decider.ts'
import { transfer } from '../ledger/postings.ts'
import { toCents } from '../shared/money.ts'
import type { RecordFeeDifference } from './commands.ts'
import { knownConnection } from './rail-connection.ts'

/**
 * Books by how much a bank took other fees on a day than the books have. There is one difference of a connection and day: the same once more
 * changes nothing, and another one takes its place.
 */
export const recordFeeDifference: Decider<RecordFeeDifference> = (
  draft,
  { connectionId, day, cents, reason },
) => {
  const account = draft.account()
  if (knownConnection(account, connectionId) === null) return { reason: 'NOT_FOUND', resource: 'connection' }
  const change = cents - (account.feeDifferences?.[connectionId]?.[day] ?? 0)
  if (change === 0) return null
  const fact = { actor: 'account', id: account.id, atMs: draft.context.nowMs } as const
  draft.add(
    { type: 'FeeDifferenceRecorded', ...fact, connectionId, day, cents, reason },
    {
      type: 'FundsMoved',
      ...fact,
      objectId: connectionId,
      currency: 'BRL',
      postings: transfer('available', 'feeDifference', toCents(change)),
    },
  )
  return null
}
