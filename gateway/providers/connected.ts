import type { AccountId, Environment } from '../../engine/shared/ids.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { ProviderConnection, ProviderInstance, ProviderIo, ProviderModule } from './port.ts'

/** A provider at work: for all accounts of an environment, or by a connection for the account whose it is. */
export type ConnectedProvider = {
  readonly connectionId: string
  /** The only account that may ask it; absent where all may. */
  readonly accountId?: AccountId
  readonly module: ProviderModule
  readonly instance: ProviderInstance
}

/** The providers of one environment, by rail. */
export type ProvidersByRail = Readonly<Partial<Record<Rail, ConnectedProvider>>>

/** The providers for all accounts. An ask of one environment never reaches a provider of the other. */
export type Providers = Readonly<Record<Environment, ProvidersByRail>>

/** Opens a connection. */
export const connect = (
  module: ProviderModule,
  connection: ProviderConnection,
  io: ProviderIo,
): ConnectedProvider => ({ connectionId: connection.id, module, instance: module.open(connection, io) })
