import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { Cents } from '../../../engine/shared/money.ts'

/** The law wants the name, the tax document and the address of the beneficiary on it (Lei 12.039/2009). */
export type Party = {
  readonly name: string
  /** CPF or CNPJ, without punctuation. */
  readonly document: string
  /** One line; empty where none is known. */
  readonly address: string
}

/** All that is printed on a boleto. Names and texts may be in any language and of any length. */
export type BoletoDocument = {
  readonly beneficiary: Party
  readonly payer: Party
  /** Three digits. */
  readonly bankCode: string
  readonly bankName: string
  /** Agência / código do beneficiário, as it is printed. */
  readonly agencyAndAccount: string
  /** With its check digit at the end. */
  readonly ourNumber: string
  readonly documentNumber: string
  /** 44 digits. */
  readonly barCode: string
  readonly amountCents: Cents
  readonly discountCents: Cents
  readonly fineBps: number
  /** A month. */
  readonly interestBps: number
  readonly issuedOn: CalendarDate
  readonly dueDate: CalendarDate
  /** The merchant's own, with new lines. */
  readonly instructions: string | null
  readonly description: string | null
  /** The BR Code of a boleto that can be paid by PIX too (Resolução BCB 443/2024). */
  readonly pixCopyPaste: string | null
  readonly stamp: Stamp | null
}

/** What has become of a boleto, or that it is none. */
export type Stamp = 'PAID' | 'CANCELLED' | 'EXPIRED' | 'SANDBOX'
