import type { CardRetryEvent } from '../engine/billing/catalog/card-retries.ts'
import type { RevenueChange } from '../engine/billing/catalog/figures.ts'
import type { BillingMethod } from '../engine/billing/catalog/plan.ts'
import type { AttemptStarted, InvoiceIssued, InvoiceLine } from '../engine/billing/invoice/invoice.ts'
import type { PaymentData } from '../engine/billing/payment-means.ts'
import type {
  BillingPeriod,
  InvoiceSummary,
  SubscriptionStatus,
} from '../engine/billing/subscription/subscription.ts'
import type { CustomerEvent } from '../engine/customers/customer.ts'
import { firstRevision } from '../engine/directory/earlier.ts'
import type { Idempotency } from '../engine/kernel/command.ts'
import type { Entry } from '../engine/kernel/entry.ts'
import type { Event, TimerParked } from '../engine/kernel/registry.ts'
import type { PixKey, Profile, ScheduleChange, SettledBatch, Settlement } from '../engine/ledger/account.ts'
import { defaultFees, type FeeTerms, feeTermsOf, type PricedBy } from '../engine/ledger/fees.ts'
import type { Posting } from '../engine/ledger/postings.ts'
import type { Receivable, Reversal } from '../engine/ledger/receivable.ts'
import type { Split, SplitItem } from '../engine/ledger/split.ts'
import type { ReceivedPix } from '../engine/payments/received/received.ts'
import type { ChargeCreated, TransactionSeeded } from '../engine/payments/transaction/events.ts'
import type {
  AcquirerData,
  Boleto,
  BoletoNumbers,
  BoletoPayment,
  Card,
  FailureDetail,
  FailureReason,
  Payer,
  Pix,
  PixPayment,
  ProviderCall,
  Refund,
  ReturnReason,
} from '../engine/payments/transaction/transaction.ts'
import type { Beneficiary, SplitTransferEvent } from '../engine/payouts/transfer.ts'
import type { BankAccount } from '../engine/recipients/recipient.ts'
import { assert } from '../engine/shared/assert.ts'
import type { CalendarDate } from '../engine/shared/calendar.ts'
import type { DocumentType } from '../engine/shared/documents.ts'
import type {
  AccountId,
  CouponId,
  DeliveryId,
  InvoiceId,
  PlanId,
  SplitTransferId,
  SubscriptionId,
  TransactionId,
} from '../engine/shared/ids.ts'
import type { Initiator } from '../engine/shared/initiator.ts'
import type { Method, Origin } from '../engine/shared/method.ts'
import type { Customer } from '../engine/shared/party.ts'
import type { Traceparent } from '../engine/shared/traceparent.ts'
import type { AttemptOutcome, DeliveryEvent, DeliveryStatus } from '../engine/webhooks/delivery.ts'
import {
  again,
  blob,
  type Fields,
  flag,
  json,
  type Layout,
  list,
  nullable,
  number,
  optional,
  record,
  text,
  upcast,
  type Variant,
  variant,
  variants,
  word,
} from './layout.ts'

/** What the bytes of a journal entry mean. The order of fields, words and kinds is the format. */

const actor = record<Initiator>({
  kind: word('KEY', 'PAYER', 'CLOCK', 'SANDBOX', 'OPERATOR', 'PROVIDER'),
  id: nullable(again()),
})

const documentType = word<DocumentType>('CPF', 'CNPJ')
const method = word<Method>('PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD', 'CRYPTO')
const returnReason = word<ReturnReason>('PAID_AFTER_EXPIRY', 'PAID_AFTER_CANCELLATION', 'DUPLICATE_PAYMENT')
const failureReason = word<FailureReason>(
  'CHARGE_EXPIRED',
  'CANCELLED',
  'REGISTRATION_REJECTED',
  'AUTHORIZATION_EXPIRED',
  'PROVIDER_ERROR',
  'ACQUIRER_TIMEOUT',
  'ANTIFRAUD_DECLINED',
  'GENERIC_DECLINE',
  'INSUFFICIENT_FUNDS',
  'SUSPECTED_FRAUD',
  'AMOUNT_LIMIT_EXCEEDED',
  'CARD_TEMPORARILY_BLOCKED',
  'CARD_NOT_UNLOCKED',
  'ISSUER_UNAVAILABLE',
  'INVALID_CARD',
  'LOST_CARD',
  'STOLEN_CARD',
  'ACCOUNT_CLOSED',
  'EXPIRED_CARD',
  'TRANSACTION_NOT_PERMITTED',
  'SECURITY_VIOLATION',
)
const date = text<CalendarDate>()

const customer = record<Customer>({
  name: text(),
  document: nullable(text()),
  documentType: nullable(documentType),
  email: nullable(text()),
  phone: nullable(text()),
})

const payer = record<Payer>({
  name: text(),
  document: nullable(text()),
  documentType: nullable(documentType),
  ispb: text(),
  bankName: nullable(text()),
})

const pixPayment = record<PixPayment>({
  receivedPixId: again(),
  endToEndId: again(),
  payer,
  payerMatchesCustomer: nullable(flag),
  paidAtMs: number(),
})

const pix = record<Pix>({
  txid: nullable(text()),
  copyPaste: nullable(text()),
  keyId: text(),
  type: word('IMMEDIATE', 'DUE_DATE'),
  dueDate: nullable(date),
  expiresInSeconds: nullable(number()),
  payment: nullable(pixPayment),
})

const receivable = record<Receivable>({
  id: text(),
  type: word('CREDIT', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_REVERSAL'),
  recipientId: nullable(text()),
  installment: number(),
  installments: number(),
  status: word('SCHEDULED', 'SETTLED', 'SUSPENDED', 'CANCELLED'),
  grossCents: number(),
  feeCents: number(),
  expectedOn: date,
  settledAtMs: nullable(number()),
  settlementId: nullable(text()),
})
const receivables = list(receivable)

/** Before there were reversals and recipients. */
const earlierReceivable = upcast(
  record<Omit<Receivable, 'type' | 'recipientId' | 'status'> & { readonly status: 'SCHEDULED' | 'SETTLED' }>({
    id: text(),
    installment: number(),
    installments: number(),
    status: word('SCHEDULED', 'SETTLED'),
    grossCents: number(),
    feeCents: number(),
    expectedOn: date,
    settledAtMs: nullable(number()),
    settlementId: nullable(text()),
  }),
  (earlier): Receivable => ({ ...earlier, type: 'CREDIT', recipientId: null }),
)

const accountId = again<AccountId>()

/** Before companies had an address, fees of their own and revisions. */
const earlierProfile = upcast(
  record<Omit<Profile, 'address' | 'fees' | 'revision'>>({
    companyId: text(),
    environment: word('SANDBOX', 'PRODUCTION'),
    name: text(),
    city: text(),
    timeZone: text(),
  }),
  (earlier): Profile => ({ ...earlier, address: null, fees: defaultFees, revision: firstRevision }),
)

const pixKey = record<PixKey>({ id: text(), type: word('EVP'), key: text(), createdAtMs: number() })

const postings = list(
  record<Posting>({
    account: word('available', 'receivable', 'blocked', 'fees', 'payer', 'recipients', 'paidOut'),
    cents: number(),
  }),
)

const settlement = record<Settlement>({
  id: text(),
  method,
  grossCents: number(),
  feeCents: number(),
  receivablesCount: number(),
  transactionId: nullable(text()),
  date,
  createdAtMs: number(),
  completedAtMs: number(),
})

const schedule = list(
  record<ScheduleChange>({
    id: text(),
    method,
    date,
    grossCents: number(),
    feeCents: number(),
    receivablesCount: number(),
  }),
)

const acquirerData = record<AcquirerData>({
  nsu: nullable(text()),
  tid: nullable(text()),
  authorizationCode: nullable(text()),
  returnCode: text(),
  message: text(),
})

const card = record<Card>({
  token: text(),
  tokenFingerprint: text(),
  brand: word('VISA', 'MASTERCARD', 'ELO', 'AMEX', 'HIPERCARD', 'OTHER'),
  last4: text(),
  bin: nullable(text()),
  holderName: nullable(text()),
  installments: number(),
  captures: flag,
  acquirer: nullable(acquirerData),
  authorizedAtMs: nullable(number()),
  capturedAtMs: nullable(number()),
  capturedCents: nullable(number()),
})

const boletoNumbers = record<BoletoNumbers>({ bankCode: text(), ourNumber: text(), barCode: text() })

const boletoPayment = record<BoletoPayment>({
  paidAtMs: number(),
  paidCents: number(),
  fineCents: number(),
  interestCents: number(),
  discountCents: number(),
  clearsAtMs: number(),
})

const boleto = record<Boleto>({
  dueDate: date,
  interestBps: number(),
  fineBps: number(),
  discountCents: number(),
  instructions: nullable(text()),
  numbers: nullable(boletoNumbers),
  lateAtMs: nullable(number()),
  overdue: flag,
  payment: nullable(boletoPayment),
})

const origin = word<Origin>(
  'API',
  'DEPOSIT',
  'DASHBOARD',
  'CHECKOUT',
  'LINK',
  'SUBSCRIPTION',
  'POS',
  'MARKETPLACE',
)

const split = record<Split>({
  ruleId: text(),
  items: list(
    record<SplitItem>({
      recipientId: nullable(text()),
      percentBps: nullable(number()),
      fixedCents: nullable(number()),
      priority: number(),
      chargeFees: flag,
      chargeRemainder: flag,
    }),
  ),
})

const chargeFields: Fields<Omit<ChargeCreated['charge'], 'feeTerms' | 'providerId'>> = {
  accountId,
  method,
  origin,
  amountCents: number(),
  description: nullable(text()),
  reference: nullable(text()),
  externalId: nullable(text()),
  customer: nullable(customer),
  customerId: nullable(text()),
  metadata: json(),
  subscriptionId: nullable(text()),
  invoiceId: nullable(text()),
  attempt: nullable(number()),
  split: nullable(split),
  pix: nullable(pix),
  card: nullable(card),
  boleto: nullable(boleto),
}

const feeTerms = record<FeeTerms>({ percentBps: number(), fixedCents: number() })

const charge = record<ChargeCreated['charge']>({ ...chargeFields, feeTerms, providerId: text() })

/** Who processed a charge that does not say so: it was shown like this in Production, too. */
const earlierProviders: Readonly<Record<Method, string>> = {
  PIX: 'sandbox-psp',
  BOLETO: 'sandbox-bank',
  CREDIT_CARD: 'sandbox-acquirer',
  DEBIT_CARD: 'sandbox-acquirer',
  CRYPTO: 'sandbox-chain',
}

const withProvider = <Charge extends { readonly method: Method }>(
  charge: Charge,
): Charge & { readonly providerId: string } => ({ providerId: earlierProviders[charge.method], ...charge })

/** Before charges named their provider. */
const chargeWithoutProvider = upcast(
  record<Omit<ChargeCreated['charge'], 'providerId'>>({ ...chargeFields, feeTerms }),
  withProvider,
)

/** What a charge costs that was created when all companies paid the same. */
const withDefaultFees = <Charge extends PricedBy>(
  charge: Charge,
): Charge & { readonly feeTerms: FeeTerms } => ({
  ...charge,
  feeTerms: feeTermsOf(defaultFees, charge),
})

/** Before companies had fees of their own. */
const chargeWithoutFees = upcast(
  record<Omit<ChargeCreated['charge'], 'feeTerms' | 'providerId'>>(chargeFields),
  (earlier) => withProvider(withDefaultFees(earlier)),
)

/** Before there were cards, boletos, a register of customers, subscriptions and splits. */
type EarlierCharge = Omit<
  ChargeCreated['charge'],
  | 'customerId'
  | 'card'
  | 'boleto'
  | 'pix'
  | 'subscriptionId'
  | 'invoiceId'
  | 'attempt'
  | 'split'
  | 'feeTerms'
  | 'providerId'
> & { readonly pix: Pix }
const earlierCharge = upcast(
  record<EarlierCharge>({
    accountId,
    method,
    origin,
    amountCents: number(),
    description: nullable(text()),
    reference: nullable(text()),
    externalId: nullable(text()),
    customer: nullable(customer),
    metadata: json(),
    pix,
  }),
  (earlier): ChargeCreated['charge'] =>
    withProvider(
      withDefaultFees({
        ...earlier,
        customerId: null,
        card: null,
        boleto: null,
        subscriptionId: null,
        invoiceId: null,
        attempt: null,
        split: null,
      }),
    ),
)

const seedText = json<TransactionSeeded['transaction']>()
/** An earlier one does not say who processed it. */
const seed: Layout<TransactionSeeded['transaction']> = {
  write: seedText.write,
  read: () => withProvider(seedText.read()),
}

const call = record<ProviderCall>({
  id: text(),
  operation: word('AUTHORIZE', 'CAPTURE', 'VOID', 'REFUND', 'REVERSE'),
  amountCents: number(),
  refundId: nullable(text()),
  reason: nullable(text()),
  openedAtMs: number(),
  unanswered: number(),
  dueAtMs: nullable(number()),
  idempotency: nullable(record<Idempotency>({ key: text(), fingerprint: text() })),
})

const failureDetail = record<FailureDetail>({
  providerCode: nullable(text()),
  message: text(),
  retryable: flag,
})

const reversal = record<Reversal>({
  receivables,
  amountCents: number(),
  feeCents: number(),
  scheduledCents: number(),
  settledCents: number(),
  schedule,
})

const registered = record<CustomerEvent['registered']>({
  accountId,
  customer,
  externalId: nullable(text()),
  metadata: json(),
})

const received = record<ReceivedPix>({
  id: text(),
  accountId,
  transactionId: text(),
  endToEndId: text(),
  txid: nullable(text()),
  externalId: nullable(text()),
  amountCents: number(),
  returnReason: nullable(returnReason),
  pixKeyId: text(),
  pixKey: text(),
  payer,
  description: nullable(text()),
  receivedAtMs: number(),
})

/** The 25 bytes that its digits stand for. */
const traceparent: Layout<Traceparent> = {
  write: (value) => blob.write(Buffer.from(value.slice(3).replaceAll('-', ''), 'hex')),
  read: () => {
    const { buffer, byteOffset, length } = blob.read()
    assert(length === 25, 'a stored traceparent is whole')
    const digits = Buffer.from(buffer, byteOffset, length).toString('hex')
    return `00-${digits.slice(0, 32)}-${digits.slice(32, 48)}-${digits.slice(48)}` as Traceparent
  },
}

type Scheduled = Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>['delivery']
const scheduledEvent = record<Omit<Scheduled, 'resendOf' | 'traceparent' | 'body'>>({
  accountId,
  eventId: text(),
  eventType: text(),
  objectId: text(),
  endpointId: text(),
})
const rare = optional<{ resendOf: DeliveryId; traceparent: Traceparent }>({
  resendOf: text(),
  traceparent,
})
const scheduled: Layout<Scheduled> = {
  write: (delivery) => {
    scheduledEvent.write(delivery)
    rare.write({ resendOf: delivery.resendOf ?? undefined, traceparent: delivery.traceparent })
    blob.write(delivery.body)
  },
  read: () => {
    const { accountId, eventId, eventType, objectId, endpointId } = scheduledEvent.read()
    const { resendOf = null, traceparent } = rare.read()
    const body = blob.read()
    const delivery = { accountId, eventId, eventType, objectId, endpointId, resendOf, body }
    return traceparent === undefined ? delivery : { ...delivery, traceparent }
  },
}

/** Before it was recorded where an attempt went. */
const earlierOutcome = upcast(
  record<Omit<AttemptOutcome, 'url'>>({
    startedAtMs: number(),
    latencyMs: number(),
    statusCode: nullable(number()),
    error: nullable(word('TIMEOUT', 'CONNECTION', 'TLS', 'DNS', 'REDIRECT', 'BLOCKED_ADDRESS')),
    responseSnippet: text(),
  }),
  (earlier): AttemptOutcome => ({ ...earlier, url: '' }),
)

const outcome = record<AttemptOutcome>({
  url: text(),
  startedAtMs: number(),
  latencyMs: number(),
  statusCode: nullable(number()),
  error: nullable(word('TIMEOUT', 'CONNECTION', 'TLS', 'DNS', 'REDIRECT', 'BLOCKED_ADDRESS')),
  responseSnippet: text(),
})

const bankAccount = record<BankAccount>({ bankCode: text(), branch: text(), account: text() })

const transfer = record<Extract<SplitTransferEvent, { type: 'TransferCreated' }>['transfer']>({
  accountId,
  recipientId: text(),
  ruleId: again(),
  transactionId: again(),
  receivableId: text(),
  installment: number(),
  grossCents: number(),
  feeCents: number(),
  bank: bankAccount,
  settlementId: nullable(again()),
  expectedOn: again(),
  fundsAtMs: nullable(number()),
})

type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

/** One kind of event. Whose it is follows from its type. */
const kind = <Type extends Event['type']>(
  actor: EventOf<Type>['actor'],
  type: Type,
  fields: Fields<Omit<EventOf<Type>, 'actor' | 'type'>>,
): Variant<Event> => variant<Event>({ actor, type } as Partial<Event> & { readonly type: Type }, fields)

/** A kind as an earlier version wrote it, with what it did not have yet. */
const earlier = <Type extends Event['type']>(
  actor: EventOf<Type>['actor'],
  type: Type,
  missing: Partial<EventOf<Type>>,
  fields: Partial<Fields<EventOf<Type>>>,
): Variant<Event> =>
  variant<Event>({ actor, type, ...missing } as Partial<Event> & { readonly type: Type }, fields)

const account = { id: again<AccountId>(), atMs: number() } as const
const transaction = { id: again<TransactionId>(), by: actor, atMs: number() } as const
const answered = { ...transaction, callId: text() } as const
const refundOrigin = word<Refund['origin']>('API', 'DASHBOARD', 'CARD_CANCEL', 'MED')
const deliveryId = again<DeliveryId>()
const recordedAttempt = (outcome: Layout<AttemptOutcome>) => ({
  id: deliveryId,
  outcome,
  status: word<DeliveryStatus>('PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'),
  nextAttemptAtMs: nullable(number()),
})
const plan = { id: text<PlanId>(), atMs: number() } as const
const coupon = { id: text<CouponId>(), atMs: number() } as const
const splitTransfer = { id: again<SplitTransferId>(), atMs: number() } as const

const subscription = { id: again<SubscriptionId>(), by: actor, atMs: number() } as const
const invoice = { id: again<InvoiceId>(), atMs: number() } as const
const billingMethod = word<BillingMethod>('PIX', 'BOLETO', 'CREDIT_CARD')
const subscriptionStatus = word<SubscriptionStatus>(
  'SCHEDULED',
  'TRIALING',
  'PENDING',
  'ACTIVE',
  'PAST_DUE',
  'PAUSED',
  'SUSPENDED',
  'CANCELLED',
  'COMPLETED',
)
const revenue = list(
  record<RevenueChange>({
    interval: word('WEEK', 'MONTH', 'QUARTER', 'SEMESTER', 'YEAR', 'CUSTOM'),
    intervalCount: number(),
    cents: number(),
  }),
)
const invoiceSummary = record<InvoiceSummary>({
  id: text(),
  number: number(),
  cycle: number(),
  totalCents: number(),
  periodStart: date,
  periodEnd: date,
})
const paymentData = record<PaymentData>({
  copyPaste: nullable(again()),
  barCode: nullable(again()),
  dueDate: nullable(date),
  expiresAtMs: number(),
})
const timed = word<TimerParked['actor']>('account', 'transaction', 'subscription', 'invoice', 'splitTransfer')
/** What happens to a subscription beside being billed and paid. */
const seldom = [
  'TrialStarted',
  'SubscriptionPaused',
  'SubscriptionResumed',
  'SubscriptionSuspended',
  'SubscriptionCancelled',
  'SubscriptionCompleted',
  'CancellationScheduled',
  'PaymentAwaited',
  'CollectionStopped',
  'InvoiceWithdrawn',
  'CreditGranted',
  'PaymentMeansChanged',
  'PlanChangeScheduled',
  'PlanChangeAwaited',
  'PlanChangeDropped',
] as const

/** Every layout in which a fact was ever written. Its place in this list is what the bytes say: new ones go to the end. */
export const eventLayouts: readonly Variant<Event>[] = [
  earlier('account', 'AccountOpened', {}, { ...account, profile: earlierProfile, pixKey }),
  earlier('account', 'PaymentBooked', { schedule: [] }, { ...account, transactionId: text(), postings }),
  earlier('account', 'SettlementCompleted', { schedule: [] }, { ...account, settlement, postings }),
  kind('account', 'ClockMoved', { ...account, clockOffsetMs: number() }),
  kind('account', 'SampleEventRequested', { ...account, eventType: text() }),
  kind('account', 'SandboxCleared', account),
  earlier('transaction', 'ChargeCreated', {}, { ...transaction, charge: earlierCharge }),
  kind('transaction', 'ChargeIssued', {
    ...transaction,
    txid: text(),
    copyPaste: text(),
    expiresAtMs: number(),
  }),
  earlier('transaction', 'ChargeRefused', { callId: null }, { ...transaction, failureReason }),
  earlier(
    'transaction',
    'ChargePaid',
    {},
    {
      ...transaction,
      paidCents: number(),
      feeCents: number(),
      payment: pixPayment,
      receivables: list(earlierReceivable),
    },
  ),
  kind('transaction', 'ChargeExpired', transaction),
  kind('transaction', 'ChargeCancelled', { ...transaction, reason: nullable(text()) }),
  kind('transaction', 'PaymentReturned', {
    ...transaction,
    returnReason,
    amountCents: number(),
    payment: pixPayment,
  }),
  kind('received', 'PixReceived', { id: text(), received }),
  kind('delivery', 'DeliveryScheduled', { id: deliveryId, atMs: number(), delivery: scheduled }),
  earlier('delivery', 'AttemptRecorded', {}, recordedAttempt(earlierOutcome)),
  kind('delivery', 'DeliveryCancelled', { id: deliveryId }),
  kind('account', 'PaymentBooked', { ...account, transactionId: text(), postings, schedule }),
  kind('account', 'SettlementCompleted', { ...account, settlement, postings, schedule }),
  kind('account', 'ReversalBooked', { ...account, transactionId: text(), postings, schedule }),
  kind('account', 'BoletoNumbered', { ...account, number: number() }),
  kind('batch', 'BatchSettled', {
    id: again(),
    batch: record<SettledBatch>({ id: again(), accountId, settledAtMs: number() }),
  }),
  kind('customer', 'CustomerRegistered', { id: text(), atMs: number(), registered }),
  earlier('transaction', 'ChargeCreated', {}, { ...transaction, charge: chargeWithoutFees }),
  kind('transaction', 'ChargeRefused', { ...transaction, failureReason, callId: nullable(text()) }),
  kind('transaction', 'ChargePaid', {
    ...transaction,
    paidCents: number(),
    feeCents: number(),
    payment: pixPayment,
    receivables,
  }),
  kind('transaction', 'BoletoIssued', {
    ...transaction,
    numbers: boletoNumbers,
    pix: nullable(pix),
    lateAtMs: number(),
    expiresAtMs: number(),
  }),
  kind('transaction', 'BoletoOverdue', transaction),
  kind('transaction', 'BoletoPaymentReported', { ...transaction, payment: boletoPayment }),
  kind('transaction', 'BoletoCleared', {
    ...transaction,
    payment: boletoPayment,
    feeCents: number(),
    receivables,
  }),
  kind('transaction', 'ProviderCalled', { ...transaction, call }),
  kind('transaction', 'ProviderCalledAgain', answered),
  kind('transaction', 'ProviderSilent', { ...answered, dueAtMs: number() }),
  kind('transaction', 'AuthorizationPending', { ...answered, dueAtMs: number() }),
  kind('transaction', 'CardApproved', {
    ...answered,
    acquirer: acquirerData,
    feeCents: number(),
    receivables,
  }),
  kind('transaction', 'CardAuthorized', { ...answered, acquirer: acquirerData, expiresAtMs: number() }),
  kind('transaction', 'CardDeclined', {
    ...answered,
    acquirer: acquirerData,
    failureReason,
    failureDetail,
  }),
  kind('transaction', 'AuthorizationTimedOut', answered),
  kind('transaction', 'AuthorizationReversed', answered),
  kind('transaction', 'CardCaptured', {
    ...answered,
    capturedCents: number(),
    feeCents: number(),
    receivables,
  }),
  kind('transaction', 'CaptureRefused', { ...answered, message: text() }),
  kind('transaction', 'CardVoided', { ...answered, reason: nullable(text()) }),
  kind('transaction', 'VoidRefused', { ...answered, message: text() }),
  kind('transaction', 'RefundRequested', {
    ...transaction,
    refundId: text(),
    amountCents: number(),
    origin: refundOrigin,
    reason: nullable(text()),
    address: nullable(text()),
  }),
  kind('transaction', 'RefundCompleted', {
    ...transaction,
    refundId: text(),
    callId: nullable(text()),
    returnId: nullable(text()),
    reversal,
  }),
  kind('transaction', 'RefundFailed', {
    ...transaction,
    refundId: text(),
    callId: nullable(text()),
    failureReason: word('REFUSED_BY_PROVIDER', 'DISPUTE_OPENED'),
  }),
  // Disputes and seeds are rare: JSON is small enough for them.
  kind('transaction', 'ChargebackOpened', { ...transaction, chargeback: json(), reversal }),
  kind('transaction', 'ChargebackDisputed', { ...transaction, chargebackId: text(), text: text() }),
  kind('transaction', 'ChargebackWon', { ...transaction, chargebackId: text(), release: reversal }),
  kind('transaction', 'ChargebackLost', {
    ...transaction,
    chargebackId: text(),
    lostReason: word('NO_DEFENSE', 'DEFENSE_REJECTED'),
    receivables,
  }),
  kind('transaction', 'MedOpened', { ...transaction, med: json() }),
  kind('transaction', 'MedClosed', {
    ...transaction,
    medId: text(),
    result: word('ACCEPTED', 'REJECTED', 'CANCELLED'),
    returnedCents: number(),
  }),
  kind('transaction', 'ReceivablesSettled', {
    ...transaction,
    settlementId: text(),
    receivables,
    grossCents: number(),
    feeCents: number(),
    receivablesCount: number(),
    schedule,
  }),
  earlier(
    'transaction',
    'TransactionSeeded',
    {},
    {
      ...transaction,
      transaction: upcast(seedText, (earlier) => withProvider(withDefaultFees(earlier))),
    },
  ),
  // What a company sells by changes rarely, too.
  kind('account', 'DunningPolicySet', { ...account, planId: nullable(text()), policy: json() }),
  kind('account', 'DunningPolicyRemoved', { ...account, planId: text() }),
  kind('plan', 'PlanCreated', { ...plan, plan: json() }),
  kind('plan', 'PlanChanged', { ...plan, changes: json() }),
  kind('plan', 'PlanUsed', plan),
  kind('plan', 'PlanRemoved', plan),
  kind('coupon', 'CouponCreated', { ...coupon, coupon: json() }),
  kind('coupon', 'CouponChanged', { ...coupon, changes: json() }),
  kind('coupon', 'CouponRedeemed', { ...coupon, subscriptionId: text() }),
  kind('coupon', 'RedemptionReleased', { ...coupon, subscriptionId: text() }),
  kind('coupon', 'CouponRemoved', coupon),
  kind('account', 'SharesBooked', { ...account, transactionId: text(), postings }),
  // The register of recipients and rules seldom changes.
  kind('recipient', 'RecipientCreated', { id: text(), atMs: number(), recipient: json() }),
  kind('recipient', 'RecipientChanged', { id: text(), atMs: number(), changes: json() }),
  kind('recipient', 'RecipientRemoved', { id: text(), atMs: number() }),
  kind('recipient', 'RecipientNamed', { id: text(), atMs: number(), rulesCount: number() }),
  kind('recipient', 'RecipientBooked', {
    id: text(),
    atMs: number(),
    balanceCents: number(),
    pendingCents: number(),
    whole: nullable(json()),
  }),
  kind('splitRule', 'SplitRuleCreated', { id: text(), atMs: number(), rule: json() }),
  kind('splitRule', 'SplitRuleChanged', { id: text(), atMs: number(), changes: json() }),
  kind('splitRule', 'SplitRuleRemoved', { id: text(), atMs: number() }),
  kind('splitRule', 'SplitRuleUsed', { id: text(), atMs: number(), whole: nullable(json()) }),
  kind('splitTransfer', 'TransferCreated', { ...splitTransfer, transfer }),
  kind('splitTransfer', 'TransferReduced', { ...splitTransfer, grossCents: number(), feeCents: number() }),
  kind('splitTransfer', 'TransferCancelled', splitTransfer),
  kind('splitTransfer', 'TransferScheduled', {
    ...splitTransfer,
    debtRecoveredCents: number(),
    dueCents: number(),
  }),
  kind('splitTransfer', 'TransferSent', {
    ...splitTransfer,
    callId: text(),
    bank: bankAccount,
    beneficiary: record<Beneficiary>({ name: text(), document: text() }),
  }),
  kind('splitTransfer', 'TransferSilent', { ...splitTransfer, callId: text(), dueAtMs: number() }),
  kind('splitTransfer', 'TransferSentAgain', { ...splitTransfer, callId: text() }),
  kind('splitTransfer', 'TransferCompleted', { ...splitTransfer, callId: nullable(text()) }),
  kind('splitTransfer', 'TransferFailed', {
    ...splitTransfer,
    callId: text(),
    failureReason: word('REFUSED_BY_BANK'),
    retryAtMs: nullable(number()),
  }),
  kind('splitTransfer', 'TransferReversed', {
    ...splitTransfer,
    reversedCents: number(),
    dueCents: number(),
  }),
  kind('account', 'InvoiceNumbered', { ...account, number: number() }),
  kind('account', 'RecurringCounted', {
    ...account,
    date,
    from: nullable(subscriptionStatus),
    to: subscriptionStatus,
    revenue,
    overdueInvoices: number(),
    overdueCents: number(),
    overdueCustomers: number(),
  }),
  kind('subscriber', 'SubscriberCounted', {
    id: text(),
    atMs: number(),
    first: nullable(record({ accountId, customerId: text(), customer })),
    subscriptions: number(),
    active: number(),
    served: number(),
    revenue,
    overdueInvoices: number(),
    overdueCents: number(),
  }),
  kind('subscription', 'SubscriptionCreated', { ...subscription, subscription: json() }),
  kind('subscription', 'SubscriptionBilled', {
    ...subscription,
    status: subscriptionStatus,
    invoiceId: text(),
    totalCents: number(),
    dueDate: date,
    period: record<BillingPeriod>({
      number: number(),
      anchorOn: date,
      start: date,
      end: date,
      valueCents: number(),
      invoiceId: nullable(text()),
    }),
    isAhead: flag,
    cyclesBilled: number(),
    discountCyclesLeft: nullable(number()),
    creditCents: number(),
  }),
  kind('subscription', 'PaymentInstructionsIssued', {
    ...subscription,
    invoiceId: text(),
    transactionId: text(),
    payment: paymentData,
  }),
  kind('subscription', 'PeriodStarted', { ...subscription, period: json() }),
  kind('subscription', 'SubscriptionPaid', {
    ...subscription,
    status: subscriptionStatus,
    invoice: invoiceSummary,
    transactionId: nullable(text()),
    amountCents: number(),
  }),
  kind('subscription', 'SubscriptionPaymentFailed', {
    ...subscription,
    status: subscriptionStatus,
    invoiceStatus: word('OPEN', 'PAST_DUE', 'UNCOLLECTIBLE'),
    invoice: invoiceSummary,
    transactionId: nullable(text()),
    amountCents: number(),
    failureReason,
    retryable: flag,
    attemptNumber: number(),
    nextAttemptAtMs: nullable(number()),
    final: flag,
  }),
  ...seldom.map((type) => kind('subscription', type, { ...subscription, changes: json() })),
  kind('subscription', 'PlanChangeApplied', { ...subscription, changes: json(), proration: json() }),
  kind('invoice', 'InvoiceIssued', {
    id: text(),
    by: actor,
    atMs: number(),
    invoice: record<InvoiceIssued['invoice']>({
      accountId,
      number: number(),
      kind: word('CYCLE', 'PRORATION'),
      subscriptionId: text(),
      customerId: text(),
      planId: text(),
      cycle: number(),
      method: billingMethod,
      periodStart: date,
      periodEnd: date,
      dueDate: date,
      lines: list(
        record<InvoiceLine>({
          type: word('PLAN', 'SETUP_FEE', 'PRORATION_CREDIT', 'PRORATION_CHARGE', 'DISCOUNT', 'CREDIT'),
          description: text(),
          cents: number(),
          periodStart: date,
          periodEnd: date,
        }),
      ),
      subtotalCents: number(),
      discountCents: number(),
      creditAppliedCents: number(),
      totalCents: number(),
      couponId: nullable(text()),
    }),
  }),
  kind('invoice', 'AttemptStarted', {
    ...invoice,
    attempt: record<AttemptStarted['attempt']>({
      id: text(),
      number: number(),
      trigger: word('AUTOMATIC', 'DUNNING', 'MANUAL'),
      method: billingMethod,
      card: nullable(json()),
      transactionId: nullable(text()),
      amountCents: number(),
      failsAtMs: nullable(number()),
    }),
  }),
  kind('invoice', 'AttemptPresented', { ...invoice, number: number(), payment: paymentData }),
  kind('invoice', 'AttemptSucceeded', { ...invoice, number: number(), paidCents: number() }),
  kind('invoice', 'AttemptFailed', {
    ...invoice,
    number: number(),
    wasCancelled: flag,
    failureReason,
    retryable: flag,
    dunning: nullable(json()),
  }),
  kind('invoice', 'AttemptCancelled', { ...invoice, number: number() }),
  kind('invoice', 'AttemptAwaited', invoice),
  kind('invoice', 'AttemptExtended', { ...invoice, number: number(), failsAtMs: number() }),
  kind('invoice', 'InvoiceVoided', invoice),
  kind('invoice', 'InvoiceMarkedUncollectible', invoice),
  kind('invoice', 'DunningPaused', invoice),
  kind('invoice', 'DunningPostponed', { ...invoice, dunning: nullable(json()) }),
  kind('triedCard', 'CardDeclineCounted', {
    id: text(),
    card: record<CardRetryEvent['card']>({
      accountId,
      tokenFingerprint: text(),
      failedAtMs: list(number()),
      createdAtMs: number(),
    }),
  }),
  // Of several kinds of actor: whose it is is written.
  variant<Event>(
    { type: 'TimerParked' },
    { actor: timed, id: text(), by: actor, atMs: number(), due: text() },
  ),
  // A company's profile changes rarely.
  kind('account', 'AccountOpened', { ...account, profile: json(), pixKey }),
  kind('account', 'ProfileChanged', { ...account, profile: json() }),
  earlier('transaction', 'ChargeCreated', {}, { ...transaction, charge: chargeWithoutProvider }),
  kind('transaction', 'TransactionSeeded', { ...transaction, transaction: seed }),
  kind('delivery', 'AttemptRecorded', recordedAttempt(outcome)),
  kind('account', 'ClockAdvanceStarted', { ...account, targetMs: number() }),
  kind('account', 'ClockAdvanced', account),
  kind('invoice', 'InvoiceMoved', { ...invoice, periodStart: date, periodEnd: date }),
  kind('transaction', 'ChargeCreated', { ...transaction, charge }),
]

type Cause = Pick<Entry, 'idempotency' | 'traceparent'>
const cause = optional<Required<Cause>>({
  idempotency: record<Idempotency>({ key: text(), fingerprint: text() }),
  traceparent,
})

/** An entry whose facts are read and written by these layouts. Without a key, or a trace, it has no such field at all. */
export const entryLayoutOf = (events: readonly Variant<Event>[]): Layout<Entry> => {
  const fields = record<Omit<Entry, keyof Cause>>({
    accountId,
    atMs: number(),
    events: list(variants(...events)),
  })
  return {
    write: (entry) => {
      fields.write(entry)
      cause.write(entry)
    },
    read: () => Object.assign(fields.read(), cause.read()),
  }
}

export const entryLayout: Layout<Entry> = entryLayoutOf(eventLayouts)
