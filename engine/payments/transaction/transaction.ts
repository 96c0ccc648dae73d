/**
 * The transaction: one actor for a charge of any method, from its creation to its refunds and disputes. Each
 * method adds its own commands and facts; those that all methods share are here.
 */
import type { Idempotency } from '../../kernel/command.ts'
import type { FeeTerms } from '../../ledger/fees.ts'
import type { Receivable, RefundShare } from '../../ledger/receivable.ts'
import type { Split } from '../../ledger/split.ts'
import type { Customer } from '../../shared/customer.ts'
import type {
  AccountId,
  ChargebackId,
  ConnectionId,
  CustomerId,
  InvoiceId,
  MedId,
  ReceivedPixId,
  RefundId,
  SubscriptionId,
  TransactionId,
} from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { ChargeOrigin, Currency, Method, Methods } from '../../shared/method.ts'
import type { Cents } from '../../shared/money.ts'
import type { DeclineReason } from '../methods/card/decline-codes.ts'
import type { ChargeDetails } from './details.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly transaction: Transaction
  }
}

/** The complete set of statuses (decisions, section 9). */
export const transactionStatuses = [
  'CREATED',
  'PENDING',
  'PROCESSING',
  'AUTHORIZED',
  'APPROVED',
  'DECLINED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'CHARGEBACK',
] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** Why a transaction will not be paid (decisions, sections 9 and 12). */
export type FailureReason =
  | 'CHARGE_EXPIRED'
  | 'CANCELLED'
  | 'REGISTRATION_REJECTED'
  | 'AUTHORIZATION_EXPIRED'
  | 'PROVIDER_ERROR'
  | 'ACQUIRER_TIMEOUT'
  | 'ANTIFRAUD_DECLINED'
  /** Less than its amount had arrived when its time was over. */
  | 'UNDERPAID'
  | DeclineReason

/** A charge over its whole life, whatever the method. The same object is a PIX charge, a boleto, a card payment. */
export type Transaction = {
  readonly id: TransactionId
  readonly accountId: AccountId
  /** Grows by one with every change, so that receivers of events can drop older ones. */
  readonly version: number
  readonly method: Method
  readonly origin: ChargeOrigin
  readonly status: TransactionStatus
  readonly currency: Currency
  /** The requested amount; never changes. */
  readonly amountCents: Cents
  readonly paidCents: Cents
  /** What the company pays for the payment, less what reversals returned. */
  readonly feeCents: Cents
  /** The terms that the fee follows, fixed when the charge was created. */
  readonly feeTerms: FeeTerms
  readonly details: ChargeDetails
  readonly customer: Customer | null
  readonly customerId: CustomerId | null
  /** Set when the charge collects an invoice of a subscription. */
  readonly subscriptionId: SubscriptionId | null
  readonly invoiceId: InvoiceId | null
  /** The access keys of the fiscal documents of the sale. Missing while there are none. */
  readonly fiscalDocuments?: readonly string[] | undefined
  /** Which charge of its subscription it is, from 1. */
  readonly attempt: number | null
  /** How it is divided; null when all of it is the company's. */
  readonly split: Split | null
  /** The name of the provider that processes it, connected when it was created. */
  readonly providerId: string
  /** The connection of the account by which it was made: refunds go the same way. Null where the environment's own provider did. */
  readonly connectionId: ConnectionId | null
  readonly failureReason: FailureReason | null
  readonly failureDetail: FailureDetail | null
  readonly cancelReason: string | null
  /** How it is paid: the data of its method. */
  readonly means: Means
  readonly receivables: readonly Receivable[]
  readonly reversals: Reversals
  /** Provider calls without a decisive answer yet. */
  readonly calls: readonly ProviderCall[]
  readonly timeline: readonly TimelineStep[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly approvedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly expiredAtMs: number | null
  readonly cancelledAtMs: number | null
  readonly failedAtMs: number | null
}

/** What a charge's method stores in it. */
export type Means = Methods[Method]['means']

export type FailureDetail = {
  /** The ABECS code of a declined card, as text: providers know more codes than we do. */
  readonly providerCode: string | null
  readonly message: string
  /** Whether the same card may be retried. */
  readonly retryable: boolean
}

/** Everything that takes a payment back. */
export type Reversals = {
  readonly refunds: readonly Refund[]
  /** At most one: a won chargeback is final. */
  readonly chargebacks: readonly Chargeback[]
  readonly meds: readonly Med[]
  /** PIX that came by a bank's connection and could not be kept, the oldest first. Missing while there are none. */
  readonly returns?: readonly ReturningPix[]
}

/** A PIX that came in, is not kept, and goes back by calls to the bank. */
export type ReturningPix = {
  readonly receivedPixId: ReceivedPixId
  readonly endToEndId: string
  readonly amountCents: Cents
  readonly returnReason: ReturnReason
  /** FAILED: the bank refused every attempt, and the money is in the ledger account `suspense`. */
  readonly status: 'RETURNING' | 'RETURNED' | 'FAILED'
  /** How many attempts have begun: each has an id of its own at the bank. */
  readonly attempts: number
  /** When the next attempt begins; null while one is under way, or no more will. */
  readonly retryAtMs: number | null
  /** What went back of it without us, in the bank's app or by a MED, while it was not all. Missing while there is none. */
  readonly parts?: readonly ReturnedPart[]
}

/** A part of a PIX that went back, by its id at the bank. */
export type ReturnedPart = { readonly bankReturnId: string; readonly amountCents: Cents }

export type Refund = {
  readonly id: RefundId
  readonly amountCents: Cents
  readonly status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  readonly origin: 'API' | 'DASHBOARD' | 'CARD_CANCEL' | 'MED' | 'BANK'
  readonly reason: string | null
  readonly failureReason: RefundFailure | null
  /** What the bank said of a refused one; missing where it said nothing. */
  readonly failureMessage?: string | null
  readonly feeReversedCents: Cents
  /** Each party's part of the returned money, once it went; null when all of it is the company's. */
  readonly split: readonly RefundShare[] | null
  /** For a PIX, the id under which the money is returned. */
  readonly returnId: string | null
  /** The bank's own id of a return that we did not ask for. */
  readonly bankReturnId?: string
  readonly createdAtMs: number
  readonly completedAtMs: number | null
  readonly failedAtMs: number | null
}

export type RefundFailure = 'REFUSED_BY_PROVIDER' | 'DISPUTE_OPENED'

export const chargebackReasons = [
  'FRAUD',
  'PRODUCT_NOT_RECEIVED',
  'PRODUCT_UNACCEPTABLE',
  'DUPLICATE',
  'CREDIT_NOT_PROCESSED',
  'SUBSCRIPTION_CANCELLED',
  'OTHER',
] as const
export type ChargebackReason = (typeof chargebackReasons)[number]

export type Chargeback = {
  readonly id: ChargebackId
  /** What is taken of it. */
  readonly amountCents: Cents
  /**
   * What the issuer disputes, less what refunds have returned that were on their way when it came: what is not decided of these is not taken. Missing
   * where there were none.
   */
  readonly disputedCents?: Cents
  /** The network's own code. */
  readonly reasonCode: string
  readonly reason: ChargebackReason
  readonly status: 'OPEN' | 'UNDER_REVIEW' | 'WON' | 'LOST'
  readonly lostReason: 'NO_DEFENSE' | 'DEFENSE_REJECTED' | null
  /** The status that a won chargeback restores. */
  readonly statusBefore: TransactionStatus
  /** The part taken from the fee, restored by a win. */
  readonly feeCents: Cents
  readonly defense: { readonly text: string; readonly submittedAtMs: number } | null
  readonly openedAtMs: number
  readonly defenseDueAtMs: number
  readonly resolvedAtMs: number | null
  readonly updatedAtMs: number
}

/** The payer's bank contests a received PIX (Mecanismo Especial de Devolução). */
export type Med = {
  readonly id: MedId
  readonly amountCents: Cents
  readonly blockedCents: Cents
  readonly returnedCents: Cents
  readonly reason: 'FRAUD' | 'OPERATIONAL_FAILURE'
  readonly status: 'OPEN' | 'CLOSED'
  readonly result: MedResult | null
  readonly details: string | null
  /** The payment with which the chain of a MED 2.0 began, if it went to another account. Missing in older MEDs. */
  readonly rootEndToEndId?: string | null
  /** The id of the infraction report at the bank that reported it. */
  readonly bankMedId?: string
  /** What the merchant said while it was open. */
  readonly defense?: Statement | undefined
  /** Why the bank did not take what they said last. */
  readonly defenseRefusal?: string
  /** The merchant wants back what was returned. */
  readonly contest?: MedContest
  readonly openedAtMs: number
  readonly analysisDueAtMs: number
  readonly closedAtMs: number | null
}

/** What a merchant states in a dispute, with the files that prove it. */
export type Statement = {
  readonly text: string
  readonly files: readonly EvidenceFile[]
  readonly submittedAtMs: number
}

export type EvidenceFile = {
  readonly name: string
  readonly mediaType: 'application/pdf' | 'image/png' | 'image/jpeg'
  readonly base64: string
}

export type MedContest = Statement & {
  readonly status: 'UNDER_REVIEW' | 'WON' | 'LOST'
  readonly resolvedAtMs: number | null
}

export type MedResult = 'ACCEPTED' | 'REJECTED' | 'CANCELLED'

/** A provider call waiting for its answer. The intent is in the journal before the provider is called. */
export type ProviderCall = {
  /** The reference at the provider: repeating the call never acts twice. */
  readonly id: string
  readonly operation: ProviderOperation
  readonly amountCents: Cents
  readonly refundId: RefundId | null
  /** The PIX that it sends back. */
  readonly receivedPixId: ReceivedPixId | null
  /** The merchant's reason, for the fact that the answer leads to. */
  readonly reason: string | null
  readonly openedAtMs: number
  /** How often it went unanswered. */
  readonly unanswered: number
  /** When it is repeated, on the environment clock; null while it is under way. */
  readonly dueAtMs: number | null
  /** The merchant's key for the effect of the answer. */
  readonly idempotency: Idempotency | null
}

export type ProviderOperation =
  | 'AUTHORIZE'
  | 'CAPTURE'
  | 'VOID'
  | 'REFUND'
  | 'REVERSE'
  | 'OPEN_ADDRESS'
  | BankOperation

/** What a bank is asked about a charge that is registered with it. */
export type BankOperation = 'REGISTER' | 'CANCEL' | 'READ_CHARGE' | 'RETURN' | 'DEFEND_MED'

/** One line of the history in a transaction's details, also for steps without a public event. */
export type TimelineStep = {
  readonly version: number
  readonly type: string
  readonly status: TransactionStatus
  readonly actor: Initiator
  readonly atMs: number
  readonly data: Metadata
}

/** Why money for a charge is returned at once (decisions, section 10). */
export type ReturnReason =
  | 'PAID_AFTER_EXPIRY'
  | 'PAID_AFTER_CANCELLATION'
  | 'DUPLICATE_PAYMENT'
  /** The bank took another amount than the charge's. */
  | 'AMOUNT_MISMATCH'
