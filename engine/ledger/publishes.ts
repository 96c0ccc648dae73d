import type { EventType, Publishes } from '../kernel/event-types.ts'
import type { Account, LedgerFact, Settlement } from './account.ts'

declare module '../kernel/event-types.ts' {
  interface EventSubjects {
    readonly ledger:
      | { readonly object: 'settlement'; readonly settlement: Settlement; readonly completed: boolean }
      | { readonly object: 'sample'; readonly account: Account }
  }
}

/** The public events of an account. */
export const accountEvents: Publishes<Account, LedgerFact> = {
  SettlementCompleted: ({ settlement, atMs }) => [
    {
      type: 'settlement.processing',
      atMs,
      subject: { object: 'settlement', settlement, completed: false },
    },
    {
      type: 'settlement.completed',
      atMs,
      subject: { object: 'settlement', settlement, completed: true },
    },
  ],
  SampleEventRequested: ({ eventType, atMs }, account) => [
    { type: eventType as EventType, atMs, subject: { object: 'sample', account } },
  ],
  PaymentBooked: null,
  ProfileChanged: null,
  ReversalBooked: null,
  SandboxCleared: null,
  SharesBooked: null,
  FundsMoved: null,
  AccountOpened: null,
  ClockAdvanceStarted: null,
  ClockAdvanced: null,
  ClockMoved: null,
}
