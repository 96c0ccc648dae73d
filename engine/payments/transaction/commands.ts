import type { Request } from '../../kernel/command.ts'
import type { Customer } from '../../shared/customer.ts'
import type {
  CustomerId,
  InvoiceId,
  RefundId,
  SplitRuleId,
  SubscriptionId,
  TransactionId,
} from '../../shared/ids.ts'
import type { ChargeOrigin, Method, Methods } from '../../shared/method.ts'
import type { Cents } from '../../shared/money.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { ChargeDetails } from './details.ts'
import type { Family } from './family.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly payments: TransactionCommand
  }
}

/** Commands about a charge and what follows from it. */
export type TransactionCommand = CreateCharge | ChangeTransaction

/** Commands about a transaction that is there, or a deposit that arrives unannounced. */
export type ChangeTransaction = CommonCommand | Methods[Method]['commands']

/** How a merchant says that a charge is to be paid; methods that only the Sandbox makes have none. */
export type Terms = Methods[Method]['terms']

/** Commands for charges of any method. */
export type CommonCommand =
  | CancelCharge
  | ExpireCharge
  | CancelCardPayment
  | RecordAnswer
  | CallAgain
  | RequestRefund
  | ResolveRefund
  | SettleTransaction
  | SetFiscalDocuments

export type CreateCharge = Request<'CreateCharge'> & {
  readonly transactionId: TransactionId
  readonly origin: ChargeOrigin
  readonly amountCents: Cents
  readonly details: ChargeDetails
  readonly customer: Customer | null
  /** The register entry behind `customer`. */
  readonly customerId: CustomerId | null
  /** The invoice that it collects; null for an ordinary charge. */
  readonly collects: {
    readonly subscriptionId: SubscriptionId
    readonly invoiceId: InvoiceId
    /** Which charge of the subscription it is, from 1. */
    readonly attempt: number
  } | null
  readonly splitRuleId: SplitRuleId | null
  /** The access keys of the fiscal documents of the sale, where they are made before it. */
  readonly fiscalDocuments?: readonly string[] | undefined
  /** False where a payer who is not registered yet is to be registered later, if at all. */
  readonly registersPayer?: boolean
  readonly terms: Terms
}

export type CancelCharge = Request<'CancelCharge'> & {
  readonly transactionId: TransactionId
  /** The route family that the id was looked up in; null accepts any. */
  readonly family: Family | null
  readonly reason: string | null
}

export type ExpireCharge = Request<'ExpireCharge'> & {
  readonly transactionId: TransactionId
  /** The method whose routes the id was looked up in; null accepts any. */
  readonly method: Method | null
}
/** Voids an authorization, or refunds what was captured. */
export type CancelCardPayment = Request<'CancelCardPayment'> & {
  readonly transactionId: TransactionId
  readonly refundId: RefundId
  /** The address of the request, for the audit trail. */
  readonly address: string | null
  /** Whether the caller may refund, which the cancellation of a captured payment does. */
  readonly mayRefund: boolean
}

/** A provider's answer to a call. */
export type RecordAnswer = Request<'RecordAnswer'> & {
  readonly transactionId: TransactionId
  readonly callId: string
  readonly answer: ProviderAnswer
}

/** An unanswered call is due again. */
export type CallAgain = Request<'CallAgain'> & {
  readonly transactionId: TransactionId
  readonly callId: string
}

export type RequestRefund = Request<'RequestRefund'> & {
  readonly transactionId: TransactionId
  readonly refundId: RefundId
  /** Null for everything that can be refunded. */
  readonly amountCents: Cents | null
  readonly reason: string | null
  /** The address of the request, for the audit trail. */
  readonly address: string | null
}

/** The Sandbox decides a refund that is PROCESSING. */
export type ResolveRefund = Request<'ResolveRefund'> & {
  readonly reversalId: RefundId
  readonly result: 'COMPLETED' | 'FAILED'
}

/** Says which fiscal documents are about the sale, whatever was said before. */
export type SetFiscalDocuments = Request<'SetFiscalDocuments'> & {
  readonly transactionId: TransactionId
  readonly documents: readonly string[]
}

/** Moves a transaction's future receivables into the balance now. */
export type SettleTransaction = Request<'SettleTransaction'> & { readonly transactionId: TransactionId }
