import type { BillingMethod } from '../../../engine/billing/catalog/plan.ts'
import type { RevenueChange } from '../../../engine/billing/figures/figures.ts'
import type { PaymentData } from '../../../engine/billing/payment-means.ts'
import type { SubscriptionStatus } from '../../../engine/billing/subscription/subscription.ts'
import type { ChosenRoute, RouteReason } from '../../../engine/connections/way.ts'
import type { ScheduleChange } from '../../../engine/ledger/account.ts'
import type { Issuer } from '../../../engine/ledger/issuer.ts'
import type { Posting } from '../../../engine/ledger/postings.ts'
import type { Payer } from '../../../engine/payments/methods/pix/pix.ts'
import type { Declaration } from '../../../engine/payments/sent-money.ts'
import type { FailureReason, ReturnReason } from '../../../engine/payments/transaction/transaction.ts'
import type { BankAccount } from '../../../engine/recipients/recipient.ts'
import type { PostalAddress } from '../../../engine/shared/address.ts'
import { assert } from '../../../engine/shared/assert.ts'
import type { Network } from '../../../engine/shared/asset.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import type { DocumentType } from '../../../engine/shared/documents.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import type { Initiator } from '../../../engine/shared/initiator.ts'
import type { Asset, Currency, Method } from '../../../engine/shared/method.ts'
import type { Traceparent } from '../../../engine/shared/traceparent.ts'
import {
  blob,
  bool,
  enumeration,
  type Layout,
  list,
  nullable,
  number,
  openEnumeration,
  optional,
  personal,
  record,
  repeatedText,
  since,
  text,
} from '../layout.ts'

/** Layouts shared by facts of several kinds of actor. */
export const accountId = repeatedText<AccountId>()
export const dateLayout = text<CalendarDate>()

export const initiator = record<Initiator>({
  kind: enumeration({ KEY: 1, PAYER: 2, CLOCK: 3, SANDBOX: 4, OPERATOR: 5, PROVIDER: 6, PERSON: 7 }),
  id: nullable(repeatedText()),
})

export const method = openEnumeration<Method>({
  PIX: 1,
  BOLETO: 2,
  CREDIT_CARD: 3,
  DEBIT_CARD: 4,
  CRYPTO: 5,
})
export const currencyLayout = enumeration<Currency>({ BRL: 1, USDT: 2, USDC: 3 })
export const assetLayout = enumeration<Asset>({ USDT: 2, USDC: 3 })
export const networkLayout = enumeration<Network>({ TRON: 1, ETHEREUM: 2, POLYGON: 3, BASE: 4, SOLANA: 5 })
export const billingMethodLayout = enumeration<BillingMethod>({ PIX: 1, BOLETO: 2, CREDIT_CARD: 3 })

export const chosenRouteLayout = record<ChosenRoute>({
  connectionId: repeatedText(),
  providerId: repeatedText(),
  reason: enumeration<RouteReason>({
    ENVIRONMENT: 1,
    PRIMARY: 2,
    FALLBACK: 3,
    PRIMARY_SILENT: 4,
    NONE_ANSWERS: 5,
  }),
})

export const declarationLayout = record<Declaration>({
  outcome: enumeration({ SENT: 1, NOT_SENT: 2 }),
  endToEndId: nullable(text()),
  reason: text(),
})

const documentType = enumeration<DocumentType>({ CPF: 1, CNPJ: 2 })

const address = record<PostalAddress>({
  street: text(),
  number: text(),
  complement: nullable(text()),
  district: text(),
  city: text(),
  state: text(),
  zip: text(),
})

export const customerLayout = record<Customer>({
  name: text(),
  document: nullable(text()),
  documentType: nullable(documentType),
  email: nullable(text()),
  phone: nullable(text()),
  address: nullable(address),
})

/** Who issued a document; what was issued before version 9 has none. */
export const issuerSince9 = since(
  9,
  optional(record<Issuer>({ name: text(), city: text(), address: nullable(address), timeZone: text() })),
  undefined,
)

/** The bank of a payer says nothing about them. */
const knownPayerLayout = record<Payer>({
  name: personal(text(), ''),
  document: personal(nullable(text()), null),
  documentType: personal(nullable(documentType), null),
  ispb: text(),
  bankName: nullable(text()),
})

/** A payer of whom the bank says nothing was unknown before version 14: each had one. */
export const payerLayout: Layout<Payer | null> = {
  write: (payer) => {
    isPayerKnown.write(payer !== null)
    knownPayerLayout.write(payer ?? unknownPayer)
  },
  read: () => {
    const isKnown = isPayerKnown.read()
    const payer = knownPayerLayout.read()
    return isKnown ? payer : null
  },
}

const isPayerKnown = since(14, bool, true)
const unknownPayer: Payer = { name: '', document: null, documentType: null, ispb: '', bankName: null }

export const returnReason = enumeration<ReturnReason>(
  { PAID_AFTER_EXPIRY: 1, PAID_AFTER_CANCELLATION: 2, DUPLICATE_PAYMENT: 3, AMOUNT_MISMATCH: 4 },
  { AMOUNT_MISMATCH: 14 },
)

export const failureReasonLayout = enumeration<FailureReason>({
  CHARGE_EXPIRED: 1,
  CANCELLED: 2,
  REGISTRATION_REJECTED: 3,
  AUTHORIZATION_EXPIRED: 4,
  PROVIDER_ERROR: 5,
  ACQUIRER_TIMEOUT: 6,
  ANTIFRAUD_DECLINED: 7,
  GENERIC_DECLINE: 8,
  INSUFFICIENT_FUNDS: 9,
  SUSPECTED_FRAUD: 10,
  AMOUNT_LIMIT_EXCEEDED: 11,
  CARD_TEMPORARILY_BLOCKED: 12,
  CARD_NOT_UNLOCKED: 13,
  ISSUER_UNAVAILABLE: 14,
  INVALID_CARD: 15,
  LOST_CARD: 16,
  STOLEN_CARD: 17,
  ACCOUNT_CLOSED: 18,
  EXPIRED_CARD: 19,
  TRANSACTION_NOT_PERMITTED: 20,
  SECURITY_VIOLATION: 21,
  UNDERPAID: 22,
})

export const postings = list(
  record<Posting>({
    account: enumeration(
      {
        available: 1,
        receivable: 2,
        blocked: 3,
        fees: 4,
        payer: 5,
        recipients: 6,
        paidOut: 7,
        exchange: 8,
        taxes: 9,
        suspense: 10,
        taxesWithheld: 11,
        feeDifference: 12,
      },
      { suspense: 14, taxesWithheld: 14, feeDifference: 14 },
    ),
    cents: number(),
  }),
)

export const schedule = list(
  record<ScheduleChange>({
    id: text(),
    method,
    date: dateLayout,
    grossCents: number(),
    feeCents: number(),
    receivablesCount: number(),
  }),
)

export const bankAccount = record<BankAccount>({ bankCode: text(), branch: text(), account: text() })

export const subscriptionStatusLayout = enumeration<SubscriptionStatus>({
  SCHEDULED: 1,
  TRIALING: 2,
  PENDING: 3,
  ACTIVE: 4,
  PAST_DUE: 5,
  PAUSED: 6,
  SUSPENDED: 7,
  CANCELLED: 8,
  COMPLETED: 9,
})

export const revenue = list(
  record<RevenueChange>({
    interval: enumeration({ WEEK: 1, MONTH: 2, QUARTER: 3, SEMESTER: 4, YEAR: 5, CUSTOM: 6 }),
    intervalCount: number(),
    cents: number(),
  }),
)

export const paymentData = record<PaymentData>({
  copyPaste: nullable(repeatedText()),
  barCode: nullable(repeatedText()),
  dueDate: nullable(dateLayout),
  expiresAtMs: number(),
})

/** A traceparent, stored as the 25 bytes that its digits represent. */
export const traceparent: Layout<Traceparent> = {
  write: (value) => blob.write(Buffer.from(value.slice(3).replaceAll('-', ''), 'hex')),
  read: () => {
    const { buffer, byteOffset, length } = blob.read()
    assert(length === 25, 'a stored traceparent is whole')
    const digits = Buffer.from(buffer, byteOffset, length).toString('hex')
    return `00-${digits.slice(0, 32)}-${digits.slice(32, 48)}-${digits.slice(48)}` as Traceparent
  },
}
