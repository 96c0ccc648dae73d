import type { CatalogCommand } from './billing/catalog/catalog-commands.ts'
import type { SubscriptionCommand } from './billing/subscription/commands.ts'
import type { RegisterCustomer } from './customers/commands.ts'
import type {
  AdvanceClock,
  ClearSandbox,
  OpenAccount,
  RequestSampleEvent,
  ResetClock,
  SettleDay,
} from './ledger/commands.ts'
import type { TransactionCommand } from './payments/transaction/commands.ts'
import type { RegisterCommand, TransferCommand } from './payouts/commands.ts'
import type {
  CancelDelivery,
  RecordAttempt,
  ReplayEvents,
  ResendDelivery,
  ScheduleDeliveries,
} from './webhooks/commands.ts'

/** Every request that an account's actors can get. Plain data: it travels between threads and nodes. */
export type Command =
  | OpenAccount
  | RegisterCustomer
  | TransactionCommand
  | SettleDay
  | AdvanceClock
  | ResetClock
  | RequestSampleEvent
  | ClearSandbox
  | ScheduleDeliveries
  | RecordAttempt
  | CancelDelivery
  | ResendDelivery
  | ReplayEvents
  | CatalogCommand
  | RegisterCommand
  | TransferCommand
  | SubscriptionCommand
