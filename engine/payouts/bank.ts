import type { ProviderCallRequest } from '../kernel/calls.ts'
import type { ProviderAnswer } from '../payments/provider.ts'
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
  rail: 'PAYOUT',
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
  readonly rail: 'PAYOUT'
  readonly accountId: AccountId
  readonly transferId: SplitTransferId
  readonly amountCents: Cents
  readonly bank: BankAccount
  readonly beneficiary: Beneficiary
  /** Environment time: when the call was opened, and now. */
  readonly openedAtMs: number
  readonly nowMs: number
}

/** A payout is done or it is not: what else the bank says of it is shown nowhere. */
export type PayoutAnswer = Pick<ProviderAnswer, 'type'>

export const isPayout = (request: ProviderCallRequest): request is PayoutRequest =>
  request.operation === 'PAY_OUT'
