import type { Receivable } from '../../../ledger/receivable.ts'
import type { MedId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Collection } from '../../transaction/collected.ts'
import type { Fact } from '../../transaction/facts.ts'
import type { EvidenceFile, Med, MedResult, ReturnReason } from '../../transaction/transaction.ts'
import type { PixPayment } from './pix.ts'

export type PixFact =
  | ChargeIssued
  | ChargePaid
  | PaymentReturned
  | MedOpened
  | MedBlocked
  | MedDefended
  | MedClosed
  | MedContested
  | MedContestWon
  | MedContestLost

/** The QR code exists and can be paid until `expiresAtMs`. */
export type ChargeIssued = Fact<'ChargeIssued'> & {
  readonly txid: string
  readonly copyPaste: string
  readonly expiresAtMs: number
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

export type MedOpened = Fact<'MedOpened'> & { readonly med: Med }

/** Money that has become available is blocked for an open MED, too. */
export type MedBlocked = Fact<'MedBlocked'> & { readonly medId: MedId; readonly cents: Cents }

/** The merchant has said why the payment is theirs. */
export type MedDefended = Fact<'MedDefended'> & Stated
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
