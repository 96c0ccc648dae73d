import type { BoletoInput } from './boleto.ts'

declare module '../../transaction/commands.ts' {
  interface TermsOf {
    readonly BOLETO: BoletoTerms
  }
}

export type BoletoTerms = BoletoInput & {
  readonly method: 'BOLETO'
  /** Whether it can be paid by PIX too. */
  readonly withPix: boolean
}
