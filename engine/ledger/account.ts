import type { ActorDefinition } from '../kernel/actor.ts'
import type { PostalAddress } from '../shared/address.ts'
import { assert } from '../shared/assert.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { CardLimits } from '../shared/card-limits.ts'
import { copierOf } from '../shared/copier.ts'
import type {
  AccountId,
  CompanyId,
  Environment,
  PixKeyId,
  SettlementId,
  TransactionId,
} from '../shared/ids.ts'
import type { Currency, Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { Fees } from './fees.ts'
import { type AssetBalances, type Balances, emptyBalances, type Posting } from './postings.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly account: Account
    readonly batch: SettledBatch
  }
  interface ActorFacts {
    readonly account: AccountFact
    readonly batch: SettledBatchFact
  }
}

/** What other folders keep in an account, each as a part (`engine/ledger/account-part.ts`). */
export interface AccountParts {}
/** The facts of these parts, by part. */
export interface AccountPartFacts {}

/** One company in one environment: clock, PIX key, ledger and the parts of other folders. */
export type Account = AccountParts & {
  readonly id: AccountId
  readonly profile: Profile
  readonly pixKey: PixKey
  /** How far the environment clock is ahead of real time. Always 0 in Production. */
  readonly clockOffsetMs: number
  /** Null while the clock runs in step with real time. */
  readonly advance: ClockAdvance | null
  /** In reais. */
  readonly balances: Balances
  /** Missing until a stablecoin is booked. */
  readonly assets?: AssetBalances
  /** How many facts have moved money, counted from the first statement on. */
  readonly bookings?: number
  /** Settlements to come, by the day they reach the balance. */
  readonly schedule: Schedule
  /** Recipients' shares of settlements to come. Missing in accounts that were stored before money could leave. */
  readonly sharesToCome?: Readonly<Record<SettlementId, number>>
  /** Recipients' shares of completed settlements, not moved to the recipients yet. */
  readonly sharesUnmoved?: bigint
  readonly openedAtMs: number
}

/** An advancing clock: it shows the time of the last job done and moves from due time to due time. */
export type ClockAdvance = { readonly nowMs: number; readonly targetMs: number }

/** What the account needs to know about its company to issue charges. */
export type Profile = {
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly name: string
  /** The city that QR codes show. */
  readonly city: string
  readonly address: PostalAddress | null
  /** IANA name; days and due dates are counted in it. */
  readonly timeZone: string
  /** Fees for charges created from now on. */
  readonly fees: Fees
  /** Absent for OTHER. */
  readonly companyType?: 'MEI' | 'OTHER'
  /** What it set lower of the limits against card testing. Absent for none. */
  readonly cardLimits?: CardLimits
  /** False where payers are forgotten, so that a charge leaves none in the register. Absent for true. */
  readonly registersPayers?: false
  /** The revision of the company that this profile came from: an older profile never replaces a newer one. */
  readonly revision: number
}

export type PixKey = {
  readonly id: PixKeyId
  readonly type: 'EVP'
  readonly key: string
  readonly createdAtMs: number
}

/** Money that became available in the balance. A PIX or a boleto settles alone, right when it is approved. */
export type Settlement = {
  readonly id: SettlementId
  readonly method: Method
  readonly currency: Currency
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly receivablesCount: number
  readonly transactionId: TransactionId | null
  /** The day of the settlement, in the company's time zone. */
  readonly date: CalendarDate
  readonly createdAtMs: number
  readonly completedAtMs: number
}

/** A future settlement: everything that one method brings on one day. */
export type ScheduledSettlement = {
  readonly id: SettlementId
  readonly method: Method
  readonly date: CalendarDate
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly receivablesCount: number
}

/**
 * Future settlements by month (`2026-12`), then by date and method (see `rescheduled`). Each level is small, because
 * changing it copies it.
 */
export type Schedule = Readonly<Record<string, Readonly<Record<string, ScheduledSettlement>>>>

/** A change of a future settlement; negative amounts leave it. */
export type ScheduleChange = ScheduledSettlement

/** A completed batch: its receivables are settled. Never changed. */
export type SettledBatch = {
  readonly id: SettlementId
  readonly accountId: AccountId
  readonly settledAtMs: number
}

export type SettledBatchFact = {
  readonly actor: 'batch'
  readonly type: 'BatchSettled'
  readonly id: SettlementId
  readonly batch: SettledBatch
}

export type AccountFact = LedgerFact | AccountPartFacts[keyof AccountPartFacts]

/** Facts of the account itself. */
export type LedgerFact =
  | (AccountFactOf<'AccountOpened'> & { readonly profile: Profile; readonly pixKey: PixKey })
  | (AccountFactOf<'ProfileChanged'> & { readonly profile: Profile })
  | (AccountFactOf<'PaymentBooked'> & Booked & { readonly transactionId: TransactionId })
  | (AccountFactOf<'ReversalBooked'> &
      Booked & {
        readonly transactionId: TransactionId
        readonly cause: 'REFUND' | 'CHARGEBACK' | 'MED'
      })
  | (AccountFactOf<'SettlementCompleted'> & Booked & { readonly settlement: Settlement })
  /** Shares of recipients were added to or taken from what the company owes them. */
  | (AccountFactOf<'SharesBooked'> & {
      readonly transactionId: TransactionId
      readonly postings: readonly Posting[]
      /** How much the recipients' shares of settlements grow; negative where they shrink. */
      readonly awaited: readonly AwaitedShares[]
    })
  /** Money moved for an object that is no charge, such as a conversion. */
  | (AccountFactOf<'FundsMoved'> & Moved & { readonly objectId: string })
  | (AccountFactOf<'ClockAdvanceStarted'> & { readonly targetMs: number })
  /** The clock moved to the next due time on its way. */
  | AccountFactOf<'ClockAdvanced'>
  /** The clock arrived or was reset, and runs in step with real time from now on. */
  | (AccountFactOf<'ClockMoved'> & { readonly clockOffsetMs: number })
  | (AccountFactOf<'SampleEventRequested'> & { readonly eventType: string })
  | AccountFactOf<'SandboxCleared'>

export type AwaitedShares = { readonly settlementId: SettlementId; readonly cents: Cents }

/** What a fact does to the balances in one currency, and to the settlements to come. */
type Booked = Moved & { readonly schedule: readonly ScheduleChange[] }

/** Postings in one currency: they sum to zero. */
type Moved = { readonly currency: Currency; readonly postings: readonly Posting[] }

export const copiedAccount = copierOf<Account>()

/** The balances in a currency. */
export const balancesIn = (
  { balances, assets }: Pick<Account, 'balances' | 'assets'>,
  currency: Currency,
): Balances => (currency === 'BRL' ? balances : (assets?.[currency] ?? emptyBalances))

export type AccountFactOf<Type extends string> = {
  readonly actor: 'account'
  readonly type: Type
  readonly id: AccountId
  readonly atMs: number
}

export const batchKind: ActorDefinition<SettledBatch, SettledBatchFact> = {
  prefix: 'set',
  evolve: (state, { batch }) => {
    assert(state === undefined, 'a batch is settled once')
    return batch
  },
  createdAtMs: ({ settledAtMs }) => settledAtMs,
  label: () => '',
}
