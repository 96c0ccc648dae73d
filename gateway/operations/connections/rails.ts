import {
  accountOfConnection,
  type CompanyConnection,
  isUnapplied,
  railConnectionIn,
} from '../../../engine/companies/connection.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { ConnectionId } from '../../../engine/shared/ids.ts'
import { byOperator } from '../../../engine/shared/initiator.ts'
import { bounds } from '../../base/bounds.ts'
import { delay } from '../../base/delay.ts'
import type { CommitBy } from '../../identity/asked.ts'
import type { Router } from '../../link/router.ts'
import type { Accounts } from '../accounts.ts'

/** Brings what the directory says of connections to the accounts, whose shards may have no owner for a while. */
export type Rails = {
  /** Resolves to true once the account has the connection as it is, or to false after some seconds; it will follow anyway. */
  readonly apply: (id: ConnectionId) => Promise<boolean>
  /** Brings what an earlier process or another node left undone, from time to time. */
  readonly applyMissing: () => void
}

export type RailsOptions = {
  readonly directory: Directory
  readonly router: Pick<Router, 'execute'>
  readonly accounts: Pick<Accounts, 'open'>
  readonly commit: CommitBy
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, connection: CompanyConnection) => void
  readonly pause?: (ms: number) => Promise<void>
}

/** That the account has it is a fact of the directory, so a crash between the two facts only repeats the command. */
export const openRails = (options: RailsOptions): Rails => {
  const { directory, pause = delay, realNow } = options
  const { connections } = directory
  const applying = new Map<ConnectionId, Promise<true>>()

  const applyUntilDone = async (id: ConnectionId): Promise<true> => {
    for (;;) {
      const connection = connections.byId.get(id)!
      if (!isUnapplied(connections, connection)) break
      try {
        await applyOnce(options, connection)
      } catch (error) {
        options.onTrouble(error, connection)
        await pause(bounds.accountsRetryMs)
      }
    }
    applying.delete(id)
    return true
  }

  const begin = (id: ConnectionId): Promise<true> => {
    const running = applying.get(id) ?? applyUntilDone(id)
    // One that had nothing to do has taken itself out already.
    if (isUnapplied(connections, connections.byId.get(id)!)) applying.set(id, running)
    return running
  }

  const applyThoseOf = (changedUntilMs: number): void => {
    for (const connection of connections.byId.values())
      if (isUnapplied(connections, connection) && connection.updatedAtMs <= changedUntilMs)
        void begin(connection.id)
  }

  const applyFromTimeToTime = async (): Promise<void> => {
    for (;;) {
      await pause(bounds.accountsCheckMs)
      applyThoseOf(realNow() - bounds.accountsCheckMs)
    }
  }

  return {
    apply: (id) => Promise.race([begin(id), pause(bounds.accountsWaitMs).then(() => false)]),
    applyMissing: () => {
      applyThoseOf(Number.POSITIVE_INFINITY)
      void applyFromTimeToTime()
    },
  }
}

const applyOnce = async (
  { directory: { connections }, router, accounts, commit, realNow }: RailsOptions,
  connection: CompanyConnection,
): Promise<void> => {
  const { id, revision } = connection
  await accounts.open(connection.companyId)
  const reply = await router.execute(commandFor(connection, connections.applied.has(id)))
  if (!reply.accepted) throw new Error(`an account takes no connection: ${reply.rejection.reason}`)
  await commit(() =>
    (connections.applied.get(id) ?? 0) < revision
      ? { type: 'ConnectionApplied', id, revision, atMs: realNow() }
      : null,
  )
}

/** An account that knows an active connection is sent it whole, because more than its state may have changed. */
const commandFor = (connection: CompanyConnection, isKnown: boolean): Command => {
  const rail = railConnectionIn(connection)!
  const head = { accountId: accountOfConnection(connection), by: byOperator }
  const { connectionId, state, revision } = rail
  return isKnown && state !== 'ACTIVE'
    ? { type: 'ChangeRail', ...head, connectionId, state, revision }
    : { type: 'ConnectRail', ...head, connection: rail }
}
