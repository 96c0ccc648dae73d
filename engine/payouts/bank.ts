import type { ProviderCallRequest } from '../kernel/calls.ts'
import type { BankAccount } from '../recipients/recipient.ts'
import type { AccountId, SplitTransferId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { Beneficiary, SplitTransfer } from './transfer.ts'

declare module '../kernel/calls.ts' {
  interface ProviderRequests {
    readonly payouts: PayoutRequest
  }
}

/** What a transfer that is sent asks its bank. */
export const payoutRequest = (
  { accountId, id: transferId, dueCents, bank, call }: SplitTransfer,
  nowMs: number,
): PayoutRequest => ({
  reference: call!.id,
  operation: 'PAY_OUT',
  accountId,
  transferId,
  amountCents: dueCents,
  bank,
  beneficiary: call!.beneficiary,
  openedAtMs: call!.openedAtMs,
  nowMs,
})

/** What a bank is asked to pay, to whom. Plain data. */
export type PayoutRequest = {
  /** The call's id: what makes asking again harmless. */
  readonly reference: string
  readonly operation: 'PAY_OUT'
  readonly accountId: AccountId
  readonly transferId: SplitTransferId
  readonly amountCents: Cents
  readonly bank: BankAccount
  readonly beneficiary: Beneficiary
  /** Environment time: when the call was opened, and now. */
  readonly openedAtMs: number
  readonly nowMs: number
}

export type PayoutAnswer =
  | { readonly type: 'DONE' }
  /** It says that nothing was paid. */
  | { readonly type: 'REFUSED' }
  /** No answer, or one that nobody can read. It is pending, never failed. */
  | { readonly type: 'SILENT' }

/** A bank that pays recipients of splits. The composition root fills it, as it does a provider. */
export type Bank = {
  /** Asks once, and resolves to `SILENT` rather than rejecting. What was asked with a reference before is not paid again. */
  readonly ask: (request: PayoutRequest) => Promise<PayoutAnswer>
}

export const isPayout = (request: ProviderCallRequest): request is PayoutRequest =>
  request.operation === 'PAY_OUT'
