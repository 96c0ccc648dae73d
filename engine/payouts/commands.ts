import type { Request } from '../kernel/command.ts'
import type { SplitTransferId } from '../shared/ids.ts'
import type { PayoutAnswer } from './bank.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly payouts: TransferCommand
  }
}

/** About transfers to recipients. */
export type TransferCommand = FundTransfer | SendTransfer | CallBankAgain | RecordPayout

/** The batch that brings a transfer's money has run. */
export type FundTransfer = Request<'FundTransfer'> & { readonly transferId: SplitTransferId }

/** A transfer that waited for its next try, or for a bank. */
export type SendTransfer = Request<'SendTransfer'> & { readonly transferId: SplitTransferId }

/** A bank that did not answer is asked again. */
export type CallBankAgain = Request<'CallBankAgain'> & { readonly transferId: SplitTransferId }

/** What the bank said to a payout. */
export type RecordPayout = Request<'RecordPayout'> & {
  readonly transferId: SplitTransferId
  readonly callId: string
  readonly answer: PayoutAnswer
}
