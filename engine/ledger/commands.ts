import type { Request } from '../kernel/command.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { Profile } from './account.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly ledger: LedgerCommand
  }
}

/** Opens the account, or gives an open one the company's newest profile. */
export type OpenAccount = Request<'OpenAccount'> & { readonly profile: Profile }

/** Runs the batches of a day. */
export type SettleDay = Request<'SettleDay'> & { readonly date: CalendarDate }

/** Moves the clock to an instant, or by an ISO 8601 duration from what it shows. */
export type AdvanceClock = Request<'AdvanceClock'> & {
  readonly step: { readonly toMs: number } | { readonly by: string }
  /**
   * After this time the command is answered even if the clock has not arrived. Without it, the reply waits for the
   * arrival.
   */
  readonly answerWithinMs?: number
}

export type ResetClock = Request<'ResetClock'>

export type RequestSampleEvent = Request<'RequestSampleEvent'> & { readonly eventType: string }

export type ClearSandbox = Request<'ClearSandbox'>

/** Commands about accounts and their clocks. */
export type LedgerCommand =
  | OpenAccount
  | SettleDay
  | AdvanceClock
  | ResetClock
  | RequestSampleEvent
  | ClearSandbox
