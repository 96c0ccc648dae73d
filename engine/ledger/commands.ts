import type { Request } from '../kernel/command.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { Profile } from './account.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly ledger: LedgerCommand
  }
}

/** Opens the account, or tells an open one the newest profile of its company. */
export type OpenAccount = Request<'OpenAccount'> & { readonly profile: Profile }

/** Runs the batches of a day. */
export type SettleDay = Request<'SettleDay'> & { readonly date: CalendarDate }

/** To an instant, or by an ISO 8601 duration from what the clock shows. */
export type AdvanceClock = Request<'AdvanceClock'> & {
  readonly step: { readonly toMs: number } | { readonly by: string }
  /** Real time at which it is answered though the clock is still on its way. Without it the answer waits for the arrival. */
  readonly answerByMs?: number
}

export type ResetClock = Request<'ResetClock'>

export type RequestSampleEvent = Request<'RequestSampleEvent'> & { readonly eventType: string }

export type ClearSandbox = Request<'ClearSandbox'>

/** About accounts and their clocks. */
export type LedgerCommand =
  | OpenAccount
  | SettleDay
  | AdvanceClock
  | ResetClock
  | RequestSampleEvent
  | ClearSandbox
