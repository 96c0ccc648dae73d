import type { Issuer } from '../../../ledger/issuer.ts'
import type { Collection } from '../../transaction/collected.ts'
import type { Fact } from '../../transaction/facts.ts'
import type { Pix } from '../pix/pix.ts'
import type { BoletoNumbers, BoletoPayment } from './boleto.ts'

export type BoletoFact = BoletoIssued | BoletoOverdue | BoletoPaymentReported | BoletoCleared

/** The boleto is registered and can be paid until `expiresAtMs`, also by PIX if it has a QR code. */
export type BoletoIssued = Fact<'BoletoIssued'> & {
  readonly numbers: BoletoNumbers
  readonly pix: Pix | null
  /** From this time it costs a fine and interest. */
  readonly lateAtMs: number
  readonly expiresAtMs: number
  /** Missing in facts of before it was kept. */
  readonly issuer?: Issuer
}

export type BoletoOverdue = Fact<'BoletoOverdue'>
/** The bank reports a payment; the money arrives when it clears. */
export type BoletoPaymentReported = Fact<'BoletoPaymentReported'> & { readonly payment: BoletoPayment }
export type BoletoCleared = Fact<'BoletoCleared'> & Collection & { readonly payment: BoletoPayment }
