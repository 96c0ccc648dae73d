import type { CalendarDate } from '../../../shared/calendar.ts'
import type { MandateId } from '../../../shared/ids.ts'

/** How long a PIX charge can be paid (decisions, section 10, Validity). */
export type PixTerms = {
  readonly method: 'PIX'
  readonly expiresInSeconds: number | null
  /** A date, or an instant that stands for its date in the company's time zone. */
  readonly due: { readonly date: CalendarDate } | { readonly instantMs: number } | null
  /** The mandate that collects it, without a QR code, and what the bank knows it by. */
  readonly byMandate?: { readonly mandateId: MandateId; readonly txid: string }
}
