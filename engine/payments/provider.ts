import type { Network, RateMicros } from '../shared/asset.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { Customer } from '../shared/customer.ts'
import type { AccountId, RefundId, TransactionId } from '../shared/ids.ts'
import type { Asset } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { PaymentRail } from '../shared/rail.ts'
import type { AcquirerData, Card } from './methods/card/card.ts'
import type { DeclineReason } from './methods/card/decline-codes.ts'
import type { PixAtBank } from './methods/pix/pix.ts'
import type { ChargeDetails } from './transaction/details.ts'
import type { ProviderOperation } from './transaction/transaction.ts'

declare module '../kernel/calls.ts' {
  interface ProviderRequests {
    readonly payments: ProviderRequest
  }
}

/** A request to a provider. Plain data. */
export type ProviderRequest = {
  /** The call's id, which makes repeating the request harmless. */
  readonly reference: string
  readonly operation: ProviderOperation
  /** How often it may have been sent before. */
  readonly asked: number
  /** Only what became of it is asked: it must not be sent once more. Missing for false. */
  readonly onlyInquires?: true
  readonly accountId: AccountId
  readonly transactionId: TransactionId
  readonly rail: PaymentRail
  /** The name of the provider that processes the charge: money goes back where it came from. */
  readonly providerId: string
  /** The connection of the charge; null for the provider that is there for all accounts of the environment. */
  readonly connectionId: string | null
  readonly amountCents: Cents
  readonly card: Pick<Card, 'token' | 'brand' | 'last4' | 'holderName' | 'installments' | 'captures'> | null
  /** Terms of the address for a charge in a stablecoin, and how long the provider reports transfers to it. */
  readonly crypto: {
    readonly asset: Asset
    readonly network: Network
    readonly watchedUntilMs: number
  } | null
  /** The authorization that a capture, void, refund or reversal is about: its call, and the acquirer's id once it gave one. */
  readonly authorization: { readonly reference: string; readonly tid: string | null } | null
  /** The payment that a PIX refund returns. */
  readonly endToEndId: string | null
  /** What a bank registers, cancels or reads; null for other rails. */
  readonly pix: PixRequest | null
  /** The PIX that goes back, by the id of this attempt; null for every other call. */
  readonly pixReturn: { readonly endToEndId: string; readonly id: string } | null
  /** The MED that is defended, by its id at the bank; absent in every other call. */
  readonly defense?: { readonly medId: string; readonly text: string }
  readonly description: string | null
  /** The merchant's own, shown to payers. */
  readonly merchantReference: string | null
  /** The refund that is made. */
  readonly refundId: RefundId | null
  /** What was refunded before. */
  readonly refundedCents: Cents
  readonly customer: Customer | null
  readonly metadata: ChargeDetails['metadata']
  /** For a charge of a subscription, which attempt it is, from 1. */
  readonly attempt: number | null
  /** Environment time when the call was opened, and now. */
  readonly openedAtMs: number
  readonly nowMs: number
}

/** A charge as its bank knows it. */
export type PixRequest = {
  readonly txid: string
  readonly pixKey: string
  readonly expiresInSeconds: number
  readonly due: { readonly date: CalendarDate; readonly payableForDays: number } | null
  readonly createdAtMs: number
}

export type ProviderRefusal =
  | {
      readonly reason: 'DECLINED'
      readonly failureReason: DeclineReason
      /** Whether a later attempt with the same card may succeed. */
      readonly retryable: boolean
      /** The network's code, as text: providers know more of them than we do. */
      readonly code: string
      readonly message: string
      readonly nsu: string | null
      readonly tid: string | null
    }
  | { readonly reason: 'ANTIFRAUD'; readonly message: string }
  /** The bank does not register such a charge, and says why. */
  | { readonly reason: 'REGISTRATION_REJECTED'; readonly code: string | null; readonly message: string }
  /** The provider failed and reports that nothing was done. */
  | { readonly reason: 'ERROR'; readonly message: string }

/** A provider's answer to a call that asks for an action and for no data. */
export type PlainAnswer =
  /** Evidence is what an acquirer says about an authorization; other rails have none. */
  | { readonly type: 'DONE'; readonly evidence: AcquirerData | null }
  /** Nothing was done, and nothing will be. */
  | { readonly type: 'REFUSED'; readonly refusal: ProviderRefusal }
  /** It was done, and the provider took it back by itself: in the end nothing is done. */
  | { readonly type: 'UNDONE'; readonly message: string }
  /** Received, but not decided. The call may be repeated after this delay; by default the delays grow. */
  | { readonly type: 'PENDING'; readonly asksAgainInMs?: number | null }
  /** No answer, or an unreadable one: the call stays pending and never counts as failed. */
  | { readonly type: 'SILENT' }

/** A provider's answer to any call. */
export type ProviderAnswer =
  | PlainAnswer
  /** A bank has registered a charge: what the payer pastes, or the location where their app finds it. */
  | {
      readonly type: 'REGISTERED'
      readonly copyPaste: string | null
      readonly location: string
      readonly createdAtMs: number
    }
  /** A charge as its bank has it. An active one may have expired. */
  | {
      readonly type: 'CHARGE_STATE'
      readonly status: 'ACTIVE' | 'PAID' | 'REMOVED_BY_RECEIVER' | 'REMOVED_BY_PROVIDER'
      readonly payments: readonly PixAtBank[]
    }
  /** Money went back by PIX; the id of that is null where the bank does not say. */
  | { readonly type: 'RETURNED'; readonly returnId: string | null }
  /** The address of a charge in a stablecoin, and what a wallet opens to pay. */
  | { readonly type: 'OPENED'; readonly address: string; readonly uri: string }
  /** The price of a conversion with its spread, and the taxes on it. */
  | {
      readonly type: 'QUOTED'
      readonly midRateMicros: RateMicros
      readonly rateMicros: RateMicros
      readonly spreadBps: number
      readonly taxCents: Cents
    }
  /** A stablecoin is on its way. The call may be repeated after this delay; by default the delays grow. */
  | { readonly type: 'SENT'; readonly txHash: string; readonly asksAgainInMs: number | null }
  /** The network has confirmed the transfer. */
  | { readonly type: 'CONFIRMED'; readonly txHash: string }
