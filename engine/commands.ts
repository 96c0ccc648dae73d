import type { CatalogCommand } from './billing/catalog/catalog-commands.ts'
import type { SubscriptionCommand } from './billing/subscription/commands.ts'
import type { Profile } from './ledger/account.ts'
import type { DeclineCode } from './payments/methods/card/declines.ts'
import type { Family } from './payments/transaction/family.ts'
import type {
  BoletoInput,
  Card,
  ChargebackReason,
  Currency,
  Med,
  MedResult,
  Method,
  Origin,
  Payer,
  TransactionStatus,
} from './payments/transaction/transaction.ts'
import type { BankAccount, Recipient } from './payouts/recipient.ts'
import type { SplitRule } from './payouts/split-rule.ts'
import type { PayoutAnswer, ProviderAnswer } from './providers.ts'
import type { CalendarDate } from './shared/calendar.ts'
import type {
  AccountId,
  ChargebackId,
  CustomerId,
  DeliveryId,
  EndpointId,
  EventId,
  InvoiceId,
  MedId,
  RecipientId,
  RefundId,
  SplitRuleId,
  SplitTransferId,
  SubscriptionId,
  TransactionId,
} from './shared/ids.ts'
import type { Initiator } from './shared/initiator.ts'
import type { Metadata } from './shared/metadata.ts'
import type { Cents } from './shared/money.ts'
import type { Customer } from './shared/party.ts'
import type { Traceparent } from './shared/traceparent.ts'
import type { AttemptOutcome } from './webhooks/delivery.ts'

/** Every request that an account's actors can get. Plain data: it travels between threads and nodes. */
export type Command =
  | OpenAccount
  | RegisterCustomer
  | TransactionCommand
  | SettleDay
  | AdvanceClock
  | ResetClock
  | RequestSampleEvent
  | ClearSandbox
  | ScheduleDeliveries
  | RecordAttempt
  | CancelDelivery
  | ResendDelivery
  | ReplayEvents
  | CatalogCommand
  | RegisterCommand
  | TransferCommand
  | SubscriptionCommand

/** About a charge, and what comes of it. */
export type TransactionCommand =
  | CreateCharge
  | SeedTransaction
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

/** About recipients of splits, and the rules that name them. */
export type RegisterCommand =
  | CreateRecipient
  | ChangeRecipient
  | RemoveRecipient
  | CreateSplitRule
  | ChangeSplitRule
  | RemoveSplitRule

/** About transfers to recipients. */
export type TransferCommand = FundTransfer | SendTransfer | CallBankAgain | RecordPayout

export type Request<Type extends string> = {
  readonly type: Type
  readonly accountId: AccountId
  readonly by: Initiator
  readonly idempotency?: Idempotency
  /** The trace that it is part of, and what follows from it. */
  readonly traceparent?: Traceparent | undefined
}

/** The merchant's key for this effect, and what the effect was. The same key with another fingerprint is refused. */
export type Idempotency = { readonly key: string; readonly fingerprint: string }

/** Opens the account, or tells an open one the newest profile of its company. */
export type OpenAccount = Request<'OpenAccount'> & { readonly profile: Profile }

/** Puts a payer into the register. */
export type RegisterCustomer = Request<'RegisterCustomer'> & {
  readonly customerId: CustomerId
  readonly customer: Customer
  readonly externalId: string | null
  readonly metadata: Metadata
}

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

/** How long a PIX charge can be paid (decisions, section 10, Validity). */
export type PixTerms = {
  readonly method: 'PIX'
  readonly expiresInSeconds: number | null
  /** A date, or an instant whose date in the company's zone is meant. */
  readonly due: { readonly date: CalendarDate } | { readonly instantMs: number } | null
}

/** A card that the acquirer knows by its token. */
export type CardTerms = {
  readonly method: 'CREDIT_CARD'
  readonly installments: number
  readonly captures: boolean
  readonly card: Pick<Card, 'token' | 'tokenFingerprint' | 'brand' | 'last4' | 'bin' | 'holderName'>
}

export type BoletoTerms = BoletoInput & {
  readonly method: 'BOLETO'
  /** Whether it can be paid by PIX too. */
  readonly withPix: boolean
}

/** A transaction as if it had happened (decisions, section 29). */
export type SeedTransaction = Request<'SeedTransaction'> & {
  readonly transactionId: TransactionId
  readonly method: Method
  readonly origin: Origin
  readonly status: TransactionStatus
  readonly currency: Currency
  readonly amountCents: Cents
  readonly installments: number
  readonly description: string | null
  readonly reference: string | null
  readonly externalId: string | null
  readonly customer: Customer | null
  readonly metadata: Metadata
  /** Not after now; null for now. */
  readonly createdAtMs: number | null
}

/** A payment of the charge's QR code. */
export type ReceivePix = Request<'ReceivePix'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly payer: Payer | null
}

/** A PIX to the account's key that no charge asked for. */
export type ReceiveUnrequestedPix = Request<'ReceiveUnrequestedPix'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents
  readonly payer: Payer | null
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
export type PayBoletoByPix = Request<'PayBoletoByPix'> & {
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
}

export type CloseMed = Request<'CloseMed'> & {
  readonly partId: MedId
  readonly result: MedResult
  /** Of an accepted one; null for all that is blocked. */
  readonly returnedCents: Cents | null
}

/** Puts what a transaction still has to come into the balance now. */
export type SettleTransaction = Request<'SettleTransaction'> & { readonly transactionId: TransactionId }

/** Runs the batches of a day. */
export type SettleDay = Request<'SettleDay'> & { readonly date: CalendarDate }

/** To an instant, or by an ISO 8601 duration from what the clock shows. */
export type AdvanceClock = Request<'AdvanceClock'> & {
  readonly step: { readonly toMs: number } | { readonly by: string }
  /** Real time at which it is answered though the clock is still on its way. Without it the answer waits for the arrival. */
  readonly answerByMs?: number
}
export type ResetClock = Request<'ResetClock'>
export type RequestSampleEvent = Request<'RequestSampleEvent'> & { readonly eventType: string }
export type ClearSandbox = Request<'ClearSandbox'>

export type ScheduleDeliveries = Request<'ScheduleDeliveries'> & {
  readonly eventId: EventId
  readonly eventType: string
  readonly objectId: string
  /** Rendered once; every attempt of every delivery sends these bytes. */
  readonly body: Uint8Array
  readonly endpointIds: readonly EndpointId[]
}

export type RecordAttempt = Request<'RecordAttempt'> & {
  readonly deliveryId: DeliveryId
  readonly outcome: AttemptOutcome
}

export type CancelDelivery = Request<'CancelDelivery'> & { readonly deliveryId: DeliveryId }
export type ResendDelivery = Request<'ResendDelivery'> & { readonly deliveryId: DeliveryId }

/** Sends events again, or for the first time, to one endpoint alone. */
export type ReplayEvents = Request<'ReplayEvents'> & {
  readonly endpointId: EndpointId
  readonly events: readonly Pick<ScheduleDeliveries, 'eventId' | 'eventType' | 'objectId' | 'body'>[]
}

export type CreateRecipient = Request<'CreateRecipient'> &
  Pick<Recipient, 'name' | 'document' | 'documentType' | 'email' | 'bank' | 'metadata'> & {
    readonly recipientId: RecipientId
  }

/** What is left out stays as it is. */
export type ChangeRecipient = Request<'ChangeRecipient'> & {
  readonly recipientId: RecipientId
  readonly changes: Partial<Pick<Recipient, 'name' | 'email' | 'metadata' | 'isActive'>> & {
    readonly bank?: Partial<BankAccount>
  }
}

export type RemoveRecipient = Request<'RemoveRecipient'> & { readonly recipientId: RecipientId }

export type CreateSplitRule = Request<'CreateSplitRule'> &
  Pick<SplitRule, 'name' | 'items' | 'metadata' | 'isActive'> & { readonly ruleId: SplitRuleId }

/** What is left out stays as it is. */
export type ChangeSplitRule = Request<'ChangeSplitRule'> & {
  readonly ruleId: SplitRuleId
  readonly changes: Partial<Pick<SplitRule, 'name' | 'items' | 'metadata' | 'isActive'>>
}

export type RemoveSplitRule = Request<'RemoveSplitRule'> & { readonly ruleId: SplitRuleId }

/** The batch that brings a transfer's money has run. */
export type FundTransfer = Request<'FundTransfer'> & { readonly transferId: SplitTransferId }

/** A transfer that waited for its next try, or for a bank. */
export type SendTransfer = Request<'SendTransfer'> & { readonly transferId: SplitTransferId }

/** A bank that did not answer is asked again. */
export type CallBankAgain = Request<'CallBankAgain'> & { readonly transferId: SplitTransferId }

/** What the bank said to a payout. */
export type RecordPayout = Request<'RecordPayout'> & {
  readonly transferId: SplitTransferId
  readonly callId: string
  readonly answer: PayoutAnswer
}
