import type { CalendarDate } from '../calendar.ts'
import type { DocumentType } from '../documents.ts'
import type { AccountId, PixKeyId, ReceivableId, ReceivedPixId, SettlementId, TransactionId } from '../ids.ts'
import type { Cents } from '../money.ts'

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

export type Method = 'PIX'
export type Origin = 'API' | 'DEPOSIT'
export type FailureReason = 'CHARGE_EXPIRED' | 'CANCELLED' | 'REGISTRATION_REJECTED'

/** A charge and its whole life. The same object is a PIX charge, a deposit and a row of the transaction list. */
export type Transaction = {
  readonly id: TransactionId
  readonly accountId: AccountId
  /** Grows by one at every change; receivers of events drop what is older than they have. */
  readonly version: number
  readonly method: Method
  readonly origin: Origin
  readonly status: TransactionStatus
  /** What was asked; it never changes. */
  readonly amountCents: Cents
  readonly paidCents: Cents
  readonly feeCents: Cents
  readonly description: string | null
  readonly reference: string | null
  readonly externalId: string | null
  readonly customer: Customer | null
  readonly metadata: Metadata
  readonly failureReason: FailureReason | null
  readonly cancelReason: string | null
  readonly pix: Pix
  readonly receivables: readonly Receivable[]
  readonly timeline: readonly TimelineStep[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly approvedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly expiredAtMs: number | null
  readonly cancelledAtMs: number | null
  readonly failedAtMs: number | null
}

export type Metadata = Readonly<Record<string, string | number | boolean>>

/** The payer as the merchant described them, kept as a snapshot on the transaction. */
export type Customer = {
  readonly name: string
  readonly document: string | null
  readonly documentType: DocumentType | null
  readonly email: string | null
  readonly phone: string | null
}

export type Pix = {
  /** 32 characters of `[A-Za-z0-9]`; empty for a PIX that came to the key without a charge. */
  readonly txid: string | null
  readonly copyPaste: string | null
  readonly keyId: PixKeyId
  readonly type: 'IMMEDIATE' | 'DUE_DATE'
  readonly dueDate: CalendarDate | null
  readonly expiresInSeconds: number | null
  readonly payment: PixPayment | null
}

export type PixPayment = {
  readonly receivedPixId: ReceivedPixId
  readonly endToEndId: string
  readonly payer: Payer
  /** Null when the charge names no document to compare with. */
  readonly payerMatchesCustomer: boolean | null
  readonly paidAtMs: number
}

/** Who paid, as the payer's bank says. */
export type Payer = {
  readonly name: string
  readonly document: string | null
  readonly documentType: DocumentType | null
  /** Eight characters that name the payer's institution in the payment system. */
  readonly ispb: string
  readonly bankName: string | null
}

export type Receivable = {
  readonly id: ReceivableId
  readonly installment: number
  readonly installments: number
  readonly status: 'SCHEDULED' | 'SETTLED'
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly expectedOn: CalendarDate
  readonly settledAtMs: number | null
  readonly settlementId: SettlementId | null
}

/** One line of the history that the detail shows, also for steps that tell nobody. */
export type TimelineStep = {
  readonly version: number
  readonly type: string
  readonly status: TransactionStatus
  readonly actor: Actor
  readonly atMs: number
  readonly data: Metadata
}

/** Who caused a step: an API key, a provider's or the payer's act, the service's own clock, or the Sandbox. */
export type Actor = {
  readonly kind: 'KEY' | 'PAYER' | 'CLOCK' | 'SANDBOX' | 'OPERATOR'
  readonly id: string | null
}

/** Why money that arrived for a charge goes straight back (decisions, section 10). */
export type ReturnReason = 'PAID_AFTER_EXPIRY' | 'PAID_AFTER_CANCELLATION' | 'DUPLICATE_PAYMENT'
