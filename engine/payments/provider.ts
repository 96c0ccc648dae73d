import type { AccountId, TransactionId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { PaymentRail } from '../shared/rail.ts'
import type { AcquirerData, Card } from './methods/card/card.ts'
import type { DeclineCode } from './methods/card/declines.ts'
import type { ChargeDetails } from './transaction/details.ts'
import type { ProviderOperation } from './transaction/transaction.ts'

declare module '../kernel/calls.ts' {
  interface ProviderRequests {
    readonly payments: ProviderRequest
  }
}

/** What a provider is asked. Plain data. */
export type ProviderRequest = {
  /** The call's id: what makes asking again harmless. */
  readonly reference: string
  readonly operation: ProviderOperation
  /** How often it was asked before: from 1 on an authorization is an inquiry. */
  readonly asked: number
  readonly accountId: AccountId
  readonly transactionId: TransactionId
  readonly rail: PaymentRail
  /** The provider that processes the charge, by name: money goes back where it came from. */
  readonly providerId: string
  readonly amountCents: Cents
  readonly card: Pick<Card, 'token' | 'brand' | 'last4' | 'holderName' | 'installments' | 'captures'> | null
  /** The acquirer's own id of the authorization that this is about. */
  readonly tid: string | null
  readonly customerDocument: string | null
  readonly metadata: ChargeDetails['metadata']
  /** Of a charge of a subscription: which one it is, from 1. */
  readonly attempt: number | null
  /** Environment time: when the call was opened, and now. */
  readonly openedAtMs: number
  readonly nowMs: number
}

export type ProviderRefusal =
  | {
      readonly reason: 'DECLINED'
      readonly code: DeclineCode
      readonly message: string
      readonly nsu: string | null
      readonly tid: string | null
    }
  | { readonly reason: 'ANTIFRAUD'; readonly message: string }
  /** It could not do what it was asked, and says that nothing was done. */
  | { readonly reason: 'ERROR'; readonly message: string }

/** What a provider says to a call, whatever it was asked. */
export type ProviderAnswer =
  /** Evidence is what an acquirer says of an authorization; other rails have none. */
  | { readonly type: 'DONE'; readonly evidence: AcquirerData | null }
  /** Nothing was done, and nothing will be. */
  | { readonly type: 'REFUSED'; readonly refusal: ProviderRefusal }
  /** Known, but not decided. */
  | { readonly type: 'PENDING' }
  /** No answer, or one that cannot be read. It is pending, never failed. */
  | { readonly type: 'SILENT' }
