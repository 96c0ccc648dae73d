import { type Brand, cardBps } from '../../../ledger/card-rates.ts'
import { type Fees, type FeeTerms, percentage } from '../../../ledger/fees.ts'

/** By brand and number of instalments (decisions, section 16). */
export const cardFeeTerms = (
  { cards }: Fees,
  kind: 'CREDIT' | 'DEBIT',
  { brand, installments }: { readonly brand: Brand; readonly installments: number },
): FeeTerms => percentage(cardBps(cards[brand], kind, installments))
