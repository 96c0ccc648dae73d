import type { BoletoInput } from './boleto.ts'

export type BoletoTerms = BoletoInput & {
  readonly method: 'BOLETO'
  /** Whether it can also be paid by PIX. */
  readonly withPix: boolean
}
