import { type CalendarDate, dateIn } from '../../shared/calendar.ts'
import { methodOf } from '../methods/index.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { meansOfPayment, type PaidBy } from './payment-means.ts'

/** What a fiscal document says of a payment to be linked with it (group `gPgtoVinc`). */
export type FiscalLink = {
  /** Two to 35 characters, made before the sale by PIX and boleto; null where there is none yet, and for a stablecoin. */
  readonly transactionKey: string | null
  readonly meansCode: string
}

/** The link of a transaction, as documents of its day have it. */
export const fiscalLinkOf = (transaction: Transaction, timeZone: string): FiscalLink => {
  const { approvedAtMs, createdAtMs } = transaction
  const { by, key } = methodOf(transaction).fiscalMeans?.(transaction.means) ?? other
  const meansCode = meansCodeOn(by, dateIn(timeZone, approvedAtMs ?? createdAtMs))
  return { transactionKey: key !== null && key.length >= 2 && key.length <= 35 ? key : null, meansCode }
}

const other = { by: 'OTHER', key: null } as const

const meansCodeOn = (by: PaidBy, day: CalendarDate): string =>
  (meansOfPayment.find(({ from }) => from <= day) ?? meansOfPayment.at(-1)!).codes[by]
