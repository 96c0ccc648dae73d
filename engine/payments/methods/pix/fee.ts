import { type Fees, type FeeTerms, percentage } from '../../../ledger/fees.ts'
import type { ChargeOrigin } from '../../../shared/method.ts'

/** A percentage of the paid amount; deposits are free (decisions, section 16). */
export const pixFeeTerms = ({ pixBps }: Fees, origin: ChargeOrigin): FeeTerms =>
  percentage(origin === 'DEPOSIT' ? 0 : pixBps)
