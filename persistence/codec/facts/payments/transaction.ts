import type { Idempotency } from '../../../../engine/kernel/command.ts'
import type { FeeTerms } from '../../../../engine/ledger/fees.ts'
import type { Receivable, Reversal } from '../../../../engine/ledger/receivable.ts'
import type { Split, SplitItem } from '../../../../engine/ledger/split.ts'
import type { ChainTransfer } from '../../../../engine/payments/methods/crypto/crypto.ts'
import type { ChargeDetails } from '../../../../engine/payments/transaction/details.ts'
import type { ChargeCreated, TransactionSeeded } from '../../../../engine/payments/transaction/events.ts'
import type {
  FailureDetail,
  ProviderCall,
  TransactionStatus,
} from '../../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import type { ChargeOrigin } from '../../../../engine/shared/method.ts'
import {
  bool,
  enumeration,
  json,
  list,
  nullable,
  number,
  record,
  repeatedText,
  since,
  text,
} from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import {
  accountId,
  assetLayout,
  currencyLayout,
  customerLayout,
  dateLayout,
  failureReasonLayout,
  initiator,
  method,
  returnReason,
  schedule,
} from '../shared.ts'
import {
  acquirerLayout,
  boletoNumbersLayout,
  boletoPaymentLayout,
  meansLayout,
  pixLayout,
  pixPaymentLayout,
} from './means.ts'

const head = { id: repeatedText<TransactionId>(), by: initiator, atMs: number() }
const answered = { ...head, callId: text() }

const receivables = list(
  record<Receivable>({
    id: text(),
    type: enumeration({ CREDIT: 1, REFUND: 2, CHARGEBACK: 3, CHARGEBACK_REVERSAL: 4, REFUND_REVERSAL: 5 }),
    recipientId: nullable(text()),
    installment: number(),
    installments: number(),
    status: enumeration({ SCHEDULED: 1, SETTLED: 2, SUSPENDED: 3, CANCELLED: 4 }),
    grossCents: number(),
    feeCents: number(),
    expectedOn: dateLayout,
    settledAtMs: nullable(number()),
    settlementId: nullable(text()),
  }),
)

const split = record<Split>({
  ruleId: text(),
  items: list(
    record<SplitItem>({
      recipientId: nullable(text()),
      percentBps: nullable(number()),
      fixedCents: nullable(number()),
      priority: number(),
      chargeFees: bool,
      chargeRemainder: bool,
    }),
  ),
})

const details = record<ChargeDetails>({
  description: nullable(text()),
  reference: nullable(text()),
  externalId: nullable(text()),
  metadata: json(),
})

const origin = enumeration<ChargeOrigin>({
  API: 1,
  DEPOSIT: 2,
  DASHBOARD: 3,
  CHECKOUT: 4,
  LINK: 5,
  SUBSCRIPTION: 6,
  POS: 7,
  MARKETPLACE: 8,
})

const feeTerms = record<FeeTerms>({ percentBps: number(), fixedCents: number() })

const charge = record<ChargeCreated['charge']>({
  accountId,
  method,
  origin,
  amountCents: number(),
  feeTerms,
  details,
  customer: nullable(customerLayout),
  customerId: nullable(text()),
  subscriptionId: nullable(text()),
  invoiceId: nullable(text()),
  attempt: nullable(number()),
  split: nullable(split),
  providerId: text(),
  means: meansLayout,
  currency: since(5, currencyLayout, 'BRL'),
})

const call = record<ProviderCall>({
  id: text(),
  operation: enumeration({ AUTHORIZE: 1, CAPTURE: 2, VOID: 3, REFUND: 4, REVERSE: 5, OPEN_ADDRESS: 6 }),
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
  retryable: bool,
})

const reversal = record<Reversal>({
  receivables,
  amountCents: number(),
  feeCents: number(),
  scheduledCents: number(),
  settledCents: number(),
  schedule,
})

const status = enumeration<TransactionStatus>({
  CREATED: 1,
  PENDING: 2,
  PROCESSING: 3,
  AUTHORIZED: 4,
  APPROVED: 5,
  DECLINED: 6,
  FAILED: 7,
  CANCELLED: 8,
  EXPIRED: 9,
  PARTIALLY_REFUNDED: 10,
  REFUNDED: 11,
  CHARGEBACK: 12,
})

const chainTransfer = record<ChainTransfer>({
  txHash: text(),
  asset: assetLayout,
  units: number(),
  fromAddress: nullable(text()),
  seenAtMs: number(),
  confirmations: number(),
  status: enumeration({ SEEN: 1, CONFIRMED: 2, DROPPED: 3 }),
  isInTime: bool,
  paidUnits: number(),
})

const seeded = record<TransactionSeeded['transaction']>({
  id: repeatedText(),
  accountId,
  method,
  origin,
  status,
  currency: text(),
  amountCents: number(),
  paidCents: number(),
  feeCents: number(),
  feeTerms,
  details,
  customer: nullable(customerLayout),
  customerId: nullable(text()),
  subscriptionId: nullable(text()),
  invoiceId: nullable(text()),
  attempt: nullable(number()),
  split: nullable(split),
  providerId: text(),
  failureReason: nullable(failureReasonLayout),
  failureDetail: nullable(failureDetail),
  cancelReason: nullable(text()),
  means: meansLayout,
  receivables,
  reversals: json(),
  calls: list(call),
  createdAtMs: number(),
  updatedAtMs: number(),
  approvedAtMs: nullable(number()),
  expiresAtMs: nullable(number()),
  expiredAtMs: nullable(number()),
  cancelledAtMs: nullable(number()),
  failedAtMs: nullable(number()),
})

export const transactionFacts = {
  ChargeCreated: [1, { ...head, charge }],
  ChargeIssued: [2, { ...head, txid: text(), copyPaste: text(), expiresAtMs: number() }],
  BoletoIssued: [
    3,
    {
      ...head,
      numbers: boletoNumbersLayout,
      pix: nullable(pixLayout),
      lateAtMs: number(),
      expiresAtMs: number(),
    },
  ],
  ChargeRefused: [4, { ...head, failureReason: failureReasonLayout, callId: nullable(text()) }],
  ChargePaid: [
    5,
    { ...head, paidCents: number(), feeCents: number(), payment: pixPaymentLayout, receivables },
  ],
  ChargeExpired: [6, head],
  ChargeCancelled: [7, { ...head, reason: nullable(text()) }],
  PaymentReturned: [8, { ...head, returnReason, amountCents: number(), payment: pixPaymentLayout }],
  BoletoOverdue: [9, head],
  BoletoPaymentReported: [10, { ...head, payment: boletoPaymentLayout }],
  BoletoCleared: [11, { ...head, payment: boletoPaymentLayout, feeCents: number(), receivables }],
  ProviderCalled: [12, { ...head, call }],
  ProviderCalledAgain: [13, answered],
  ProviderSilent: [14, { ...answered, dueAtMs: number() }],
  AuthorizationPending: [15, { ...answered, dueAtMs: number() }],
  CardApproved: [16, { ...answered, acquirer: acquirerLayout, feeCents: number(), receivables }],
  CardAuthorized: [17, { ...answered, acquirer: acquirerLayout, expiresAtMs: number() }],
  CardDeclined: [
    18,
    { ...answered, acquirer: acquirerLayout, failureReason: failureReasonLayout, failureDetail },
  ],
  AuthorizationTimedOut: [19, answered],
  AuthorizationReversed: [20, answered],
  CardCaptured: [21, { ...answered, capturedCents: number(), feeCents: number(), receivables }],
  CaptureRefused: [22, { ...answered, message: text() }],
  CardVoided: [23, { ...answered, reason: nullable(text()) }],
  VoidRefused: [24, { ...answered, message: text() }],
  RefundRequested: [
    25,
    {
      ...head,
      refundId: text(),
      amountCents: number(),
      origin: enumeration({ API: 1, DASHBOARD: 2, CARD_CANCEL: 3, MED: 4 }),
      reason: nullable(text()),
      address: nullable(text()),
    },
  ],
  RefundCompleted: [
    26,
    { ...head, refundId: text(), callId: nullable(text()), returnId: nullable(text()), reversal },
  ],
  RefundFailed: [
    27,
    {
      ...head,
      refundId: text(),
      callId: nullable(text()),
      failureReason: enumeration({ REFUSED_BY_PROVIDER: 1, DISPUTE_OPENED: 2 }),
    },
  ],
  // Disputes are rare, so JSON is small enough.
  ChargebackOpened: [28, { ...head, chargeback: json(), reversal }],
  ChargebackDisputed: [29, { ...head, chargebackId: text(), text: text() }],
  ChargebackWon: [30, { ...head, chargebackId: text(), release: reversal }],
  ChargebackLost: [
    31,
    {
      ...head,
      chargebackId: text(),
      lostReason: enumeration({ NO_DEFENSE: 1, DEFENSE_REJECTED: 2 }),
      receivables,
    },
  ],
  MedOpened: [32, { ...head, med: json() }],
  MedClosed: [
    33,
    {
      ...head,
      medId: text(),
      result: enumeration({ ACCEPTED: 1, REJECTED: 2, CANCELLED: 3 }),
      returnedCents: number(),
    },
  ],
  ReceivablesSettled: [
    34,
    {
      ...head,
      settlementId: text(),
      receivables,
      grossCents: number(),
      feeCents: number(),
      receivablesCount: number(),
      schedule,
    },
  ],
  AddressOpened: [40, { ...answered, address: text(), uri: text(), expiresAtMs: number() }],
  TransferSeen: [41, { ...head, transfer: chainTransfer, status }],
  TransferConfirmed: [42, { ...head, txHash: text(), confirmations: number(), isFinal: bool }],
  TransferDropped: [43, { ...head, txHash: text(), status }],
  CryptoPaid: [
    44,
    { ...head, paidCents: number(), feeCents: number(), receivables, transfers: list(chainTransfer) },
  ],
  MedBlocked: [45, { ...head, medId: text(), cents: number() }],
  MedDefended: [46, { ...head, medId: text(), text: text(), files: json() }],
  MedContested: [47, { ...head, medId: text(), text: text(), files: json() }],
  MedContestWon: [48, { ...head, medId: text(), amountCents: number(), receivables }],
  MedContestLost: [49, { ...head, medId: text() }],
  TransactionSeeded: [35, { ...head, transaction: seeded }],
} satisfies FactLayouts<'transaction'>
