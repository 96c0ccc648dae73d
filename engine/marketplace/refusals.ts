import type { RecipientId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly payouts: PayoutRefusal
  }
}

/** Refusals of recipients and split rules. */
export type PayoutRefusal =
  | { readonly reason: 'RECIPIENT_INACTIVE'; readonly recipientId: RecipientId }
  | { readonly reason: 'SPLIT_RULE_INACTIVE' }
  | { readonly reason: 'SPLIT_EXCEEDS_AMOUNT' }
