import type { Request } from '../kernel/command.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { ConnectionId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { RailConnection, RailState } from './rail-connection.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly connections: ConnectionCommand
  }
}

export type ConnectionCommand = ConnectRail | ChangeRail | RecordFeeDifference

/** Lets an account in Production use a connection, as the directory has it. A repetition changes nothing. */
export type ConnectRail = Request<'ConnectRail'> & { readonly connection: RailConnection }

/** The directory changed the state of a connection. One that is retired stays so. */
export type ChangeRail = Request<'ChangeRail'> & {
  readonly connectionId: ConnectionId
  readonly state: RailState
  readonly revision: number
}

/**
 * A bank's statement says that it took other fees on a day than the books have. What is positive it took beside them. Recorded once more for
 * the same connection and day, the newest counts.
 */
export type RecordFeeDifference = Request<'RecordFeeDifference'> & {
  readonly connectionId: ConnectionId
  readonly day: CalendarDate
  readonly cents: Cents
  /** What the statement says, for people. */
  readonly reason: string
}
