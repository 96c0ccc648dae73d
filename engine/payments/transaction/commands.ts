import type { Request } from '../../kernel/command.ts'
import type {
  ChargebackId,
  CustomerId,
  InvoiceId,
  MedId,
  RefundId,
  SplitRuleId,
  SubscriptionId,
  TransactionId,
} from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Method, Origin } from '../../shared/method.ts'
import type { Cents } from '../../shared/money.ts'
import type { Customer } from '../../shared/party.ts'
import type { BoletoTerms } from '../methods/boleto/terms.ts'
import type { DeclineCode } from '../methods/card/declines.ts'
import type { CardTerms } from '../methods/card/terms.ts'
import type { PixTerms } from '../methods/pix/terms.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Family } from './family.ts'
import type { ChargebackReason, Med, MedResult, Payer } from './transaction.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly payments: TransactionCommand
  }
}

/** About a charge, and what comes of it. */
export type TransactionCommand =
  | CreateCharge
  | ReceivePix
  | ReceiveUnrequestedPix
  | CancelCharge
  | ExpireCharge
  | PayBoleto
  | PayBoletoByPix
  | ClearBoleto
  | MarkOverdue
  | CaptureCharge
  | CancelCardPayment
  | RecordAnswer
  | CallAgain
  | GiveUpAuthorization
  | ResolveAuthorization
  | RequestRefund
  | ResolveRefund
  | OpenChargeback
  | DisputeChargeback
  | ResolveChargeback
  | OpenMed
  | CloseMed
  | SettleTransaction

export type CreateCharge = Request<'CreateCharge'> & {
  readonly transactionId: TransactionId
  readonly origin: Origin
  readonly amountCents: Cents
  readonly description: string | null
  readonly reference: string | null
  readonly externalId: string | null
  readonly customer: Customer | null
  /** An entry of the register that stands for `customer`. */
  readonly customerId: CustomerId | null
  readonly metadata: Metadata
  /** The invoice that it collects; null for a charge of its own. */
  readonly collects: {
    readonly subscriptionId: SubscriptionId
    readonly invoiceId: InvoiceId
    /** Which charge of the subscription it is, from 1. */
    readonly attempt: number
  } | null
  readonly splitRuleId: SplitRuleId | null
  readonly terms: PixTerms | CardTerms | BoletoTerms
}

/** What the provider says of a PIX that arrived. What it leaves out is made up, as in the Sandbox. */
export type PixEvidence = {
  readonly payer?: Payer | null
  /** The same for the same money, however often it is told. */
  readonly endToEndId?: string | null
  readonly paidAtMs?: number | null
}

/** A payment of the charge's QR code. */
export type ReceivePix = Request<'ReceivePix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents | null
  }

/** A PIX to the account's key that no charge asked for. */
export type ReceiveUnrequestedPix = Request<'ReceiveUnrequestedPix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents
    /** The provider that tells of it, by name. */
    readonly providerId: string
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
/** The bank says that a boleto was paid. */

/** By its bar code. */
export type PayBoleto = Request<'PayBoleto'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  /** Null for now. */
  readonly paidAtMs: number | null
  readonly clearing: 'IMMEDIATE' | 'NEXT_BUSINESS_DAY'
}

/** By its QR code: it is paid now, and needs no clearing. */
export type PayBoletoByPix = Request<'PayBoletoByPix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents | null
  }

export type ClearBoleto = Request<'ClearBoleto'> & { readonly transactionId: TransactionId }

export type MarkOverdue = Request<'MarkOverdue'> & { readonly transactionId: TransactionId }

export type CaptureCharge = Request<'CaptureCharge'> & {
  readonly transactionId: TransactionId
  /** Null for all that was authorized. */
  readonly amountCents: Cents | null
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

/** An authorization has been unknown for too long. */
export type GiveUpAuthorization = Request<'GiveUpAuthorization'> & { readonly transactionId: TransactionId }

/** The Sandbox's answer to an authorization that is PROCESSING. */
export type ResolveAuthorization = Request<'ResolveAuthorization'> & {
  readonly transactionId: TransactionId
  readonly result: 'APPROVED' | 'DECLINED' | 'FAILED'
  readonly providerCode: DeclineCode
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
  readonly partId: RefundId
  readonly result: 'COMPLETED' | 'FAILED'
}

/** The issuer takes a card payment back. */
export type OpenChargeback = Request<'OpenChargeback'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly reason: ChargebackReason | null
  /** A scenario opens it: it is never too late. */
  readonly isForced?: true
}

export type DisputeChargeback = Request<'DisputeChargeback'> & {
  readonly partId: ChargebackId
  readonly text: string
}

/** The network decides, or a time limit does. */
export type ResolveChargeback = Request<'ResolveChargeback'> & {
  readonly partId: ChargebackId
  readonly result: 'WON' | 'LOST'
}

/** The payer's bank contests a PIX. */
export type OpenMed = Request<'OpenMed'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly reason: Med['reason'] | null
  /** A scenario opens it: it is never too late. */
  readonly isForced?: true
}

export type CloseMed = Request<'CloseMed'> & {
  readonly partId: MedId
  readonly result: MedResult
  /** Of an accepted one; null for all that is blocked. */
  readonly returnedCents: Cents | null
}

/** Puts what a transaction still has to come into the balance now. */
export type SettleTransaction = Request<'SettleTransaction'> & { readonly transactionId: TransactionId }
