import type { AccountId, TransactionId } from '../shared/ids.ts'
import type { Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import { type Card, cardOf } from './methods/card/card.ts'
import type { DeclineCode } from './methods/card/declines.ts'
import type { ProviderOperation, Transaction } from './transaction/transaction.ts'

declare module '../kernel/calls.ts' {
  interface ProviderRequests {
    readonly payments: ProviderRequest
  }
}

/** A bank, PSP or acquirer. The composition root fills it; the engine only says what to ask and hears the answer. */
export type Provider = {
  /**
   * Asks once, and resolves to `SILENT` rather than rejecting. Whatever was asked with a reference before is not done
   * again: a provider answers for the first time.
   */
  readonly ask: (request: ProviderRequest) => Promise<ProviderAnswer>
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
  readonly method: Method
  readonly amountCents: Cents
  readonly card: Pick<Card, 'token' | 'brand' | 'last4' | 'holderName' | 'installments' | 'captures'> | null
  /** The acquirer's own id of the authorization that this is about. */
  readonly tid: string | null
  readonly customerDocument: string | null
  readonly metadata: Transaction['metadata']
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

export type ProviderAnswer =
  | {
      readonly type: 'DONE'
      readonly nsu: string | null
      readonly tid: string | null
      readonly authorizationCode: string | null
      readonly returnCode: string
      readonly message: string
    }
  | { readonly type: 'REFUSED'; readonly refusal: ProviderRefusal }
  /** Known, but not decided. */
  | { readonly type: 'PENDING' }
  /** No answer, or one that nobody can read. It is pending, never failed. */
  | { readonly type: 'SILENT' }

/** Names of the settlers, as `providerId` shows them (decisions, section 26). */
export const providerIds = ['sandbox-psp', 'sandbox-acquirer', 'sandbox-bank', 'sandbox-chain'] as const

export type ProviderId = (typeof providerIds)[number]

export const providerOf: Readonly<Record<Method, ProviderId>> = {
  PIX: 'sandbox-psp',
  BOLETO: 'sandbox-bank',
  CREDIT_CARD: 'sandbox-acquirer',
  DEBIT_CARD: 'sandbox-acquirer',
  CRYPTO: 'sandbox-chain',
}

/** What a call of this transaction asks its provider. */
export const providerRequest = (
  transaction: Transaction,
  call: Transaction['calls'][number],
  nowMs: number,
): ProviderRequest => {
  const card = cardOf(transaction)
  return {
    reference: call.id,
    operation: call.operation,
    asked: call.unanswered,
    accountId: transaction.accountId,
    transactionId: transaction.id,
    method: transaction.method,
    amountCents: call.amountCents,
    card: card && {
      token: card.token,
      brand: card.brand,
      last4: card.last4,
      holderName: card.holderName,
      installments: card.installments,
      captures: card.captures,
    },
    tid: card?.acquirer?.tid ?? null,
    customerDocument: transaction.customer?.document ?? null,
    metadata: transaction.metadata,
    attempt: transaction.attempt,
    openedAtMs: call.openedAtMs,
    nowMs,
  }
}
