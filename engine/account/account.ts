import type { CalendarDate } from '../calendar.ts'
import type { AccountId, CompanyId, Environment, PixKeyId, SettlementId, TransactionId } from '../ids.ts'
import type { Balances, Posting } from '../ledger.ts'
import type { Cents } from '../money.ts'
import type { Method } from '../transaction/transaction.ts'

/** One company in one environment: its clock, its PIX key and its ledger. */
export type Account = {
  readonly id: AccountId
  readonly profile: Profile
  readonly pixKey: PixKey
  /** How far the environment clock is ahead of the real one. Always 0 in Production. */
  readonly clockOffsetMs: number
  readonly balances: Balances
  readonly openedAtMs: number
}

/** What the account has to know of its company to issue charges. */
export type Profile = {
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly name: string
  readonly city: string
  /** IANA name; days and due dates are counted in it. */
  readonly timeZone: string
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

export type AccountEvent =
  | (Fact<'AccountOpened'> & { readonly profile: Profile; readonly pixKey: PixKey })
  | (Fact<'PaymentBooked'> & { readonly transactionId: TransactionId; readonly postings: readonly Posting[] })
  | (Fact<'SettlementCompleted'> & { readonly settlement: Settlement; readonly postings: readonly Posting[] })
  | (Fact<'ClockMoved'> & { readonly clockOffsetMs: number })
  | (Fact<'SampleEventRequested'> & { readonly eventType: string })
  | Fact<'SandboxCleared'>

type Fact<Type extends string> = {
  readonly actor: 'account'
  readonly type: Type
  readonly id: AccountId
  readonly atMs: number
}
