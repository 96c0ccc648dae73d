/**
 * PIX: charges paid by QR code at once, deposits to the account's key, and MEDs, by which the payer's bank
 * contests a payment.
 */
import type { CalendarDate } from '../../../shared/calendar.ts'
import type { DocumentType } from '../../../shared/documents.ts'
import type { MandateId, PixKeyId, ReceivedPixId } from '../../../shared/ids.ts'
import { type Cents, toCents } from '../../../shared/money.ts'
import type { Means, Transaction } from '../../transaction/transaction.ts'

export type Pix = {
  /** 32 characters of `[A-Za-z0-9]`; null for a PIX sent to the key without a charge. */
  readonly txid: string | null
  readonly copyPaste: string | null
  readonly keyId: PixKeyId
  /** The key at the bank that registers it and takes the money; null where we issue it ourselves. */
  readonly bankKey: string | null
  /** The mandate that it is charged by, without a QR code; null for all others. */
  readonly mandateId: MandateId | null
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
  /** Null where the bank does not say. */
  readonly payer: Payer | null
  /** Null when one of them has no document to compare with. */
  readonly payerMatchesCustomer: boolean | null
  readonly paidAtMs: number
  /** What of the payment was withheld as tax, and never arrived. Missing where nothing was. */
  readonly taxWithheldCents?: Cents | undefined
}

/** A PIX as the bank that took it records it. */
export type PixAtBank = {
  readonly endToEndId: string
  readonly amountCents: Cents
  /** The sum of what the amount is made of; null where the bank does not split it. */
  readonly componentsCents: Cents | null
  readonly paidAtMs: number
  /** Null where the bank does not say. */
  readonly payer: Payer | null
  /** What the payer paid beside the amount, and the bank says was withheld as tax. Missing where nothing was. */
  readonly taxWithheldCents?: Cents | undefined
}

/** Money of a PIX that went back, or is on its way, as the bank has it. */
export type ReturnAtBank = {
  /** Ours where we asked for it. */
  readonly id: string
  /** The end-to-end id of the return; null until there is one. */
  readonly returnId: string | null
  readonly amountCents: Cents
  readonly status: 'PROCESSING' | 'DONE' | 'NOT_DONE'
  readonly nature: 'ORIGINAL' | 'WITHDRAWAL' | 'MED_FRAUD' | 'MED_OPERATIONAL' | 'MED_PIX_AUTOMATICO'
  readonly reason: string | null
}

/** A payer of whom a bank says no more than this: the ISPB is part of the id of the payment. */
export const payerAtBank = (
  { name, document }: { readonly name: string; readonly document: string | null },
  endToEndId: string,
): Payer => ({
  name,
  document,
  documentType: document === null ? null : document.length === 11 ? 'CPF' : 'CNPJ',
  ispb: endToEndId.slice(1, 9),
  bankName: null,
})

/** What the payer paid: what arrived, and the tax that was withheld of it. */
export const grossOf = ({
  amountCents,
  taxWithheldCents = toCents(0),
}: {
  readonly amountCents: Cents
  readonly taxWithheldCents?: Cents | null | undefined
}): Cents => toCents(amountCents + (taxWithheldCents ?? 0))

/** What of a payment was withheld as tax. */
export const taxWithheldOf = ({ means }: Pick<Transaction, 'means'>): Cents =>
  pixOf({ means })?.payment?.taxWithheldCents ?? toCents(0)

/** The QR code of a PIX charge, or of a boleto that has one; null otherwise. */
export const pixOf = ({ means }: Pick<Transaction, 'means'>): Pix | null =>
  'pix' in means ? means.pix : null

/** The means with these changes to its QR code. */
export const withPix = (transaction: Pick<Transaction, 'means'>, changes: Partial<Pix>): Means =>
  ({ ...transaction.means, pix: { ...pixOf(transaction)!, ...changes } }) as Means

/** Whether a charge is registered with a bank, or is money that came to a key there. */
export const isAtBank = (transaction: Pick<Transaction, 'means'>): boolean =>
  (pixOf(transaction)?.bankKey ?? null) !== null

/** Whether its QR code is registered with a bank, which then also cancels and ends it. A charge by a mandate has none. */
export const hasCodeAtBank = (transaction: Pick<Transaction, 'means'>): boolean =>
  isAtBank(transaction) && pixOf(transaction)!.mandateId === null
