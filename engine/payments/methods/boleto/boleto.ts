/** Boletos: slips with a bar code and, for PIX, a QR code; their price depends on the day of payment. */
import type { Issuer } from '../../../ledger/issuer.ts'
import type { CalendarDate } from '../../../shared/calendar.ts'
import type { Methods } from '../../../shared/method.ts'
import { type Cents, toCents } from '../../../shared/money.ts'
import type { Means, Transaction } from '../../transaction/transaction.ts'

export type Boleto = BoletoInput & {
  /** Null when the bank refused to register it. */
  readonly numbers: BoletoNumbers | null
  /** The end of the last business day without a fine; null if it was not issued. */
  readonly lateAtMs: number | null
  /** That day has passed without a reported payment. A payment can still be in time: its bank may report it days later. */
  readonly overdue: boolean
  readonly payment: BoletoPayment | null
  /** Who is printed as its beneficiary. Missing in boletos of before it was kept, and where none was issued. */
  readonly issuer?: Issuer
}

/** What the merchant decides about a boleto. */
export type BoletoInput = {
  readonly dueDate: CalendarDate
  readonly interestBps: number
  readonly fineBps: number
  readonly discountCents: Cents
  readonly instructions: string | null
}

/** Neither fine, interest, discount nor instructions: the boleto costs its amount whenever it is paid. */
export const plainTerms: Omit<BoletoInput, 'dueDate'> = {
  interestBps: 0,
  fineBps: 0,
  discountCents: toCents(0),
  instructions: null,
}

/** A boleto that its bank has not registered yet. */
export const unissuedBoleto = ({
  dueDate,
  interestBps,
  fineBps,
  discountCents,
  instructions,
}: BoletoInput): Boleto => ({
  dueDate,
  interestBps,
  fineBps,
  discountCents,
  instructions,
  numbers: null,
  lateAtMs: null,
  overdue: false,
  payment: null,
})

export type BoletoNumbers = {
  readonly bankCode: string
  /** Ten digits and a check digit. */
  readonly ourNumber: string
  /** 44 digits. */
  readonly barCode: string
}

export type BoletoPayment = {
  readonly paidAtMs: number
  readonly paidCents: Cents
  readonly fineCents: Cents
  readonly interestCents: Cents
  readonly discountCents: Cents
  /** When the money arrives. */
  readonly clearsAtMs: number
}

/** The boleto of a transaction; null for every other method. */
export const boletoOf = ({ means }: Pick<Transaction, 'means'>): Boleto | null =>
  'boleto' in means ? means.boleto : null

/** The boleto with these changes. */
export const withBoleto = ({ means }: Pick<Transaction, 'means'>, changes: Partial<Boleto>): Means => {
  const { boleto, pix } = means as Methods['BOLETO']['means']
  return { boleto: { ...boleto, ...changes }, pix }
}
