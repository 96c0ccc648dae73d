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

/** A request for money out, by any method. */
type Asked = {
  readonly accountId: AccountId
  /** In centavos, or in millionths of the asset, both. */
  readonly amountCents: Cents
  readonly feeCents: Cents
  /** The amount's worth in reais, for limits and approvals. */
  readonly worthCents: Cents
  /** The day on which it leaves; null for at once. */
  readonly scheduledFor: CalendarDate | null
  readonly externalId: string | null
  readonly metadata: Metadata
  readonly createdBy: PersonId | null
}

export type AskedTransfer = Asked & {
  readonly method: TransferMethod
  readonly currency: 'BRL'
  readonly payee: BankPayee
  /** Null for the owner of a looked-up key who is not registered. */
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
  /** The mid price that gave its worth, which is rounded up. */
  readonly rateMicros: RateMicros
}

export type AskedMoneyOut = AskedTransfer | AskedWithdrawal
export type MoneyOutMethod = AskedMoneyOut['method']

/** The kind of actor that the kernel knows it by. */
export const kindOfMoneyOut = ({ method }: Pick<AskedMoneyOut, 'method'>): MoneyOutKind =>
  method === 'CRYPTO' ? 'withdrawal' : 'transfer'
