import type { Request } from '../../../kernel/command.ts'
import type { TransactionId } from '../../../shared/ids.ts'
import type { Asset } from '../../../shared/method.ts'
import type { Cents } from '../../../shared/money.ts'

export type CryptoCommand = ReportTransfer | ConfirmTransfers | DropTransfers

/**
 * The chain provider saw a transfer to a charge's address, or more confirmations of one. Missing values are filled in, as in the
 * Sandbox: the rest of the amount in the charge's asset, confirmed.
 */
export type ReportTransfer = Request<'ReportTransfer'> & {
  readonly transactionId: TransactionId
  /** The same for the same transfer, however often it is reported. */
  readonly txHash: string | null
  readonly asset: Asset | null
  readonly units: Cents | null
  readonly fromAddress: string | null
  readonly confirmations: number | null
}

/** Confirms all transfers that are on their way. */
export type ConfirmTransfers = Request<'ConfirmTransfers'> & { readonly transactionId: TransactionId }

/** The network dropped a transfer before it was confirmed; null for all that are on their way. */
export type DropTransfers = Request<'DropTransfers'> & {
  readonly transactionId: TransactionId
  readonly txHash: string | null
}
