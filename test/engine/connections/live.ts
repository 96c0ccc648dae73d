import type { ConnectRail } from '../../../engine/connections/commands.ts'
import type { RailConnection } from '../../../engine/connections/rail-connection.ts'
import type { Account } from '../../../engine/ledger/account.ts'
import { accountIdOf, type ConnectionId } from '../../../engine/shared/ids.ts'
import { plainProfile } from '../profile.ts'
import { companyId, key, newWorld, type World } from '../world.ts'

export const liveAccount = accountIdOf(companyId, 'PRODUCTION')
export const live = { accountId: liveAccount, by: key } as const

/** The id of the nth connection of a test. */
export const connectionIdOf = (n: number): ConnectionId =>
  `con_${String(n).padStart(26, '0')}` as ConnectionId

/** A connection to a bank that is made up, for PIX. */
export const aRailConnection = (change: Partial<RailConnection> = {}): RailConnection => ({
  connectionId: connectionIdOf(1),
  provider: 'made-up-bank',
  rails: ['PIX'],
  role: 'PRIMARY',
  state: 'ACTIVE',
  offers: ['REFUND'],
  pixKey: 'b6e8a2b4-0000-4000-8000-000000000001',
  terms: null,
  revision: 1,
  ...change,
})

export const aConnect = (change: Partial<RailConnection> = {}): ConnectRail => ({
  type: 'ConnectRail',
  ...live,
  connection: aRailConnection(change),
})

/** Opens the account in Production of the shop of a world. */
export const openLive = async (world: World): Promise<void> => {
  const profile = {
    companyId,
    environment: 'PRODUCTION',
    name: 'Loja Demo',
    city: 'Sao Paulo',
    timeZone: 'America/Sao_Paulo',
    ...plainProfile,
  } as const
  await world.execute({ type: 'OpenAccount', ...live, profile })
}

/** A world whose account in Production is open, with these connections. */
export const connectedWorld = async (...connections: readonly Partial<RailConnection>[]): Promise<World> => {
  const world = newWorld()
  await openLive(world)
  for (const change of connections) await world.execute(aConnect(change))
  return world
}

export const liveState = (world: World): Account => world.memory.find('account', liveAccount)!.state

/** Lets time go by on the real clock, which is that of Production, and does what is due by then. */
export const laterIn =
  (world: World) =>
  async (ms: number): Promise<void> => {
    world.pass(ms)
    world.shard.tick()
    await world.settle()
  }
