import type { Request } from '../../../kernel/command.ts'
import type { MedId, TransactionId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Med, MedResult } from '../../transaction/transaction.ts'
import type { Payer } from './pix.ts'

export type PixCommand = ReceivePix | ReceiveUnrequestedPix | OpenMed | CloseMed

/** A payment of the charge's QR code. */
export type ReceivePix = Request<'ReceivePix'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly payer: Payer | null
}

/** A PIX to the account's key that no charge asked for. */
export type ReceiveUnrequestedPix = Request<'ReceiveUnrequestedPix'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents
  readonly payer: Payer | null
}

/** The payer's bank contests a PIX. */
export type OpenMed = Request<'OpenMed'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly reason: Med['reason'] | null
  /** A scenario opens it: it is never too late. */
  readonly isForced?: true
}

export type CloseMed = Request<'CloseMed'> & {
  readonly partId: MedId
  readonly result: MedResult
  /** Of an accepted one; null for all that is blocked. */
  readonly returnedCents: Cents | null
}
