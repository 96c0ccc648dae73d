import type { RateMicros } from '../shared/asset.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { AccountId, BeneficiaryId, KeyLookupId, PersonId, WalletId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Asset } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { BankPayee, WalletPayee } from './payees/payee.ts'

/** Transfers go to banks, withdrawals to wallets. */
export type MoneyOutKind = 'transfer' | 'withdrawal'

export const transferMethods = ['PIX', 'TED'] as const
export type TransferMethod = (typeof transferMethods)[number]

/** What a person asks for, by any method. */
type Asked = {
  readonly accountId: AccountId
  /** In centavos, or in millionths of the asset, both. */
  readonly amountCents: Cents
  readonly feeCents: Cents
  /** What the amount is worth in reais, for limits and approvals. */
  readonly worthCents: Cents
  /** On which day it is to leave; null for at once. */
  readonly scheduledFor: CalendarDate | null
  readonly externalId: string | null
  readonly metadata: Metadata
  readonly createdBy: PersonId | null
}

export type AskedTransfer = Asked & {
  readonly method: TransferMethod
  readonly currency: 'BRL'
  readonly payee: BankPayee
  /** Null for the owner of a key that was looked up, and is not registered. */
  readonly payeeId: BeneficiaryId | null
  readonly lookupId: KeyLookupId | null
  /** Whether the payee is the company itself. */
  readonly isToOwner: boolean
  readonly description: string | null
}

export type AskedWithdrawal = Asked & {
  readonly method: 'CRYPTO'
  readonly currency: Asset
  /** As it was registered. */
  readonly payee: WalletPayee
  readonly payeeId: WalletId
  /** The price in the middle, by which its worth was reckoned, rounded up. */
  readonly rateMicros: RateMicros
}

export type AskedMoneyOut = AskedTransfer | AskedWithdrawal
export type MoneyOutMethod = AskedMoneyOut['method']

/** The name by which the kernel knows it. */
export const kindOfMoneyOut = ({ method }: Pick<AskedMoneyOut, 'method'>): MoneyOutKind =>
  method === 'CRYPTO' ? 'withdrawal' : 'transfer'
