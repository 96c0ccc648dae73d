import type { ScheduleChange } from '../../ledger/account.ts'
import type { Receivable, Reversal } from '../../ledger/receivable.ts'
import type { ChargebackId, MedId, RefundId, SettlementId, TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Cents } from '../../shared/money.ts'
import type {
  AcquirerData,
  BoletoNumbers,
  BoletoPayment,
  Chargeback,
  FailureDetail,
  FailureReason,
  Med,
  MedResult,
  PixPayment,
  ProviderCall,
  Refund,
  RefundFailure,
  ReturnReason,
  Transaction,
} from './transaction.ts'

declare module '../../kernel/registry.ts' {
  interface ActorFacts {
    readonly transaction: TransactionEvent
  }
}

/** The facts of a transaction, in the past tense. Each raises the version by one. */
export type TransactionEvent =
  | ChargeCreated
  | ChargeIssued
  | BoletoIssued
  | ChargeRefused
  | ChargePaid
  | ChargeExpired
  | ChargeCancelled
  | PaymentReturned
  | BoletoOverdue
  | BoletoPaymentReported
  | BoletoCleared
  | ProviderCalled
  | ProviderCalledAgain
  | ProviderSilent
  | AuthorizationPending
  | CardApproved
  | CardAuthorized
  | CardDeclined
  | AuthorizationTimedOut
  | AuthorizationReversed
  | CardCaptured
  | CaptureRefused
  | CardVoided
  | VoidRefused
  | RefundRequested
  | RefundCompleted
  | RefundFailed
  | ChargebackOpened
  | ChargebackDisputed
  | ChargebackWon
  | ChargebackLost
  | MedOpened
  | MedClosed
  | ReceivablesSettled
  | TransactionSeeded

type Fact<Type extends string> = {
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
    | 'amountCents'
    | 'feeTerms'
    | 'description'
    | 'reference'
    | 'externalId'
    | 'customer'
    | 'customerId'
    | 'metadata'
    | 'subscriptionId'
    | 'invoiceId'
    | 'attempt'
    | 'split'
    | 'providerId'
    | 'pix'
    | 'card'
    | 'boleto'
  >
}

/** The QR code exists and can be paid until `expiresAtMs`. */
export type ChargeIssued = Fact<'ChargeIssued'> & {
  readonly txid: string
  readonly copyPaste: string
  readonly expiresAtMs: number
}

/** The boleto is registered, and can be paid until `expiresAtMs`; by PIX too where it has a QR code. */
export type BoletoIssued = Fact<'BoletoIssued'> & {
  readonly numbers: BoletoNumbers
  readonly pix: Transaction['pix']
  /** From here on it costs a fine and interest. */
  readonly lateAtMs: number
  readonly expiresAtMs: number
}

/** The institution did not register the charge, or the acquirer could not be used for it. */
export type ChargeRefused = Fact<'ChargeRefused'> & {
  readonly failureReason: FailureReason
  readonly callId: string | null
}

/** A PIX paid the charge, or a boleto by its QR code: then what it paid of fine and interest was reported just before. */
export type ChargePaid = Fact<'ChargePaid'> & {
  readonly paidCents: Cents
  readonly feeCents: Cents
  readonly payment: PixPayment
  readonly receivables: readonly Receivable[]
}

export type ChargeExpired = Fact<'ChargeExpired'>

export type ChargeCancelled = Fact<'ChargeCancelled'> & { readonly reason: string | null }

/** Money arrived that this charge could not take, and went back in full at once. */
export type PaymentReturned = Fact<'PaymentReturned'> & {
  readonly returnReason: ReturnReason
  readonly amountCents: Cents
  readonly payment: PixPayment
}

export type BoletoOverdue = Fact<'BoletoOverdue'>

/** The bank says that it was paid; the money is there when it clears. */
export type BoletoPaymentReported = Fact<'BoletoPaymentReported'> & { readonly payment: BoletoPayment }

export type BoletoCleared = Fact<'BoletoCleared'> & {
  readonly payment: BoletoPayment
  readonly feeCents: Cents
  readonly receivables: readonly Receivable[]
}

/** The intent: a provider is asked as soon as this is on disk. */
export type ProviderCalled = Fact<'ProviderCalled'> & { readonly call: ProviderCall }

export type ProviderCalledAgain = Fact<'ProviderCalledAgain'> & { readonly callId: string }

/** No answer, or none yet: it is asked again with the same reference. */
export type ProviderSilent = Fact<'ProviderSilent'> & {
  readonly callId: string
  readonly dueAtMs: number
}

/** The acquirer has not decided in time for the merchant to wait. */
export type AuthorizationPending = Fact<'AuthorizationPending'> & {
  readonly callId: string
  readonly dueAtMs: number
}

/** Authorized and captured at once. */
export type CardApproved = Fact<'CardApproved'> & {
  readonly callId: string
  readonly acquirer: AcquirerData
  readonly feeCents: Cents
  readonly receivables: readonly Receivable[]
}

export type CardAuthorized = Fact<'CardAuthorized'> & {
  readonly callId: string
  readonly acquirer: AcquirerData
  readonly expiresAtMs: number
}

export type CardDeclined = Fact<'CardDeclined'> & {
  readonly callId: string
  readonly acquirer: AcquirerData
  readonly failureReason: FailureReason
  readonly failureDetail: FailureDetail
}

/** Nobody knows whether the card was charged: what the acquirer may have done is taken back. */
export type AuthorizationTimedOut = Fact<'AuthorizationTimedOut'> & { readonly callId: string }

export type AuthorizationReversed = Fact<'AuthorizationReversed'> & { readonly callId: string }

export type CardCaptured = Fact<'CardCaptured'> & {
  readonly callId: string
  readonly capturedCents: Cents
  readonly feeCents: Cents
  readonly receivables: readonly Receivable[]
}

export type CaptureRefused = Fact<'CaptureRefused'> & { readonly callId: string; readonly message: string }

export type CardVoided = Fact<'CardVoided'> & { readonly callId: string; readonly reason: string | null }

export type VoidRefused = Fact<'VoidRefused'> & { readonly callId: string; readonly message: string }

export type RefundRequested = Fact<'RefundRequested'> & {
  readonly refundId: RefundId
  readonly amountCents: Cents
  readonly origin: Refund['origin']
  readonly reason: string | null
  /** Of whoever asked; null where nobody did over HTTP. */
  readonly address: string | null
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
}

export type ChargebackOpened = Fact<'ChargebackOpened'> & {
  readonly chargeback: Chargeback
  readonly reversal: Reversal
}

export type ChargebackDisputed = Fact<'ChargebackDisputed'> & {
  readonly chargebackId: ChargebackId
  readonly text: string
}

export type ChargebackWon = Fact<'ChargebackWon'> & {
  readonly chargebackId: ChargebackId
  /** The reversal undone: what goes back to where it came from. */
  readonly release: Reversal
}

export type ChargebackLost = Fact<'ChargebackLost'> & {
  readonly chargebackId: ChargebackId
  readonly lostReason: NonNullable<Chargeback['lostReason']>
  readonly receivables: readonly Receivable[]
}

export type MedOpened = Fact<'MedOpened'> & { readonly med: Med }

export type MedClosed = Fact<'MedClosed'> & {
  readonly medId: MedId
  readonly result: MedResult
  readonly returnedCents: Cents
}

/** Its receivables went into the balance by themselves, ahead of their batches. */
export type ReceivablesSettled = Fact<'ReceivablesSettled'> & {
  readonly settlementId: SettlementId
  readonly receivables: readonly Receivable[]
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly receivablesCount: number
  readonly schedule: readonly ScheduleChange[]
}

/** Put there by the Sandbox as if it had happened: for lists and exports. */
export type TransactionSeeded = Fact<'TransactionSeeded'> & {
  readonly transaction: Omit<Transaction, 'timeline' | 'version'>
}
