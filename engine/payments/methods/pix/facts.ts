import type { Receivable } from '../../../ledger/receivable.ts'
import type { MedId, ReceivedPixId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Collection } from '../../transaction/collected.ts'
import type { Fact } from '../../transaction/facts.ts'
import type {
  EvidenceFile,
  FailureDetail,
  FailureReason,
  Med,
  MedResult,
  ReturnReason,
} from '../../transaction/transaction.ts'
import type { PixPayment } from './pix.ts'

export type PixFact =
  | ChargeIssued
  | ChargePaid
  | PaymentReturned
  | RegistrationTimedOut
  | ChargeScheduled
  | ScheduledChargeFailed
  | ChargeCodeReplaced
  | ReturnBegun
  | ReturnRepeated
  | ReturnedInPart
  | ReturnCompleted
  | ReturnRefused
  | MedOpened
  | MedBlocked
  | MedDefended
  | MedDefenseRefused
  | MedClosed
  | MedContested
  | MedContestWon
  | MedContestLost

/** The QR code exists and can be paid until `expiresAtMs`. */
export type ChargeIssued = Fact<'ChargeIssued'> & {
  readonly txid: string
  readonly copyPaste: string
  readonly expiresAtMs: number
  /** The call by which a bank registered it; null where we issued it ourselves. */
  readonly callId: string | null
}

/** A PIX paid the charge, or a boleto's QR code; in the latter case a fact just before reports fine and interest. */
export type ChargePaid = Fact<'ChargePaid'> &
  Collection & { readonly paidCents: Cents; readonly payment: PixPayment }

/** Money arrived that this charge could not take, and was returned in full at once. */
export type PaymentReturned = Fact<'PaymentReturned'> & {
  readonly returnReason: ReturnReason
  readonly amountCents: Cents
  readonly payment: PixPayment
}

/** The bank has not said for too long whether it registered the charge: it is cancelled there, and then failed. */
export type RegistrationTimedOut = Fact<'RegistrationTimedOut'> & { readonly callId: string }

/** The bank has taken a charge by a mandate: the payer's bank pays it on its day, without a QR code. */
export type ChargeScheduled = Fact<'ChargeScheduled'> & { readonly expiresAtMs: number }

/** A charge by a mandate was not taken, or will not be paid any more. */
export type ScheduledChargeFailed = Fact<'ScheduledChargeFailed'> & {
  readonly failureReason: FailureReason
  readonly failureDetail: FailureDetail
}

/** The code of the charge also offers a mandate by now. */
export type ChargeCodeReplaced = Fact<'ChargeCodeReplaced'> & { readonly copyPaste: string }

/** Money arrived at a bank that this charge could not take, and is to go back by a call. */
export type ReturnBegun = Fact<'ReturnBegun'> & {
  readonly returnReason: ReturnReason
  readonly amountCents: Cents
  readonly payment: PixPayment
}

/** Another attempt, with an id of its own. */
export type ReturnRepeated = Fact<'ReturnRepeated'> & { readonly receivedPixId: ReceivedPixId }

/** A part of it went back without us, in the bank's app or by a MED. The rest is still to go back. */
export type ReturnedInPart = Fact<'ReturnedInPart'> & {
  readonly receivedPixId: ReceivedPixId
  readonly bankReturnId: string
  readonly amountCents: Cents
}

/** The bank has sent the money back, or the rest of it. */
export type ReturnCompleted = Fact<'ReturnCompleted'> & {
  readonly receivedPixId: ReceivedPixId
  /** Null where the bank reported it unasked. */
  readonly callId: string | null
  readonly returnId: string | null
}

/** The bank refused an attempt. Without a next one the money stays, in the ledger account `suspense`. */
export type ReturnRefused = Fact<'ReturnRefused'> & {
  readonly receivedPixId: ReceivedPixId
  readonly callId: string | null
  readonly message: string
  readonly retryAtMs: number | null
}

export type MedOpened = Fact<'MedOpened'> & { readonly med: Med }

/** Money that has become available is blocked for an open MED, too. */
export type MedBlocked = Fact<'MedBlocked'> & { readonly medId: MedId; readonly cents: Cents }

/** The merchant has said why the payment is theirs. */
export type MedDefended = Fact<'MedDefended'> & Stated

/** The bank did not take it: it can be said once more, while the MED is open. */
export type MedDefenseRefused = Fact<'MedDefenseRefused'> & {
  readonly medId: MedId
  readonly callId: string
  readonly message: string
}

export type MedClosed = Fact<'MedClosed'> & {
  readonly medId: MedId
  readonly result: MedResult
  readonly returnedCents: Cents
}

/** The merchant wants back what was returned. */
export type MedContested = Fact<'MedContested'> & Stated

/** The returned money is credited again, to every party that gave it. */
export type MedContestWon = Fact<'MedContestWon'> & {
  readonly medId: MedId
  readonly amountCents: Cents
  readonly receivables: readonly Receivable[]
}

export type MedContestLost = Fact<'MedContestLost'> & { readonly medId: MedId }

type Stated = {
  readonly medId: MedId
  readonly text: string
  readonly files: readonly EvidenceFile[]
}
