import type { BoletoInput } from './boleto.ts'

export type BoletoTerms = BoletoInput & {
  readonly method: 'BOLETO'
  /** Whether it can be paid by PIX too. */
  readonly withPix: boolean
}
