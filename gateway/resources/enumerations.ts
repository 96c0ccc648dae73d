import { billingMethods, type Interval } from '../../engine/billing/catalog/plan.ts'
import type { CouponStatus } from '../../engine/billing/catalog/redemption.ts'
import type { InvoiceStatus } from '../../engine/billing/invoice/invoice.ts'
import type { SubscriberStatus } from '../../engine/billing/subscriber/subscriber.ts'
import type { SubscriptionStatus } from '../../engine/billing/subscription/subscription.ts'
import { eventTypes } from '../../engine/kernel/event-types.ts'
import { brands } from '../../engine/ledger/card-rates.ts'
import type { SplitTransferStatus } from '../../engine/marketplace/split-transfer.ts'
import type { DeclineReason } from '../../engine/payments/methods/card/decline-codes.ts'
import { methodNames } from '../../engine/payments/methods/index.ts'
import { chargeProducts, transactionKinds } from '../../engine/payments/transaction/row.ts'
import {
  type Chargeback,
  chargebackReasons,
  type FailureReason,
  type TransactionStatus,
} from '../../engine/payments/transaction/transaction.ts'
import { currencies, origins } from '../../engine/shared/method.ts'
import { providerNames } from '../providers/index.ts'
import { described, named } from '../schema/named-schema.ts'
import { choice } from '../schema/schema.ts'

/** The enumerations that requests and answers share, with the meaning of each value. */

const oneOf = <Word extends string>(title: string, what: string, words: readonly Word[]) =>
  named(title, described(choice(...words), what))

const meanings = <Word extends string>(
  title: string,
  what: string,
  words: Readonly<Record<Word, string>>,
) => {
  const list = Object.entries<string>(words).map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
  return oneOf(title, `${what}\n\n${list.join('\n')}`, Object.keys(words) as Word[])
}

export const environment = oneOf('Environment', 'The key decides it: `svc_test_…` is SANDBOX.', [
  'SANDBOX',
  'PRODUCTION',
])

export const transactionStatus = meanings(
  'TransactionStatus',
  'DECLINED, FAILED, CANCELLED, EXPIRED and REFUNDED are final.',
  {
    CREATED: 'accepted; only events show it',
    PENDING: 'the payer can pay',
    PROCESSING: 'the bank or acquirer has not confirmed it yet',
    AUTHORIZED: 'the card’s issuer holds the amount, and it can be captured',
    APPROVED: 'paid',
    DECLINED: 'the card was refused',
    FAILED: 'it could not be made',
    CANCELLED: 'taken back before it was paid',
    EXPIRED: 'not paid in time',
    PARTIALLY_REFUNDED: 'paid, and a part of it given back',
    REFUNDED: 'paid, and all of it given back',
    CHARGEBACK: 'the card’s holder contests it, or has won',
  } satisfies Record<TransactionStatus, string>,
)

export const boletoStatus = meanings('BoletoStatus', 'The status of a boleto.', {
  REGISTERED: 'payable',
  OVERDUE: 'payable, with fine and interest',
  PROCESSING: 'the bank reports a payment that has not cleared',
  PAID: 'cleared',
  CANCELLED: 'written off by you',
  EXPIRED: 'written off 59 days after the due date',
  REJECTED: 'the bank refused to register it',
})

export const paymentMethod = oneOf(
  'PaymentMethod',
  'How the payer pays. DEBIT_CARD cannot be created by this API.',
  methodNames,
)

export const billingMethod = oneOf('BillingMethod', 'How a subscriber pays.', billingMethods)

export const brand = oneOf('Brand', 'The card’s network.', brands)

export const origin = oneOf(
  'TransactionOrigin',
  'Where it was asked for. SUBSCRIPTION: recurring billing. DEPOSIT: your own.',
  origins,
)

export const product = oneOf(
  'TransactionProduct',
  'What the company activates to take such charges.',
  chargeProducts,
)

export const kind = oneOf(
  'TransactionKind',
  'The origin where it is CHECKOUT, LINK, SUBSCRIPTION or DEPOSIT; else the method.',
  transactionKinds,
)

export const currency = oneOf(
  'Currency',
  'BRL; another one of CRYPTO only, with amounts in the smallest unit.',
  currencies,
)

export const providerId = oneOf('ProviderId', 'Who processes it: the settler of the facets.', providerNames)

export const chargebackReason = oneOf(
  'ChargebackReason',
  'Why the card’s holder contests it.',
  chargebackReasons,
)

export const chargebackStatus = meanings('ChargebackStatus', 'The status of a chargeback.', {
  OPEN: 'a defense can be sent until `defenseDueAt`',
  UNDER_REVIEW: 'a defense was sent, and the network decides',
  WON: 'the money is back',
  LOST: 'the money is gone',
} satisfies Record<Chargeback['status'], string>)

export const transferStatus = meanings('SplitTransferStatus', 'The status of a transfer to a recipient.', {
  AWAITING_FUNDS: 'the payment has not settled',
  SCHEDULED: 'it is paid out next',
  PROCESSING: 'it is with the bank',
  COMPLETED: 'the recipient has it',
  FAILED: 'the bank refused it',
  CANCELLED: 'a reversal took all of it before it was paid out',
  REVERSED: 'a reversal took all of it afterwards: the recipient owes it',
} satisfies Record<SplitTransferStatus, string>)

export const interval = meanings('Interval', 'What a cycle is counted in.', {
  WEEK: '7 days',
  MONTH: 'a calendar month',
  QUARTER: '3 months',
  SEMESTER: '6 months',
  YEAR: '12 months',
  CUSTOM: 'days: `intervalCount` of them',
} satisfies Record<Interval, string>)

export const subscriptionStatus = meanings('SubscriptionStatus', 'The status of a subscription.', {
  SCHEDULED: 'it starts later',
  TRIALING: 'it is in its trial',
  PENDING: 'its first invoice is not paid',
  ACTIVE: 'it is paid',
  PAST_DUE: 'an invoice is late',
  PAUSED: 'you paused it: nothing is billed',
  SUSPENDED: 'dunning gave up: nothing is billed',
  CANCELLED: 'it is over, by you or by dunning',
  COMPLETED: 'it is over, after all its cycles',
} satisfies Record<SubscriptionStatus, string>)

export const subscriberStatus = meanings('SubscriberStatus', 'How a subscriber stands.', {
  ACTIVE: 'a subscription runs',
  PAST_DUE: 'an invoice is late',
  INACTIVE: 'no subscription runs',
} satisfies Record<SubscriberStatus, string>)

export const invoiceStatus = meanings('InvoiceStatus', 'The status of an invoice.', {
  OPEN: 'payable',
  PAST_DUE: 'an attempt to collect it failed',
  PAID: 'paid',
  VOID: 'cancelled: it need not be paid',
  UNCOLLECTIBLE: 'dunning gave up; a retry can still collect it',
} satisfies Record<InvoiceStatus, string>)

export const couponStatus = meanings('CouponStatus', 'Whether a coupon can be redeemed now.', {
  ACTIVE: 'it can',
  INACTIVE: 'it was deactivated',
  SCHEDULED: '`startsAt` is to come',
  EXPIRED: '`expiresAt` is over',
  EXHAUSTED: 'it was redeemed `maxRedemptions` times',
} satisfies Record<CouponStatus, string>)

export const eventType = oneOf('EventType', 'What happened: see the webhooks of this document.', eventTypes)

const ownFailureReasons: Readonly<Record<Exclude<FailureReason, DeclineReason>, true>> = {
  CHARGE_EXPIRED: true,
  CANCELLED: true,
  REGISTRATION_REJECTED: true,
  AUTHORIZATION_EXPIRED: true,
  PROVIDER_ERROR: true,
  ACQUIRER_TIMEOUT: true,
  ANTIFRAUD_DECLINED: true,
  UNDERPAID: true,
}
const declineReasons: Readonly<Record<DeclineReason, true>> = {
  GENERIC_DECLINE: true,
  INSUFFICIENT_FUNDS: true,
  SUSPECTED_FRAUD: true,
  AMOUNT_LIMIT_EXCEEDED: true,
  CARD_TEMPORARILY_BLOCKED: true,
  CARD_NOT_UNLOCKED: true,
  ISSUER_UNAVAILABLE: true,
  INVALID_CARD: true,
  LOST_CARD: true,
  STOLEN_CARD: true,
  ACCOUNT_CLOSED: true,
  EXPIRED_CARD: true,
  TRANSACTION_NOT_PERMITTED: true,
  SECURITY_VIOLATION: true,
}

export const failureReason = oneOf(
  'FailureReason',
  'Why it will not be paid. From GENERIC_DECLINE on: what the card’s issuer answered.',
  Object.keys({ ...ownFailureReasons, ...declineReasons }) as FailureReason[],
)
