import type { Request } from '../../kernel/command.ts'
import type {
  CustomerId,
  InvoiceId,
  RefundId,
  SplitRuleId,
  SubscriptionId,
  TransactionId,
} from '../../shared/ids.ts'
import type { ChargeOrigin, Method } from '../../shared/method.ts'
import type { Cents } from '../../shared/money.ts'
import type { Customer } from '../../shared/party.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { ChargeDetails } from './details.ts'
import type { Family } from './family.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly payments: TransactionCommand
  }
}

/** About a charge, and what comes of it. */
export type TransactionCommand = CommonCommand | CommandsOf[keyof CommandsOf]

/** What each payment method can be told. A method adds its own, from its folder. */
export interface CommandsOf {}

/** What a merchant says of how a charge is to be paid, by method; a method that only the Sandbox makes has none. */
export interface TermsOf {}

export type Terms = TermsOf[keyof TermsOf]

/** What can be told to a charge whatever it is paid with. */
export type CommonCommand =
  | CreateCharge
  | CancelCharge
  | ExpireCharge
  | CancelCardPayment
  | RecordAnswer
  | CallAgain
  | RequestRefund
  | ResolveRefund
  | SettleTransaction

export type CreateCharge = Request<'CreateCharge'> & {
  readonly transactionId: TransactionId
  readonly origin: ChargeOrigin
  readonly amountCents: Cents
  readonly details: ChargeDetails
  readonly customer: Customer | null
  /** An entry of the register that stands for `customer`. */
  readonly customerId: CustomerId | null
  /** The invoice that it collects; null for a charge of its own. */
  readonly collects: {
    readonly subscriptionId: SubscriptionId
    readonly invoiceId: InvoiceId
    /** Which charge of the subscription it is, from 1. */
    readonly attempt: number
  } | null
  readonly splitRuleId: SplitRuleId | null
  readonly terms: Terms
}

export type CancelCharge = Request<'CancelCharge'> & {
  readonly transactionId: TransactionId
  /** Which family of routes the id was looked up in; null accepts any. */
  readonly family: Family | null
  readonly reason: string | null
}

export type ExpireCharge = Request<'ExpireCharge'> & {
  readonly transactionId: TransactionId
  /** Which method's routes the id was looked up in; null accepts any. */
  readonly method: Method | null
}
/** Voids an authorization, or refunds what was captured. */
export type CancelCardPayment = Request<'CancelCardPayment'> & {
  readonly transactionId: TransactionId
  readonly refundId: RefundId
  /** From where it was asked, for the audit trail. */
  readonly address: string | null
}

/** What a provider said to one of its calls. */
export type RecordAnswer = Request<'RecordAnswer'> & {
  readonly transactionId: TransactionId
  readonly callId: string
  readonly answer: ProviderAnswer
}

/** A call that nobody answered is due again. */
export type CallAgain = Request<'CallAgain'> & {
  readonly transactionId: TransactionId
  readonly callId: string
}

export type RequestRefund = Request<'RequestRefund'> & {
  readonly transactionId: TransactionId
  readonly refundId: RefundId
  /** Null for all that can be refunded. */
  readonly amountCents: Cents | null
  readonly reason: string | null
  /** From where it was asked, for the audit trail. */
  readonly address: string | null
}

/** The Sandbox's answer to a refund that is PROCESSING. */
export type ResolveRefund = Request<'ResolveRefund'> & {
  readonly reversalId: RefundId
  readonly result: 'COMPLETED' | 'FAILED'
}

/** Puts what a transaction still has to come into the balance now. */
export type SettleTransaction = Request<'SettleTransaction'> & { readonly transactionId: TransactionId }
