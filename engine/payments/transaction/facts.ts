import type { ChosenRoute } from '../../connections/way.ts'
import type { ScheduleChange } from '../../ledger/account.ts'
import type { Receivable, Reversal } from '../../ledger/receivable.ts'
import type { RefundId, SettlementId, TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Method, Methods } from '../../shared/method.ts'
import type { Cents } from '../../shared/money.ts'
import type {
  FailureDetail,
  FailureReason,
  ProviderCall,
  Refund,
  RefundFailure,
  Transaction,
} from './transaction.ts'

declare module '../../kernel/registry.ts' {
  interface ActorFacts {
    readonly transaction: TransactionFact
  }
}

/** The facts of a transaction, in the past tense. Each raises the version by one. */
export type TransactionFact = CommonFact | Methods[Method]['facts']

/** Facts of charges of any method. */
export type CommonFact =
  | ChargeCreated
  | ChargeRefused
  | ChargeExpired
  | ChargeCancelled
  | ProviderCalled
  | ProviderCalledAgain
  | ProviderSilent
  | CallEnded
  | RefundRequested
  | RefundCompleted
  | RefundFailed
  | ReceivablesSettled
  | ChargeSent
  | FiscalDocumentsSet
  | RouteChosen
  | TransactionSeeded

/** The members of every fact of a transaction. */
export type Fact<Type extends string> = {
  readonly actor: 'transaction'
  readonly type: Type
  readonly id: TransactionId
  readonly by: Initiator
  readonly atMs: number
}

export type ChargeCreated = Fact<'ChargeCreated'> & {
  readonly charge: Pick<
    Transaction,
    | 'accountId'
    | 'method'
    | 'origin'
    | 'currency'
    | 'amountCents'
    | 'feeTerms'
    | 'details'
    | 'customer'
    | 'customerId'
    | 'subscriptionId'
    | 'invoiceId'
    | 'fiscalDocuments'
    | 'attempt'
    | 'split'
    | 'providerId'
    | 'connectionId'
    | 'means'
  >
}

/** The institution did not register the charge, or the acquirer could not be called for it. */
export type ChargeRefused = Fact<'ChargeRefused'> & {
  readonly failureReason: FailureReason
  /** What the provider said; null where it said nothing. */
  readonly failureDetail: FailureDetail | null
  readonly callId: string | null
}

/** Its time is over, and its bank says that it is unpaid, where it has one. */
export type ChargeExpired = Fact<'ChargeExpired'> & { readonly callId: string | null }

export type ChargeCancelled = Fact<'ChargeCancelled'> & {
  readonly reason: string | null
  readonly callId: string | null
}

/** The intent: the provider is called once this is on disk. */
export type ProviderCalled = Fact<'ProviderCalled'> & { readonly call: ProviderCall }

export type ProviderCalledAgain = Fact<'ProviderCalledAgain'> & { readonly callId: string }

/** The outcome of a call matters no more, or changed nothing. */
export type CallEnded = Fact<'CallEnded'> & {
  readonly callId: string
  /** Why the provider did nothing; null where it was not to do more. */
  readonly message: string | null
}

/** No answer yet: the call is repeated with the same reference. */
export type ProviderSilent = Fact<'ProviderSilent'> & {
  readonly callId: string
  readonly dueAtMs: number
}

export type RefundRequested = Fact<'RefundRequested'> & {
  readonly refundId: RefundId
  readonly amountCents: Cents
  readonly origin: Refund['origin']
  readonly reason: string | null
  /** The initiator's network address; null if it was not an HTTP request. */
  readonly address: string | null
  /** The bank's own id of a return that we did not ask for. */
  readonly bankReturnId: string | null
}

export type RefundCompleted = Fact<'RefundCompleted'> & {
  readonly refundId: RefundId
  readonly callId: string | null
  readonly returnId: string | null
  readonly reversal: Reversal
}

export type RefundFailed = Fact<'RefundFailed'> & {
  readonly refundId: RefundId
  readonly callId: string | null
  readonly failureReason: RefundFailure
  /** What the bank said; null where it said nothing. */
  readonly failureMessage: string | null
}

/** Its receivables entered the balance ahead of their batches. */
export type ReceivablesSettled = Fact<'ReceivablesSettled'> & {
  readonly settlementId: SettlementId
  readonly receivables: readonly Receivable[]
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly receivablesCount: number
  readonly schedule: readonly ScheduleChange[]
}

/** Its payer was sent a mail about it. */
export type ChargeSent = Fact<'ChargeSent'> & {
  readonly purpose: 'REQUESTED' | 'BEFORE_DUE' | 'ON_DUE_DATE' | 'AFTER_DUE' | 'RECEIPT'
  /** The masked address. */
  readonly to: string
}

/** By which connection it was begun, and why: in the entry that creates it. */
export type RouteChosen = Fact<'RouteChosen'> & { readonly route: ChosenRoute }

/** The merchant says which fiscal documents are about the sale: these and no others. */
export type FiscalDocumentsSet = Fact<'FiscalDocumentsSet'> & { readonly documents: readonly string[] }

/** Created by the Sandbox as if it had happened, for lists and exports. */
export type TransactionSeeded = Fact<'TransactionSeeded'> & {
  readonly transaction: Omit<Transaction, 'timeline' | 'version'>
}
