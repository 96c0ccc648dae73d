import type { Fees, FeeTerms } from '../../../ledger/fees.ts'

/** A fixed amount per cleared boleto (decisions, section 16). */
export const boletoFeeTerms = ({ boletoCents }: Fees): FeeTerms => ({
  percentBps: 0,
  fixedCents: boletoCents,
})
