import type { DecidingPerson } from '../controls/approver.ts'
import type { Request } from '../kernel/command.ts'
import type { Standing } from '../people/standing.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { BeneficiaryId, KeyLookupId, PersonId, TransferId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Cents } from '../shared/money.ts'
import type { AnyPixKey } from '../shared/pix-key.ts'
import type { KeyAnswer } from './lookups/key-lookup.ts'
import type { TransferAnswer } from './methods/transfer-request.ts'
import type { OutgoingKind, TransferFailure } from './money-out.ts'
import type { Payee } from './payees/payee.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly transfers: OutgoingCommand
  }
}

/** Commands about key look-ups, beneficiaries and transfers. */
export type OutgoingCommand =
  | LookUpKey
  | RecordKeyOwner
  | RegisterBeneficiary
  | ChangeBeneficiary
  | RemoveBeneficiary
  | CreateTransfer
  | ApproveTransfer
  | RejectTransfer
  | CancelTransfer
  | StopTransfersOf
  | StopTrustOf
  | ExpireTransfer
  | RunTransfer
  | AskBankAgain
  | RecordTransfer
  | ResolveTransfer

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
  readonly of: { readonly lookupId: KeyLookupId } | { readonly payee: Payee }
  readonly nickname: string | null
}

/** Changes what people may change of one. Trust counts a day after another person who manages limits wants it, too. */
export type ChangeBeneficiary = Request<'ChangeBeneficiary'> & {
  readonly beneficiaryId: BeneficiaryId
  readonly nickname?: string | null
  readonly trusted?: boolean
  /** The standing of the person who changes it, for managing limits; null for none. */
  readonly standing: Standing | null
  /** Whether another person manages limits, and so could agree. */
  readonly hasOther: boolean
}

/** Nothing more is sent to it; what waits is cancelled. */
export type RemoveBeneficiary = Request<'RemoveBeneficiary'> & { readonly beneficiaryId: BeneficiaryId }

export type CreateTransfer = Request<'CreateTransfer'> & {
  readonly outgoingTransferId: TransferId
  readonly kind: OutgoingKind
  readonly amountCents: Cents
  readonly to: { readonly beneficiaryId: BeneficiaryId } | { readonly lookupId: KeyLookupId }
  readonly scheduledFor: CalendarDate | null
  readonly description: string | null
  readonly externalId: string | null
  readonly metadata: Metadata
  readonly allowDuplicate: boolean
  /** How many other people could approve it. */
  readonly othersCount: number
  /** The company's own CPF or CNPJ. */
  readonly ownDocument: string
}

type AboutTransfer = { readonly outgoingTransferId: TransferId }

export type ApproveTransfer = Request<'ApproveTransfer'> & AboutTransfer & DecidingPerson
export type RejectTransfer = Request<'RejectTransfer'> &
  AboutTransfer &
  DecidingPerson & { readonly reason: string }
export type CancelTransfer = Request<'CancelTransfer'> & AboutTransfer

/**
 * A person may not send money any more. What they asked for and waits for approval is cancelled; what they have scheduled without an approval of another person needs one.
 */
export type StopTransfersOf = Request<'StopTransfersOf'> & { readonly personId: PersonId }

/** Ends the trust that only a person has asked for who may not manage beneficiaries any more. */
export type StopTrustOf = Request<'StopTrustOf'> & { readonly personId: PersonId }

/** The time to approve it is over. */
export type ExpireTransfer = Request<'ExpireTransfer'> & AboutTransfer
/** Its time has come. */
export type RunTransfer = Request<'RunTransfer'> & AboutTransfer
/** Repeats an unanswered call. */
export type AskBankAgain = Request<'AskBankAgain'> & AboutTransfer

/** The bank's answer. */
export type RecordTransfer = Request<'RecordTransfer'> &
  AboutTransfer & { readonly callId: string; readonly answer: TransferAnswer }

/** Decides in the bank's place, in the Sandbox; a null reason completes it. */
export type ResolveTransfer = Request<'ResolveTransfer'> &
  AboutTransfer & { readonly failureReason: TransferFailure | null }
