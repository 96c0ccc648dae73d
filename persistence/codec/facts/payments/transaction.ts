import type { Idempotency } from '../../../../engine/kernel/command.ts'
import type { FeeTerms } from '../../../../engine/ledger/fees.ts'
import type { Split, SplitItem } from '../../../../engine/ledger/split.ts'
import type { ChargeDetails, CheckoutDetails } from '../../../../engine/payments/transaction/details.ts'
import type { ChargeCreated, TransactionSeeded } from '../../../../engine/payments/transaction/facts.ts'
import type { ProviderCall, ProviderOperation } from '../../../../engine/payments/transaction/transaction.ts'
import type { ChargeOrigin } from '../../../../engine/shared/method.ts'
import {
  bool,
  enumeration,
  json,
  list,
  nullable,
  number,
  optional,
  personal,
  record,
  repeatedText,
  since,
  text,
} from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import {
  accountId,
  chosenRouteLayout,
  currencyLayout,
  customerLayout,
  failureReasonLayout,
  method,
  schedule,
} from '../shared.ts'
import { meansLayout, methodFacts } from './methods/index.ts'
import {
  answerHead,
  callIdSince14,
  factHead,
  failureDetailLayout,
  receivablesLayout,
  reversalLayout,
  transactionStatusLayout,
} from './parts.ts'

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
  checkout: since(
    11,
    nullable(
      record<CheckoutDetails>({
        sessionId: text(),
        linkId: nullable(text()),
        interestCents: number(),
      }),
    ),
    null,
  ),
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
  customer: personal(nullable(customerLayout), null),
  customerId: nullable(text()),
  subscriptionId: nullable(text()),
  invoiceId: nullable(text()),
  attempt: nullable(number()),
  split: nullable(split),
  providerId: text(),
  means: meansLayout,
  currency: since(5, currencyLayout, 'BRL'),
  connectionId: since(14, nullable(text()), null),
  fiscalDocuments: since(14, optional(list(text())), undefined),
})

const call = record<ProviderCall>({
  id: text(),
  operation: enumeration<ProviderOperation>(
    {
      AUTHORIZE: 1,
      CAPTURE: 2,
      VOID: 3,
      REFUND: 4,
      REVERSE: 5,
      OPEN_ADDRESS: 6,
      REGISTER: 7,
      CANCEL: 8,
      READ_CHARGE: 9,
      RETURN: 10,
      DEFEND_MED: 11,
    },
    { REGISTER: 14, CANCEL: 14, READ_CHARGE: 14, RETURN: 14, DEFEND_MED: 14 },
  ),
  amountCents: number(),
  refundId: nullable(text()),
  reason: nullable(text()),
  openedAtMs: number(),
  unanswered: number(),
  dueAtMs: nullable(number()),
  idempotency: nullable(record<Idempotency>({ key: text(), fingerprint: text() })),
  receivedPixId: since(14, nullable(text()), null),
})

const seeded = record<TransactionSeeded['transaction']>({
  id: repeatedText(),
  accountId,
  method,
  origin,
  status: transactionStatusLayout,
  currency: text(),
  amountCents: number(),
  paidCents: number(),
  feeCents: number(),
  feeTerms,
  details,
  customer: personal(nullable(customerLayout), null),
  customerId: nullable(text()),
  subscriptionId: nullable(text()),
  invoiceId: nullable(text()),
  attempt: nullable(number()),
  split: nullable(split),
  providerId: text(),
  failureReason: nullable(failureReasonLayout),
  failureDetail: nullable(failureDetailLayout),
  cancelReason: nullable(text()),
  means: meansLayout,
  receivables: receivablesLayout,
  reversals: json(),
  calls: list(call),
  createdAtMs: number(),
  updatedAtMs: number(),
  approvedAtMs: nullable(number()),
  expiresAtMs: nullable(number()),
  expiredAtMs: nullable(number()),
  cancelledAtMs: nullable(number()),
  failedAtMs: nullable(number()),
  connectionId: since(14, nullable(text()), null),
  fiscalDocuments: since(14, optional(list(text())), undefined),
})

export const transactionFacts = {
  ChargeCreated: [1, { ...factHead, charge }],
  ChargeRefused: [
    4,
    {
      ...factHead,
      failureReason: failureReasonLayout,
      callId: nullable(text()),
      failureDetail: since(14, nullable(failureDetailLayout), null),
    },
  ],
  ChargeExpired: [6, { ...factHead, callId: callIdSince14 }],
  ChargeCancelled: [7, { ...factHead, reason: nullable(text()), callId: callIdSince14 }],
  ProviderCalled: [12, { ...factHead, call }],
  ProviderCalledAgain: [13, answerHead],
  CallEnded: [60, { ...answerHead, message: nullable(text()) }, { since: 14 }],
  ProviderSilent: [14, { ...answerHead, dueAtMs: number() }],
  RefundRequested: [
    25,
    {
      ...factHead,
      refundId: text(),
      amountCents: number(),
      origin: enumeration({ API: 1, DASHBOARD: 2, CARD_CANCEL: 3, MED: 4, BANK: 5 }, { BANK: 14 }),
      reason: nullable(text()),
      address: nullable(text()),
      bankReturnId: since(14, nullable(text()), null),
    },
  ],
  RefundCompleted: [
    26,
    {
      ...factHead,
      refundId: text(),
      callId: nullable(text()),
      returnId: nullable(text()),
      reversal: reversalLayout,
    },
  ],
  RefundFailed: [
    27,
    {
      ...factHead,
      refundId: text(),
      callId: nullable(text()),
      failureReason: enumeration({ REFUSED_BY_PROVIDER: 1, DISPUTE_OPENED: 2 }),
      failureMessage: since(14, nullable(text()), null),
    },
  ],
  ReceivablesSettled: [
    34,
    {
      ...factHead,
      settlementId: text(),
      receivables: receivablesLayout,
      grossCents: number(),
      feeCents: number(),
      receivablesCount: number(),
      schedule,
    },
  ],
  TransactionSeeded: [35, { ...factHead, transaction: seeded }],
  ChargeSent: [
    59,
    {
      ...factHead,
      purpose: enumeration({ REQUESTED: 1, BEFORE_DUE: 2, ON_DUE_DATE: 3, AFTER_DUE: 4, RECEIPT: 5 }),
      to: personal(text(), ''),
    },
  ],
  RouteChosen: [91, { ...factHead, route: chosenRouteLayout }, { since: 14 }],
  FiscalDocumentsSet: [78, { ...factHead, documents: list(text()) }, { since: 14 }],
  ...methodFacts,
} satisfies FactLayouts<'transaction'>
