import type { CardTerms } from '../payments/methods/card/terms.ts'
import type { CalendarDate } from '../shared/calendar.ts'

export type BillingCard = CardTerms['card']
/** A QR code, or a boleto's bar code. */
export type PaymentData = {
  readonly copyPaste: string | null
  readonly barCode: string | null
  readonly dueDate: CalendarDate | null
  readonly expiresAtMs: number
}
