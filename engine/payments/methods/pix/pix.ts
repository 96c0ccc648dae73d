/**
 * PIX: charges paid by QR code at once, deposits to the account's key, and MEDs, by which the payer's bank
 * contests a payment.
 */
import type { CalendarDate } from '../../../shared/calendar.ts'
import type { DocumentType } from '../../../shared/documents.ts'
import type { PixKeyId, ReceivedPixId } from '../../../shared/ids.ts'
import type { Means, Transaction } from '../../transaction/transaction.ts'

export type Pix = {
  /** 32 characters of `[A-Za-z0-9]`; null for a PIX sent to the key without a charge. */
  readonly txid: string | null
  readonly copyPaste: string | null
  readonly keyId: PixKeyId
  readonly type: 'IMMEDIATE' | 'DUE_DATE'
  readonly dueDate: CalendarDate | null
  readonly expiresInSeconds: number | null
  readonly payment: PixPayment | null
}

/** Who paid, according to the payer's bank. */
export type Payer = {
  readonly name: string
  readonly document: string | null
  readonly documentType: DocumentType | null
  /** Eight characters that name the payer's institution in the payment system. */
  readonly ispb: string
  readonly bankName: string | null
}

export type PixPayment = {
  readonly receivedPixId: ReceivedPixId
  readonly endToEndId: string
  readonly payer: Payer
  /** Null when the charge has no document to compare with. */
  readonly payerMatchesCustomer: boolean | null
  readonly paidAtMs: number
}

/** The QR code of a PIX charge, or of a boleto that has one; null otherwise. */
export const pixOf = ({ means }: Pick<Transaction, 'means'>): Pix | null =>
  'pix' in means ? means.pix : null

/** The means with these changes to its QR code. */
export const withPix = (transaction: Pick<Transaction, 'means'>, changes: Partial<Pix>): Means =>
  ({ ...transaction.means, pix: { ...pixOf(transaction)!, ...changes } }) as Means
