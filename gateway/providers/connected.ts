import type { Environment } from '../../engine/shared/ids.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { ProviderConnection, ProviderInstance, ProviderIo, ProviderModule } from './port.ts'

/** A provider at work for an environment. */
export type ConnectedProvider = {
  readonly connectionId: string
  readonly module: ProviderModule
  readonly instance: ProviderInstance
}

/** The providers of one environment, by rail. */
export type ProvidersByRail = Readonly<Partial<Record<Rail, ConnectedProvider>>>

/** The connected providers. An ask of one environment never reaches a provider of the other. */
export type Providers = Readonly<Record<Environment, ProvidersByRail>>

/** Opens a connection. */
export const connect = (
  module: ProviderModule,
  connection: ProviderConnection,
  io: ProviderIo,
): ConnectedProvider => ({ connectionId: connection.id, module, instance: module.open(connection, io) })
