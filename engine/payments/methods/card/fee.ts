import { type Brand, cardBps } from '../../../ledger/card-rates.ts'
import { type Fees, type FeeTerms, percentage } from '../../../ledger/fees.ts'
import type { CardMethod } from './terms.ts'

/** By brand and number of instalments (decisions, section 16). */
export const cardFeeTerms = (
  { cards }: Fees,
  method: CardMethod,
  { brand, installments }: { readonly brand: Brand; readonly installments: number },
): FeeTerms => percentage(cardBps(cards[brand], method === 'DEBIT_CARD' ? 'DEBIT' : 'CREDIT', installments))
