import {
  accountOfConnection,
  type CompanyConnection,
  type Credentials,
} from '../../../engine/companies/connection.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import type { AccountId, ConnectionId } from '../../../engine/shared/ids.ts'
import { type CommitBy, clockAsks } from '../../identity/asked.ts'
import type { ProviderHealth } from '../../providers/port.ts'
import type { Rails } from './rails.ts'

/** Looks after connections that are in use: whether they work, and when their certificates end (rails, sections 1.5 and 1.6). */
export type ConnectionWatch = {
  /** Asks each of this node's shards whether it works, and suspends those whose certificate has ended. Run it from time to time. */
  readonly tick: () => Promise<void>
  /** Asks only those that were not asked yet: new ones, and those of shards that this node has taken over. */
  readonly tickNew: () => Promise<void>
  /** What was found out, of those that are active or suspended. */
  readonly standings: () => readonly ConnectionStanding[]
  /** What was found out of one that is in use or was tried here; null otherwise, and when it is retired. */
  readonly standingOf: (id: ConnectionId) => ConnectionStanding | null
  /** Keeps what a connection has said of itself when a person had it asked. */
  readonly note: (connection: CompanyConnection, credentials: Credentials, health: ProviderHealth) => void
  /** Lets every node know whether its bank has taken our address for reports: null, or why it has not. */
  readonly noteHooks: (id: ConnectionId, problem: string | null) => Promise<void>
}

export type ConnectionStanding = {
  readonly connection: CompanyConnection
  /** Null until it was asked, and where another node asks. */
  readonly works: boolean | null
  /** What it said where it does not work, without its secrets. */
  readonly detail: string | null
  readonly askedAtMs: number | null
  /** Null where it has none, or only the provider knows and was not asked yet. */
  readonly certificateEndsAtMs: number | null
  /** Why its bank has not taken our address for reports. */
  readonly hooksProblem: string | null
}

export type ConnectionWatchOptions = {
  readonly directory: Directory
  readonly commit: CommitBy
  readonly rails: Pick<Rails, 'apply'>
  /** Resolves to whether this node owns an account's shard by now: of several nodes one asks the bank. */
  readonly ownership: () => Promise<(accountId: AccountId) => boolean>
  /** What an open connection says of itself; null where it cannot be opened. */
  readonly health: (id: ConnectionId) => Promise<ProviderHealth | null>
  readonly realNow: () => number
  /** Called when a connection stops working, and when it works once more. */
  readonly onChange: (connection: CompanyConnection, works: boolean, detail: string | null) => void
  readonly onTrouble: (error: unknown, connection: CompanyConnection) => void
}

/** Has asked nothing yet. */
export const openConnectionWatch = (options: ConnectionWatchOptions): ConnectionWatch => {
  const { directory } = options
  const known = new Map<ConnectionId, Known>()

  const watched = (): readonly CompanyConnection[] =>
    [...directory.connections.byId.values()].filter(isWatched)

  const standingOf = (connection: CompanyConnection): ConnectionStanding => {
    const found = known.get(connection.id)
    // What was found out of other credentials says nothing of these.
    const own = found !== undefined && areSame(found.credentials, connection.credentials) ? found : null
    return {
      connection,
      works: own?.works ?? null,
      detail: own?.detail ?? null,
      askedAtMs: own?.askedAtMs ?? null,
      certificateEndsAtMs: own?.certificateEndsAtMs ?? connection.credentials.certificate?.endsAtMs ?? null,
      hooksProblem: directory.connections.unregistered.get(connection.id) ?? null,
    }
  }

  const keep = (
    connection: CompanyConnection,
    credentials: Credentials,
    health: ProviderHealth | null,
  ): void => {
    const { works = false, detail = null, certificateEndsAtMs = null } = health ?? {}
    const before = standingOf(connection).works ?? true
    known.set(connection.id, {
      ...{ credentials, works, detail, certificateEndsAtMs },
      askedAtMs: options.realNow(),
    })
    if (isWatched(connection) && works !== before) options.onChange(connection, works, detail)
  }

  const look = async (connection: CompanyConnection): Promise<void> => {
    const { id, credentials } = connection
    keep(connection, credentials, await options.health(id))
    await suspendExpired(options, id, standingOf(connection).certificateEndsAtMs)
  }

  const lookAt = async (isWanted: (connection: CompanyConnection) => boolean): Promise<void> => {
    const isOwn = await options.ownership()
    const all = watched()
    const own = new Set(all.filter((connection) => isOwn(accountOfConnection(connection))))
    // What one said once says nothing of it while another node asks.
    for (const connection of all) if (!own.has(connection)) known.delete(connection.id)
    const left = [...own].filter(isWanted)
    const lookAtNext = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const connection = next
        await look(connection).catch((error: unknown) => options.onTrouble(error, connection))
      }
    }
    await Promise.all(Array.from({ length: lookedAtOnce }, lookAtNext))
  }

  let running: Promise<void> | null = null
  const run = (isWanted: (connection: CompanyConnection) => boolean): Promise<void> => {
    running ??= lookAt(isWanted).finally(() => {
      running = null
    })
    return running
  }
  return {
    tick: () => run(() => true),
    tickNew: () => run((connection) => standingOf(connection).works === null),
    standings: () => watched().map(standingOf),
    standingOf: (id) => {
      const connection = directory.connections.byId.get(id)
      if (connection === undefined || connection.state === 'RETIRED') return null
      return isWatched(connection) || known.has(id) ? standingOf(connection) : null
    },
    note: keep,
    noteHooks: async (id, text) => {
      const problem = text?.slice(0, problemCharsMax) ?? null
      const isNoted = (): boolean => (directory.connections.unregistered.get(id) ?? null) === problem
      const connection = directory.connections.byId.get(id)
      if (connection === undefined || isNoted()) return
      const noted = { type: 'ConnectionAddressNoted', id, problem, atMs: options.realNow() } as const
      // The next time is within a day, and sooner where the bank has not taken it.
      await options
        .commit(() => (isNoted() ? null : noted))
        .catch((error: unknown) => options.onTrouble(error, connection))
    },
  }
}

/** What is known of a certificate may have changed since. */
const areSame = (one: Credentials, other: Credentials): boolean =>
  one.settings === other.settings && one.sealed === other.sealed

const isWatched = ({ state }: CompanyConnection): boolean => state === 'ACTIVE' || state === 'SUSPENDED'

/** Money that comes in by a certificate that has ended cannot be asked for: what is new goes elsewhere, and refunds wait. */
const suspendExpired = async (
  { directory, commit, rails, realNow }: ConnectionWatchOptions,
  id: ConnectionId,
  endsAtMs: number | null,
): Promise<void> => {
  if (endsAtMs === null || endsAtMs > realNow()) return
  const isActive = (): boolean => directory.connections.byId.get(id)?.state === 'ACTIVE'
  if (!isActive()) return
  await commit(
    () =>
      isActive() ? { type: 'ConnectionSuspended', id, cause: 'CERTIFICATE_EXPIRED', atMs: realNow() } : null,
    clockAsks('connections suspend'),
  )
  await rails.apply(id)
}

/** What a bank says may be a whole page. */
const problemCharsMax = 500

/** A silent bank takes its time to say nothing, and holds up few others. */
const lookedAtOnce = 8

type Known = {
  readonly credentials: CompanyConnection['credentials']
  readonly works: boolean
  readonly detail: string | null
  readonly askedAtMs: number
  readonly certificateEndsAtMs: number | null
}
