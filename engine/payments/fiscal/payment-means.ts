import type { CalendarDate } from '../../shared/calendar.ts'

/**
 * The codes of means of payment in fiscal documents: those of NF-e (`tPag`), which stand for `tpMeioPgto` of the link with a payment as well, since
 * its own national table (IT 2026.001) was not found. Each row counts from its day on, the newest first. PIX by a fixed code has a number of
 * its own since NT 2023.004.
 */
export const meansOfPayment: readonly MeansOfPayment[] = [
  {
    from: '2024-07-01' as CalendarDate,
    codes: {
      PIX_BY_CHARGE: '17',
      PIX_TO_KEY: '20',
      BOLETO: '15',
      CREDIT_CARD: '03',
      DEBIT_CARD: '04',
      OTHER: '99',
    },
  },
  {
    from: '2020-09-01' as CalendarDate,
    codes: {
      PIX_BY_CHARGE: '17',
      PIX_TO_KEY: '17',
      BOLETO: '15',
      CREDIT_CARD: '03',
      DEBIT_CARD: '04',
      OTHER: '99',
    },
  },
]

type MeansOfPayment = {
  /** The first day on which these count. */
  readonly from: CalendarDate
  readonly codes: Readonly<Record<PaidBy, string>>
}

/** How fiscal documents name a payment, and by which id of its own. */
export type FiscalMeans = { readonly by: PaidBy; readonly key: string | null }

/** How a payment is made, as fiscal documents tell apart. */
export type PaidBy = 'PIX_BY_CHARGE' | 'PIX_TO_KEY' | 'BOLETO' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'OTHER'
