import type { Request } from '../kernel/command.ts'
import type { SplitTransferId } from '../shared/ids.ts'
import type { PayoutAnswer } from './payout-request.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly payouts: TransferCommand
  }
}

/** Commands about transfers to recipients. */
export type TransferCommand = FundTransfer | SendTransfer | CallBankAgain | RecordPayout

/** The batch with the transfer's money has run. */
export type FundTransfer = Request<'FundTransfer'> & { readonly splitTransferId: SplitTransferId }

/** Sends a transfer that waited for its next try or for a bank. */
export type SendTransfer = Request<'SendTransfer'> & { readonly splitTransferId: SplitTransferId }

/** Repeats an unanswered bank call. */
export type CallBankAgain = Request<'CallBankAgain'> & { readonly splitTransferId: SplitTransferId }

/** The bank's answer to a payout. */
export type RecordPayout = Request<'RecordPayout'> & {
  readonly splitTransferId: SplitTransferId
  readonly callId: string
  readonly answer: PayoutAnswer
}
