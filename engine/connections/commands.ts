import type { Request } from '../kernel/command.ts'
import type { ConnectionId } from '../shared/ids.ts'
import type { RailConnection, RailState } from './rail-connection.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly connections: ConnectionCommand
  }
}

export type ConnectionCommand = ConnectRail | ChangeRail

/** Lets an account in Production use a connection, as the directory has it. A repetition changes nothing. */
export type ConnectRail = Request<'ConnectRail'> & { readonly connection: RailConnection }

/** The directory changed the state of a connection. One that is retired stays so. */
export type ChangeRail = Request<'ChangeRail'> & {
  readonly connectionId: ConnectionId
  readonly state: RailState
  readonly revision: number
}
