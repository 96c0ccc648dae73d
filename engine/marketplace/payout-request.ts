import type { ProviderCallRequest } from '../kernel/calls.ts'
import type { BankAccount } from '../recipients/recipient.ts'
import type { AccountId, SplitTransferId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { PayoutBeneficiary, SplitTransfer } from './split-transfer.ts'

declare module '../kernel/calls.ts' {
  interface ProviderRequests {
    readonly payouts: PayoutRequest
  }
}

/** The bank request of a transfer that is being sent. */
export const payoutRequest = (
  { accountId, id: splitTransferId, dueCents, bank, call }: SplitTransfer,
  nowMs: number,
): PayoutRequest => ({
  reference: call!.id,
  operation: 'PAY_OUT',
  asked: call!.unanswered,
  rail: 'PAYOUT',
  providerId: call!.providerId ?? null,
  connectionId: call!.connectionId ?? null,
  accountId,
  splitTransferId,
  amountCents: dueCents,
  bank,
  beneficiary: call!.beneficiary,
  bankNumber: call!.bankNumber ?? null,
  openedAtMs: call!.openedAtMs,
  nowMs,
})

/** A payout request to a bank. Plain data. */
export type PayoutRequest = {
  /** The call's id, which makes repeating the request harmless. */
  readonly reference: string
  readonly operation: 'PAY_OUT'
  /** How often it may have been sent before. */
  readonly asked: number
  readonly rail: 'PAYOUT'
  /** The bank that was chosen for it, and stays its bank; null for the one of the Sandbox. */
  readonly providerId: string | null
  readonly connectionId: string | null
  readonly accountId: AccountId
  readonly splitTransferId: SplitTransferId
  readonly amountCents: Cents
  readonly bank: BankAccount
  readonly beneficiary: PayoutBeneficiary
  /** The bank's own number of it; null where it has given none. */
  readonly bankNumber: string | null
  /** Environment time: when the call was opened, and now. */
  readonly openedAtMs: number
  readonly nowMs: number
}

/** Whether a provider request is a payout. */
export const isPayout = (request: ProviderCallRequest): request is PayoutRequest =>
  request.operation === 'PAY_OUT'
