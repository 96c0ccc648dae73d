import {
  accountOfConnection,
  type CompanyConnection,
  isUnapplied,
  railConnectionIn,
} from '../../../engine/companies/connection.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import { outdatedBy } from '../../../engine/companies/outdated-connection.ts'
import { recoveredConnection } from '../../../engine/companies/recovered-connection.ts'
import { knownConnection, type RailConnection } from '../../../engine/connections/rail-connection.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import { type AccountId, accountIdOf, type ConnectionId } from '../../../engine/shared/ids.ts'
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
   * Brings the accounts what the directory has stopped and they do not know yet, as after a restore, before anything new can go that way. Resolves
   * after some seconds where a shard has no owner.
   */
  readonly stopFirst: () => Promise<void>
  /**
   * Brings what an earlier process or another node left undone, from time to time, and compares each with its account once. Looks once at each
   * account for connections that the directory does not know.
   */
  readonly applyMissing: () => void
}

export type RailsOptions = {
  readonly directory: Directory
  readonly router: Pick<Router, 'execute' | 'query'>
  readonly accounts: Pick<Accounts, 'open'>
  readonly commit: CommitBy
  readonly realNow: () => number
  /** Resolves to whether this node owns an account's shard by now: of several nodes one looks at the account. */
  readonly ownership: () => Promise<(accountId: AccountId) => boolean>
  /** What a connection needs that the directory has lost, beside what its account knows: an address for notices, and whose its provider is. */
  readonly madeAnew: (
    id: ConnectionId,
    provider: string,
  ) => Pick<CompanyConnection, 'sealedHookToken' | 'institution'>
  /** Called once a connection was suspended because of a restore. */
  readonly onStopped: () => void
  readonly onTrouble: (error: unknown, about: ConnectionId | AccountId) => void
  readonly pause?: (ms: number) => Promise<void>
}

/**
 * That the account has it is a fact of the directory, so a crash between the two facts only repeats the command. A restore brings the directory
 * and the log of an account back to different moments, so neither has to be right about the other: each process compares them once.
 */
export const openRails = (options: RailsOptions): Rails => {
  const { directory, pause = delay, realNow } = options
  const { connections } = directory
  const applying = new Map<ConnectionId, Promise<true>>()
  const compared = new Set<ConnectionId>()

  const isDone = (connection: CompanyConnection): boolean =>
    compared.has(connection.id) && !isUnapplied(connections, connection)

  const applyUntilDone = async (id: ConnectionId): Promise<true> => {
    for (;;) {
      const connection = connections.byId.get(id)!
      if (isDone(connection)) break
      try {
        if (await applyOnce(options, connection)) compared.add(id)
      } catch (error) {
        options.onTrouble(error, id)
        await pause(bounds.accountsRetryMs)
      }
    }
    applying.delete(id)
    return true
  }

  const begin = (id: ConnectionId): Promise<true> => {
    const running = applying.get(id) ?? applyUntilDone(id)
    // One that had nothing to do has taken itself out already.
    if (!isDone(connections.byId.get(id)!)) applying.set(id, running)
    return running
  }

  const applyThoseOf = (changedUntilMs: number): void => {
    for (const connection of connections.byId.values())
      if (isUnapplied(connections, connection) && connection.updatedAtMs <= changedUntilMs)
        void begin(connection.id)
  }

  const apply = (id: ConnectionId): Promise<boolean> =>
    Promise.race([begin(id), pause(bounds.accountsWaitMs).then(() => false)])

  const compareAll = (): void => {
    const left = [...connections.byId.keys()]
    const compareNext = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) await apply(id)
    }
    for (let lane = 0; lane < comparedAtOnce; lane++) void compareNext()
  }

  const searched = new Set<AccountId>()
  const searchAll = async (): Promise<void> => {
    const isOwn = await options.ownership()
    const left = [...directory.companies.keys()]
      .map((companyId) => accountIdOf(companyId, 'PRODUCTION'))
      .filter((accountId) => !searched.has(accountId) && isOwn(accountId))
    const searchNext = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const accountId = id
        const lost = await recoverLost(options, accountId).catch((error: unknown) =>
          options.onTrouble(error, accountId),
        )
        if (lost === undefined) continue
        searched.add(accountId)
        for (const id of lost) void begin(id)
      }
    }
    await Promise.all(Array.from({ length: comparedAtOnce }, searchNext))
  }

  const searchOrNot = (): Promise<void> =>
    // Who owns what is not known yet: the next time does.
    searchAll().catch(() => undefined)

  const applyFromTimeToTime = async (): Promise<void> => {
    for (;;) {
      await searchOrNot()
      await pause(bounds.accountsCheckMs)
      applyThoseOf(realNow() - bounds.accountsCheckMs)
    }
  }

  return {
    apply,
    stopFirst: async () => {
      const stopped = [...connections.byId.values()].filter(
        (connection) => connection.state !== 'ACTIVE' && isUnapplied(connections, connection),
      )
      if (stopped.length > 0)
        await Promise.race([Promise.all(stopped.map(({ id }) => begin(id))), pause(bounds.accountsWaitMs)])
    },
    applyMissing: () => {
      applyThoseOf(Number.POSITIVE_INFINITY)
      compareAll()
      void applyFromTimeToTime()
    },
  }
}

/** Puts the connections into the directory that only the account knows, and resolves to them. */
const recoverLost = async (
  { directory: { connections }, router, commit, madeAnew, realNow, onStopped }: RailsOptions,
  accountId: AccountId,
): Promise<readonly ConnectionId[]> => {
  const found = await router.query({ type: 'FindAccount', accountId })
  const lost = (found?.account.rails ?? []).filter(({ connectionId: id }) => !connections.byId.has(id))
  for (const known of lost) {
    const { connectionId: id, provider } = known
    const atMs = realNow()
    const connection = recoveredConnection(accountId, known, madeAnew(id, provider), atMs)
    await commit(
      // This copy of the directory may have been behind another node's until here.
      () => (connections.byId.has(id) ? null : { type: 'ConnectionRecovered', id, connection, atMs }),
      clockAsks('connections suspend'),
    )
  }
  if (lost.length > 0) onStopped()
  return lost.map(({ connectionId }) => connectionId)
}

/** Shards without an owner hold up few others. */
const comparedAtOnce = 8

/** Resolves to whether account and directory say the same by then; otherwise the directory has just learned what it had lost. */
const applyOnce = async (options: RailsOptions, connection: CompanyConnection): Promise<boolean> => {
  const { directory, router, accounts, commit, realNow } = options
  const { connections } = directory
  const { id, revision } = connection
  const accountId = accountOfConnection(connection)
  await accounts.open(connection.companyId)
  const found = await router.query({ type: 'FindAccount', accountId })
  if (found === null) throw new Error('the account is not open yet')
  const outdated = outdatedBy(connection, found.account)
  if (outdated !== null) {
    const action = outdated.state === 'RETIRED' ? 'connections retire' : 'connections suspend'
    await commit(
      // This copy of the directory may have been behind another node's until here.
      () => (connections.byId.get(id) === connection ? { ...outdated, atMs: realNow() } : null),
      outdated.state === connection.state ? undefined : clockAsks(action),
    )
    if (outdated.state === 'SUSPENDED') options.onStopped()
    return false
  }
  const rail = railConnectionIn(connection)
  if (rail === null) return true
  const known = knownConnection(found.account, id)
  if (known === null || known.revision < revision) {
    const reply = await router.execute(commandFor(accountId, rail, known))
    if (!reply.accepted) throw new Error(`an account takes no connection: ${reply.rejection.reason}`)
  }
  await commit(() =>
    (connections.applied.get(id) ?? 0) < revision
      ? { type: 'ConnectionApplied', id, revision, atMs: realNow() }
      : null,
  )
  return true
}

/** An account that knows an active connection is sent it whole, because more than its state may have changed; so is what has other credentials. */
const commandFor = (accountId: AccountId, rail: RailConnection, known: RailConnection | null): Command => {
  const head = { accountId, by: byOperator }
  const { connectionId, state, revision } = rail
  return known !== null && state !== 'ACTIVE' && known.credentialsRevision === rail.credentialsRevision
    ? { type: 'ChangeRail', ...head, connectionId, state, revision }
    : { type: 'ConnectRail', ...head, connection: rail }
}
