import type { ActorDefinition } from '../kernel/actor.ts'
import type { Address } from '../shared/address.ts'
import { assert } from '../shared/assert.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type {
  AccountId,
  CompanyId,
  Environment,
  PixKeyId,
  SettlementId,
  TransactionId,
} from '../shared/ids.ts'
import type { Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { Fees } from './fees.ts'
import type { Balances, Posting } from './postings.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly account: Account
    readonly batch: SettledBatch
  }
  interface ActorFacts {
    readonly account: AccountEvent
    readonly batch: SettledBatchEvent
  }
}

/** What other folders keep in an account, each by a part of its own (`engine/ledger/account-part.ts`). */
export interface AccountParts {}
/** The facts of these parts, by part. */
export interface AccountPartFacts {}

/** One company in one environment: its clock, its PIX key and its ledger, and what others keep beside them. */
export type Account = AccountParts & {
  readonly id: AccountId
  readonly profile: Profile
  readonly pixKey: PixKey
  /** How far the environment clock is ahead of the real one. Always 0 in Production. */
  readonly clockOffsetMs: number
  /** Null while the clock runs with the real one. */
  readonly advance: ClockAdvance | null
  readonly balances: Balances
  /** What will be in the balance, by the day on which it will. */
  readonly schedule: Schedule
  readonly openedAtMs: number
}

/** A clock on its way: it stands at the time of the job that was done last, and goes from due time to due time. */
export type ClockAdvance = { readonly nowMs: number; readonly targetMs: number }

/** What the account has to know of its company to issue charges. */
export type Profile = {
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly name: string
  /** As QR codes show it. */
  readonly city: string
  readonly address: Address | null
  /** IANA name; days and due dates are counted in it. */
  readonly timeZone: string
  /** What charges cost that are created from now on. */
  readonly fees: Fees
  /** The company's, when this was its profile: an older profile does not take the place of a newer one. */
  readonly revision: number
}

export type PixKey = {
  readonly id: PixKeyId
  readonly type: 'EVP'
  readonly key: string
  readonly createdAtMs: number
}

/** Money that became available in the balance. PIX settles per transaction, right after it is approved. */
export type Settlement = {
  readonly id: SettlementId
  readonly method: Method
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly receivablesCount: number
  readonly transactionId: TransactionId | null
  /** The day of the settlement, in the company's time zone. */
  readonly date: CalendarDate
  readonly createdAtMs: number
  readonly completedAtMs: number
}

/** One settlement to come: everything that one method's transactions bring on one day. */
export type ScheduledSettlement = {
  readonly id: SettlementId
  readonly method: Method
  readonly date: CalendarDate
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly receivablesCount: number
}

/** Settlements to come by month (`2026-12`) and, within it, by date and method (see `rescheduled`): few, as each is copied. */
export type Schedule = Readonly<Record<string, Readonly<Record<string, ScheduledSettlement>>>>

/** What is added to a settlement to come, or (negative) taken out of it. */
export type ScheduleChange = ScheduledSettlement

/** A batch that is through: its receivables are settled. Written once. */
export type SettledBatch = {
  readonly id: SettlementId
  readonly accountId: AccountId
  readonly settledAtMs: number
}

export type SettledBatchEvent = {
  readonly actor: 'batch'
  readonly type: 'BatchSettled'
  readonly id: SettlementId
  readonly batch: SettledBatch
}

export type AccountEvent = LedgerEvent | AccountPartFacts[keyof AccountPartFacts]

/** Facts of the account itself. */
export type LedgerEvent =
  | (AccountFact<'AccountOpened'> & { readonly profile: Profile; readonly pixKey: PixKey })
  | (AccountFact<'ProfileChanged'> & { readonly profile: Profile })
  | (AccountFact<'PaymentBooked'> & {
      readonly transactionId: TransactionId
      readonly postings: readonly Posting[]
      readonly schedule: readonly ScheduleChange[]
    })
  | (AccountFact<'ReversalBooked'> & {
      readonly transactionId: TransactionId
      readonly postings: readonly Posting[]
      readonly schedule: readonly ScheduleChange[]
    })
  | (AccountFact<'SettlementCompleted'> & {
      readonly settlement: Settlement
      readonly postings: readonly Posting[]
      readonly schedule: readonly ScheduleChange[]
    })
  /** Shares of recipients, into what is owed to them and out of it. */
  | (AccountFact<'SharesBooked'> & {
      readonly transactionId: TransactionId
      readonly postings: readonly Posting[]
    })
  | (AccountFact<'ClockAdvanceStarted'> & { readonly targetMs: number })
  /** To the next due time on its way. */
  | AccountFact<'ClockAdvanced'>
  /** It arrived, or was set back: it runs with the real one from here on. */
  | (AccountFact<'ClockMoved'> & { readonly clockOffsetMs: number })
  | (AccountFact<'SampleEventRequested'> & { readonly eventType: string })
  | AccountFact<'SandboxCleared'>

export type AccountFact<Type extends string> = {
  readonly actor: 'account'
  readonly type: Type
  readonly id: AccountId
  readonly atMs: number
}

export const batchKind: ActorDefinition<SettledBatch, SettledBatchEvent> = {
  prefix: 'set',
  evolve: (state, { batch }) => {
    assert(state === undefined, 'a batch is settled once')
    return batch
  },
  createdAtMs: ({ settledAtMs }) => settledAtMs,
  label: () => '',
}
