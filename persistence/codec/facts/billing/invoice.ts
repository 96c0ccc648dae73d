import type {
  AttemptStarted,
  InvoiceIssued,
  InvoiceLine,
} from '../../../../engine/billing/invoice/invoice.ts'
import type { InvoiceId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, json, list, nullable, number, record, repeatedText, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import {
  accountId,
  billingMethodLayout,
  dateLayout,
  failureReasonLayout,
  initiator,
  paymentData,
} from '../shared.ts'

const head = { id: repeatedText<InvoiceId>(), atMs: number() }

const invoice = record<InvoiceIssued['invoice']>({
  accountId,
  number: number(),
  kind: enumeration({ CYCLE: 1, PRORATION: 2 }),
  subscriptionId: text(),
  customerId: text(),
  planId: text(),
  cycle: number(),
  method: billingMethodLayout,
  periodStart: dateLayout,
  periodEnd: dateLayout,
  dueDate: dateLayout,
  lines: list(
    record<InvoiceLine>({
      type: enumeration({
        PLAN: 1,
        SETUP_FEE: 2,
        PRORATION_CREDIT: 3,
        PRORATION_CHARGE: 4,
        DISCOUNT: 5,
        CREDIT: 6,
      }),
      description: text(),
      cents: number(),
      periodStart: dateLayout,
      periodEnd: dateLayout,
    }),
  ),
  subtotalCents: number(),
  discountCents: number(),
  creditAppliedCents: number(),
  totalCents: number(),
  couponId: nullable(text()),
})

const attempt = record<AttemptStarted['attempt']>({
  id: text(),
  number: number(),
  trigger: enumeration({ AUTOMATIC: 1, DUNNING: 2, MANUAL: 3 }),
  method: billingMethodLayout,
  card: nullable(json()),
  transactionId: nullable(text()),
  amountCents: number(),
  failsAtMs: nullable(number()),
})

export const invoiceFacts = {
  InvoiceIssued: [1, { id: text(), by: initiator, atMs: number(), invoice }],
  AttemptStarted: [2, { ...head, attempt }],
  AttemptPresented: [3, { ...head, number: number(), payment: paymentData }],
  AttemptSucceeded: [4, { ...head, number: number(), paidCents: number() }],
  AttemptFailed: [
    5,
    {
      ...head,
      number: number(),
      wasCancelled: bool,
      failureReason: failureReasonLayout,
      retryable: bool,
      dunning: nullable(json()),
    },
  ],
  AttemptCancelled: [6, { ...head, number: number() }],
  AttemptAwaited: [7, head],
  AttemptExtended: [8, { ...head, number: number(), failsAtMs: number() }],
  InvoiceMoved: [9, { ...head, periodStart: dateLayout, periodEnd: dateLayout }],
  InvoiceVoided: [10, head],
  InvoiceMarkedUncollectible: [11, head],
  DunningPaused: [12, head],
  DunningPostponed: [13, { ...head, dunning: nullable(json()) }],
} satisfies FactLayouts<'invoice'>
