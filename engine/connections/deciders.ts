import type { Decider, Deciders } from '../kernel/decider.ts'
import { environmentOf } from '../shared/ids.ts'
import type { ChangeRail, ConnectionCommand, ConnectRail } from './commands.ts'
import { recordFeeDifference } from './fee-difference.ts'
import { knownConnection, type RailConnection } from './rail-connection.ts'

const connectRail: Decider<ConnectRail> = (draft, { connection }) => {
  const account = draft.account()
  // The Sandbox has providers of its own: an account there never reaches a bank.
  if (environmentOf(account.id) === 'SANDBOX') return unknown
  const known = knownConnection(account, connection.connectionId)
  if (known !== null && !isNewer(known, connection)) return null
  draft.add({
    actor: 'account',
    type: 'RailConnected',
    id: account.id,
    atMs: draft.context.nowMs,
    connection,
  })
  return null
}

const changeRail: Decider<ChangeRail> = (draft, { connectionId, state, revision }) => {
  const account = draft.account()
  const known = knownConnection(account, connectionId)
  if (known === null) return unknown
  if (!isNewer(known, { revision })) return null
  draft.add({
    actor: 'account',
    type: 'RailChanged',
    id: account.id,
    atMs: draft.context.nowMs,
    connectionId,
    state,
    revision,
  })
  return null
}

/** Deciders for the connections of accounts. */
export const connectionDeciders: Deciders<ConnectionCommand> = {
  ConnectRail: connectRail,
  ChangeRail: changeRail,
  RecordFeeDifference: recordFeeDifference,
}

const unknown = { reason: 'NOT_FOUND', resource: 'connection' } as const

/** Whether the directory says something newer than the account knows. What is retired never comes back. */
const isNewer = (known: RailConnection, { revision }: Pick<RailConnection, 'revision'>): boolean =>
  known.state !== 'RETIRED' && revision > known.revision
