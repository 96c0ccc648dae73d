import type { DecidingPerson } from '../approval-and-limits/approver.ts'
import type { Request } from '../kernel/command.ts'
import type { SentMoney } from '../payments/sent-money.ts'
import type { Standing } from '../people/standing.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type {
  BeneficiaryId,
  ConnectionId,
  KeyLookupId,
  PersonId,
  TransferId,
  WalletId,
  WithdrawalId,
} from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Cents } from '../shared/money.ts'
import type { AnyPixKey } from '../shared/pix-key.ts'
import type { MoneyOutKind, TransferMethod } from './asked.ts'
import type { KeyAnswer } from './lookups/key-lookup.ts'
import type { MoneyOutAnswer } from './methods/method.ts'
import type { MoneyOutFailure } from './money-out.ts'
import type { BankPayee, WalletPayee } from './payees/payee.ts'
import type { MoneyOutTarget } from './target.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly moneyOut: MoneyOutCommand
  }
}

/** Commands about key look-ups, payees, transfers and withdrawals. */
export type MoneyOutCommand =
  | LookUpKey
  | RecordKeyOwner
  | RegisterBeneficiary
  | ChangeBeneficiary
  | RemoveBeneficiary
  | StopTrustOf
  | RegisterWallet
  | RemoveWallet
  | CreateTransfer
  | CreateWithdrawal
  | ApproveMoneyOut
  | RejectMoneyOut
  | CancelMoneyOut
  | StopMoneyOutOf
  | ExpireMoneyOut
  | RunMoneyOut
  | AskAgainForMoneyOut
  | RecordMoneyOut
  | ResolveMoneyOut
  | ReportPayOut
  | ReturnMoneyOut

export type LookUpKey = Request<'LookUpKey'> & { readonly keyLookupId: KeyLookupId } & AnyPixKey

/** The directory's answer to a look-up. */
export type RecordKeyOwner = Request<'RecordKeyOwner'> & {
  readonly keyLookupId: KeyLookupId
  readonly callId: string
  readonly answer: KeyAnswer
}

/** Registers the owner of a key that was looked up, or of a bank account. */
export type RegisterBeneficiary = Request<'RegisterBeneficiary'> & {
  readonly beneficiaryId: BeneficiaryId
  readonly of: { readonly lookupId: KeyLookupId } | { readonly payee: BankPayee }
  readonly nickname: string | null
}

/** Changes a payee's nickname or trust. Trust counts a day after another person who manages limits agrees. */
export type ChangeBeneficiary = Request<'ChangeBeneficiary'> & {
  readonly beneficiaryId: BeneficiaryId
  readonly nickname?: string | null
  readonly trusted?: boolean
  /** The standing of the person who changes it, for managing limits; null for none. */
  readonly standing: Standing | null
  /** Whether another person manages limits, and so could agree. */
  readonly hasOther: boolean
}

/** Removes a payee, and cancels the transfers that wait to be sent to it. */
export type RemoveBeneficiary = Request<'RemoveBeneficiary'> & { readonly beneficiaryId: BeneficiaryId }

/** Ends the requests for trust by a person who may no longer manage beneficiaries. */
export type StopTrustOf = Request<'StopTrustOf'> & { readonly personId: PersonId }

export type RegisterWallet = Request<'RegisterWallet'> & {
  readonly walletId: WalletId
  readonly wallet: WalletPayee & { readonly createdBy: string | null }
}

/** Removes a wallet, and cancels the withdrawals that wait to be sent to it. */
export type RemoveWallet = Request<'RemoveWallet'> & { readonly walletId: WalletId }

type Create<Type extends string> = Request<Type> & {
  readonly externalId: string | null
  readonly metadata: Metadata
  readonly allowDuplicate: boolean
  /** How many other people could approve it. */
  readonly othersCount: number
}

/** Sends reais by PIX or TED. */
export type CreateTransfer = Create<'CreateTransfer'> & {
  readonly transferId: TransferId
  readonly kind: TransferMethod
  readonly amountCents: Cents
  readonly to: { readonly beneficiaryId: BeneficiaryId } | { readonly lookupId: KeyLookupId }
  readonly scheduledFor: CalendarDate | null
  readonly description: string | null
  /** The company's own CPF or CNPJ. */
  readonly ownDocument: string
}

/** Sends stablecoins to a wallet. */
export type CreateWithdrawal = Create<'CreateWithdrawal'> & {
  readonly withdrawalId: WithdrawalId
  readonly to: WalletId
  readonly units: Cents
}

type About<Type extends string> = Request<Type> & MoneyOutTarget

export type ApproveMoneyOut = About<'ApproveMoneyOut'> & DecidingPerson
export type RejectMoneyOut = About<'RejectMoneyOut'> & DecidingPerson & { readonly reason: string }
export type CancelMoneyOut = About<'CancelMoneyOut'>

/**
 * A person may no longer send one kind of money. Their requests that wait for approval are cancelled; those that
 * they scheduled and no other person approved need an approval.
 */
export type StopMoneyOutOf = Request<'StopMoneyOutOf'> & {
  readonly kind: MoneyOutKind
  readonly personId: PersonId
}

/** The time to approve it is over. */
export type ExpireMoneyOut = About<'ExpireMoneyOut'>
/** Its time has come. */
export type RunMoneyOut = About<'RunMoneyOut'>
/** Repeats an unanswered call. */
export type AskAgainForMoneyOut = About<'AskAgainForMoneyOut'>

/** The answer of the bank or the chain provider. */
export type RecordMoneyOut = About<'RecordMoneyOut'> & {
  readonly callId: string
  readonly answer: MoneyOutAnswer
}

/** Decides in the provider's place, in the Sandbox; a null reason completes it. */
export type ResolveMoneyOut = About<'ResolveMoneyOut'> & { readonly failureReason: MoneyOutFailure | null }

/** A bank says where money stands that it was to send, by a notice or when it was asked. The same said twice changes nothing. */
export type ReportPayOut = Request<'ReportPayOut'> & {
  readonly transferId: TransferId
  /** The connection that reports it. */
  readonly connectionId: ConnectionId
  readonly payOut: SentMoney
}

/** Money that had arrived comes back, in the Sandbox; null for all that is left. */
export type ReturnMoneyOut = Request<'ReturnMoneyOut'> & {
  readonly transferId: TransferId
  readonly amountCents: Cents | null
}
