import type { Request } from '../kernel/command.ts'
import type { BankAccount, Recipient } from '../recipients/recipient.ts'
import type { SplitRule } from '../recipients/split-rule.ts'
import type { RecipientId, SplitRuleId, SplitTransferId } from '../shared/ids.ts'
import type { PayoutAnswer } from './bank.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly payouts: RegisterCommand | TransferCommand
  }
}

/** About recipients of splits, and the rules that name them. */
export type RegisterCommand =
  | CreateRecipient
  | ChangeRecipient
  | RemoveRecipient
  | CreateSplitRule
  | ChangeSplitRule
  | RemoveSplitRule
export type CreateRecipient = Request<'CreateRecipient'> &
  Pick<Recipient, 'name' | 'document' | 'documentType' | 'email' | 'bank' | 'metadata'> & {
    readonly recipientId: RecipientId
  }
/** What is left out stays as it is. */
export type ChangeRecipient = Request<'ChangeRecipient'> & {
  readonly recipientId: RecipientId
  readonly changes: Partial<Pick<Recipient, 'name' | 'email' | 'metadata' | 'isActive'>> & {
    readonly bank?: Partial<BankAccount>
  }
}
export type RemoveRecipient = Request<'RemoveRecipient'> & { readonly recipientId: RecipientId }

export type CreateSplitRule = Request<'CreateSplitRule'> &
  Pick<SplitRule, 'name' | 'items' | 'metadata' | 'isActive'> & { readonly ruleId: SplitRuleId }
/** What is left out stays as it is. */
export type ChangeSplitRule = Request<'ChangeSplitRule'> & {
  readonly ruleId: SplitRuleId
  readonly changes: Partial<Pick<SplitRule, 'name' | 'items' | 'metadata' | 'isActive'>>
}
export type RemoveSplitRule = Request<'RemoveSplitRule'> & { readonly ruleId: SplitRuleId }
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
