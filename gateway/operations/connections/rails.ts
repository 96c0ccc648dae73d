import {
  accountOfConnection,
  type CompanyConnection,
  caughtUp,
  isInUse,
  isUnapplied,
  railConnectionIn,
  whoIsBehind,
} from '../../../engine/companies/connection.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import { knownConnection, type RailConnection } from '../../../engine/connections/rail-connection.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { ConnectionId } from '../../../engine/shared/ids.ts'
import { byOperator } from '../../../engine/shared/initiator.ts'
import { bounds } from '../../base/bounds.ts'
import { delay } from '../../base/delay.ts'
import { type CommitBy, clockAsks } from '../../identity/asked.ts'
import type { Router } from '../../link/router.ts'
import type { Accounts } from '../accounts.ts'

/** Brings what the directory says of connections to the accounts, whose shards may have no owner for a while. */
export type Rails = {
  /** Resolves to true once the account has the connection as it is, or to false after some seconds; it will follow anyway. */
  readonly apply: (id: ConnectionId) => Promise<boolean>
  /**
   * Resolves once the directory was compared with the account since this process started, or after some seconds. Before that a change may be decided
   * on a connection that was restored to before others.
   */
  readonly compare: (id: ConnectionId) => Promise<void>
  /**
   * Brings the accounts what the directory has stopped and they do not know yet, as after a restore, before anything new can go that way. Resolves
   * after some seconds where a shard has no owner.
   */
  readonly stopFirst: () => Promise<void>
  /** Brings what an earlier process or another node left undone, from time to time. */
  readonly applyMissing: () => void
}

export type RailsOptions = {
  readonly directory: Directory
  readonly router: Pick<Router, 'execute' | 'query'>
  readonly accounts: Pick<Accounts, 'open'>
  readonly commit: CommitBy
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, connection: CompanyConnection) => void
  /** Called where an account knew a connection as of a later change than the directory. */
  readonly onBehind: (connection: CompanyConnection, known: RailConnection) => void
  readonly pause?: (ms: number) => Promise<void>
}

/**
 * That the account has it is a fact of the directory, so a crash between the two facts only repeats the command. After a restore the two may be of
 * different moments, so each process compares them once, and with each change.
 */
export const openRails = (options: RailsOptions): Rails => {
  const { directory, pause = delay, realNow } = options
  const { connections } = directory
  const applying = new Map<ConnectionId, Promise<true>>()
  const compared = new Set<ConnectionId>()

  const isDone = (id: ConnectionId): boolean =>
    compared.has(id) && !isUnapplied(connections, connections.byId.get(id)!)

  const applyUntilDone = async (id: ConnectionId): Promise<true> => {
    while (!isDone(id)) {
      const connection = connections.byId.get(id)!
      try {
        if (await applyOnce(options, connection)) compared.add(id)
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
    if (!isDone(id)) applying.set(id, running)
    return running
  }

  const applyThoseOf = (changedUntilMs: number): void => {
    for (const connection of connections.byId.values())
      if (!isDone(connection.id) && connection.updatedAtMs <= changedUntilMs) void begin(connection.id)
  }

  const applyFromTimeToTime = async (): Promise<void> => {
    for (;;) {
      await pause(bounds.accountsCheckMs)
      applyThoseOf(realNow() - bounds.accountsCheckMs)
    }
  }

  return {
    apply: (id) => Promise.race([begin(id), pause(bounds.accountsWaitMs).then(() => false)]),
    compare: async (id) => {
      if (!compared.has(id)) await Promise.race([begin(id), pause(bounds.accountsWaitMs)])
    },
    stopFirst: async () => {
      const stopped = [...connections.byId.values()].filter(
        (connection) => connection.state !== 'ACTIVE' && isUnapplied(connections, connection),
      )
      if (stopped.length > 0)
        await Promise.race([Promise.all(stopped.map(({ id }) => begin(id))), pause(bounds.accountsWaitMs)])
    },
    applyMissing: () => {
      applyThoseOf(Number.POSITIVE_INFINITY)
      void applyFromTimeToTime()
    },
  }
}

/** Resolves to false where the directory was behind: it has what the account had by then, and the account lacks that. */
const applyOnce = async (options: RailsOptions, connection: CompanyConnection): Promise<boolean> => {
  const { directory, router, accounts, commit, realNow } = options
  const { connections } = directory
  const { id, revision } = connection
  const accountId = accountOfConnection(connection)
  if (isInUse(connection.state)) await accounts.open(connection.companyId)
  const found = await router.query({ type: 'FindAccount', accountId })
  const known = found && knownConnection(found.account, id)
  const behind = whoIsBehind(connection, known)
  if (behind === 'DIRECTORY') {
    options.onBehind(connection, known!)
    await commit(() => {
      // This node's copy of the directory may only have been late.
      const newest = connections.byId.get(id)!
      return whoIsBehind(newest, known) === 'DIRECTORY' ? caughtUp(newest, known!, realNow()) : null
    }, clockAsks('connections suspend'))
    return false
  }
  if (behind === 'ACCOUNT') {
    const reply = await router.execute(commandFor(connection, known !== null))
    if (!reply.accepted) throw new Error(`an account takes no connection: ${reply.rejection.reason}`)
  }
  if (!isInUse(connection.state)) return true
  await commit(() =>
    (connections.applied.get(id) ?? 0) < revision
      ? { type: 'ConnectionApplied', id, revision, atMs: realNow() }
      : null,
  )
  return true
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
