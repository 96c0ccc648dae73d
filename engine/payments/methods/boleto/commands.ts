import type { Request } from '../../../kernel/command.ts'
import type { TransactionId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { PixEvidence } from '../pix/commands.ts'

export type BoletoCommand = PayBoleto | PayBoletoByPix | ClearBoleto | MarkOverdue

/** The bank reports that a boleto was paid by its bar code. */
export type PayBoleto = Request<'PayBoleto'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  /** Null for now. */
  readonly paidAtMs: number | null
  readonly clearing: 'IMMEDIATE' | 'NEXT_BUSINESS_DAY'
}

/** The bank reports that it was paid by its QR code: the money is there at once and needs no clearing. */
export type PayBoletoByPix = Request<'PayBoletoByPix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents | null
  }

export type ClearBoleto = Request<'ClearBoleto'> & { readonly transactionId: TransactionId }
export type MarkOverdue = Request<'MarkOverdue'> & { readonly transactionId: TransactionId }
