import type { Request } from '../kernel/command.ts'
import type { RecipientId, SplitRuleId } from '../shared/ids.ts'
import type { BankAccount, NewRecipient, Recipient } from './recipient.ts'
import type { SplitRule } from './split-rule.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly recipients: RegisterCommand
  }
}

export type CreateRecipient = Request<'CreateRecipient'> &
  NewRecipient & { readonly recipientId: RecipientId }

/** Members that are left out stay as they are. */
export type ChangeRecipient = Request<'ChangeRecipient'> & {
  readonly recipientId: RecipientId
  readonly changes: Partial<Pick<Recipient, 'name' | 'email' | 'metadata' | 'isActive'>> & {
    readonly bank?: Partial<BankAccount>
  }
}

export type RemoveRecipient = Request<'RemoveRecipient'> & { readonly recipientId: RecipientId }

export type CreateSplitRule = Request<'CreateSplitRule'> &
  Pick<SplitRule, 'name' | 'items' | 'metadata' | 'isActive'> & { readonly ruleId: SplitRuleId }

/** Members that are left out stay as they are. */
export type ChangeSplitRule = Request<'ChangeSplitRule'> & {
  readonly ruleId: SplitRuleId
  readonly changes: Partial<Pick<SplitRule, 'name' | 'items' | 'metadata' | 'isActive'>>
}

export type RemoveSplitRule = Request<'RemoveSplitRule'> & { readonly ruleId: SplitRuleId }

/** Commands about recipients and split rules. */
export type RegisterCommand =
  | CreateRecipient
  | ChangeRecipient
  | RemoveRecipient
  | CreateSplitRule
  | ChangeSplitRule
  | RemoveSplitRule
