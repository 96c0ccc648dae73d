import { type FeeTerms, percentage } from '../../../ledger/fees.ts'

/** One percent of what was paid (dashboard, section 3.2). */
export const cryptoFeeTerms: FeeTerms = percentage(100)
