import type { MedId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Collection } from '../../transaction/collected.ts'
import type { Fact } from '../../transaction/events.ts'
import type { Med, MedResult, ReturnReason } from '../../transaction/transaction.ts'
import type { PixPayment } from './pix.ts'

export type PixFact = ChargeIssued | ChargePaid | PaymentReturned | MedOpened | MedClosed

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
export type MedClosed = Fact<'MedClosed'> & {
  readonly medId: MedId
  readonly result: MedResult
  readonly returnedCents: Cents
}
