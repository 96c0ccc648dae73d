import type { Request } from '../kernel/command.ts'
import type { SentMoney, TransferAnswer } from '../payments/sent-money.ts'
import type { ConnectionId, SplitTransferId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly payouts: TransferCommand
  }
}

/** Commands about transfers to recipients. */
export type TransferCommand = FundTransfer | SendTransfer | CallBankAgain | RecordPayout | ReportSplitPayOut

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
  readonly answer: TransferAnswer
}

/** A bank says where a payout to a recipient stands, by a notice or when it was asked. */
export type ReportSplitPayOut = Request<'ReportSplitPayOut'> & {
  readonly splitTransferId: SplitTransferId
  /** Which of the calls for the transfer it was, from 1. */
  readonly callNumber: number
  /** The connection that reports it. */
  readonly connectionId: ConnectionId
  readonly payOut: SentMoney
}
