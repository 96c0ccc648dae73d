import type { BoletoInput } from '../../transaction/transaction.ts'

export type BoletoTerms = BoletoInput & {
  readonly method: 'BOLETO'
  /** Whether it can be paid by PIX too. */
  readonly withPix: boolean
}
