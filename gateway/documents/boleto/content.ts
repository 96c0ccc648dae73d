import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { Cents } from '../../../engine/shared/money.ts'

/** The payer or the beneficiary. The law requires the beneficiary's name, tax document and address (Lei 12.039/2009). */
export type Party = {
  readonly name: string
  /** CPF or CNPJ, without punctuation. */
  readonly document: string
  /** One line; empty if it is unknown. */
  readonly address: string
}

/** Everything printed on a boleto. Names and texts may be in any language and of any length. */
export type BoletoDocument = {
  readonly beneficiary: Party
  readonly payer: Party
  /** Three digits. */
  readonly bankCode: string
  readonly bankName: string
  /** Agência / código do beneficiário, as printed. */
  readonly agencyAndAccount: string
  /** Includes its check digit, which is the last. */
  readonly ourNumber: string
  readonly documentNumber: string
  /** 44 digits. */
  readonly barCode: string
  readonly amountCents: Cents
  readonly discountCents: Cents
  readonly fineBps: number
  /** Per month. */
  readonly interestBps: number
  readonly issuedOn: CalendarDate
  readonly dueDate: CalendarDate
  /** The merchant's own text, which may have several lines. */
  readonly instructions: string | null
  readonly description: string | null
  /** The BR Code of a boleto that can also be paid by PIX (Resolução BCB 443/2024). */
  readonly pixCopyPaste: string | null
  readonly stamp: Stamp | null
}

/** The final status of the boleto, or SANDBOX if it is not a real one. */
export type Stamp = 'PAID' | 'CANCELLED' | 'EXPIRED' | 'SANDBOX'
