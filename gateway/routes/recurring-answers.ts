import Type from 'typebox'
import { invoiceStatuses } from '../../engine/invoice/invoice.ts'
import { brands } from '../../engine/methods/card/fees.ts'
import { billingMethods, intervals } from '../../engine/recurring/plan.ts'
import { subscriberStatuses } from '../../engine/subscriber/subscriber.ts'
import { subscriptionStatuses } from '../../engine/subscription/subscription.ts'
import {
  anyObject,
  anyText,
  cents,
  customer,
  date,
  image,
  instant,
  listOf,
  maybeInstant,
  nullable,
  text,
  words,
} from './answers.ts'

/** The shapes of what recurring billing answers. */

const payable = {
  pix: nullable(
    Type.Object({
      copyPaste: Type.String({ description: 'The BR Code that the payer pastes into a banking app.' }),
      qrCode: image,
      expiresAt: instant,
    }),
  ),
  boleto: nullable(
    Type.Object({
      digitableLine: Type.String({ pattern: '^[0-9]{47}$', description: 'What the payer types.' }),
      barcode: Type.String({ pattern: '^[0-9]{44}$' }),
      dueDate: date,
    }),
  ),
}

export const subscription = Type.Object({
  id: Type.String({ pattern: '^sub_[0-9A-Z]{26}$' }),
  object: words('subscription'),
  status: words(...subscriptionStatuses),
  planId: anyText,
  plan: Type.Object(
    {
      name: anyText,
      amount: cents,
      currency: words('BRL'),
      interval: words(...intervals),
      intervalCount: Type.Integer(),
      trialDays: Type.Integer(),
      setupFee: cents,
      maxCycles: nullable(Type.Integer()),
      methods: listOf(words(...billingMethods)),
      splitRuleId: text,
    },
    { description: 'As it was agreed: later changes of the plan do not touch it.' },
  ),
  customerId: anyText,
  customer,
  method: words(...billingMethods),
  card: nullable(Type.Object({ brand: words(...brands), last4: anyText, holderName: text })),
  couponId: text,
  discountCyclesLeft: nullable(Type.Integer(), 'Cycle invoices that the coupon still applies to.'),
  startAt: date,
  trialEndsAt: nullable(date),
  anchorDate: Type.String({ format: 'date', description: 'Cycles are counted from this day.' }),
  currentPeriodStart: date,
  currentPeriodEnd: Type.String({ format: 'date', description: 'The first day that it does not cover.' }),
  nextBillingAt: nullable(instant, 'When the next invoice is issued.'),
  cyclesBilled: Type.Integer(),
  cancelAtPeriodEnd: Type.Boolean(),
  cancelReason: text,
  cancelledAt: maybeInstant,
  pausedAt: maybeInstant,
  scheduledChange: nullable(Type.Object({ planId: anyText, effectiveOn: date })),
  pendingChange: nullable(Type.Object({ planId: anyText, invoiceId: anyText, expiresAt: maybeInstant })),
  creditBalance: Type.String({
    pattern: '^[0-9]+$',
    description: 'What next invoices take off, in centavos.',
  }),
  latestInvoice: nullable(
    Type.Object({
      id: anyText,
      status: words(...invoiceStatuses),
      totalAmount: cents,
      dueDate: date,
      payment: nullable(Type.Object({ transactionId: anyText, ...payable })),
    }),
  ),
  metadata: anyObject,
  createdAt: instant,
  updatedAt: instant,
})

const line = Type.Object({
  type: words('PLAN', 'SETUP_FEE', 'PRORATION_CREDIT', 'PRORATION_CHARGE', 'DISCOUNT', 'CREDIT'),
  description: anyText,
  amount: cents,
  periodStart: date,
  periodEnd: date,
})

const attempt = Type.Object({
  id: Type.String({ pattern: '^att_[0-9A-Z]{26}$' }),
  object: words('attempt'),
  number: Type.Integer(),
  trigger: words('AUTOMATIC', 'DUNNING', 'MANUAL'),
  method: words(...billingMethods),
  transactionId: text,
  amount: cents,
  status: words('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'),
  failureReason: text,
  retryable: nullable(Type.Boolean(), 'Whether the same card may be tried again.'),
  payment: nullable(Type.Object(payable)),
  createdAt: instant,
  finishedAt: maybeInstant,
})

const invoiceFields = {
  id: Type.String({ pattern: '^inv_[0-9A-Z]{26}$' }),
  object: words('invoice'),
  number: Type.String({ pattern: '^INV-[0-9]{6,}$', examples: ['INV-000123'] }),
  kind: words('CYCLE', 'PRORATION'),
  subscriptionId: anyText,
  customerId: anyText,
  planId: anyText,
  cycle: Type.Integer(),
  method: words(...billingMethods),
  status: words(...invoiceStatuses),
  currency: words('BRL'),
  periodStart: date,
  periodEnd: date,
  dueDate: date,
  lines: listOf(line),
  subtotalAmount: cents,
  discountAmount: cents,
  creditAppliedAmount: cents,
  totalAmount: cents,
  paidAmount: cents,
  couponId: text,
  attemptCount: Type.Integer(),
  nextAttemptAt: nullable(instant, 'When it is tried again by itself.'),
  createdAt: instant,
  paidAt: maybeInstant,
  voidedAt: maybeInstant,
  updatedAt: instant,
}

export const invoice = Type.Object(invoiceFields)
export const invoiceDetail = Type.Object({ ...invoiceFields, attempts: listOf(attempt) })

export const planChange = Type.Object({
  subscription,
  invoice: nullable(invoiceDetail, 'The invoice for the difference, where there is one.'),
  proration: nullable(
    Type.Object({
      creditAmount: cents,
      chargeAmount: cents,
      netAmount: cents,
      daysRemaining: Type.Integer({ description: 'Today is one of them.' }),
      daysInPeriod: Type.Integer(),
    }),
    'Null where the change waits for the period to end, or for a trial.',
  ),
  preview: Type.Boolean(),
})

export const recurringOverview = Type.Object({
  object: words('recurring_overview'),
  asOf: instant,
  currency: words('BRL'),
  mrrAmount: Type.String({
    pattern: '^[0-9]+$',
    description: 'Monthly value of active and past due subscriptions, with recurring discounts.',
  }),
  arrAmount: cents,
  activeSubscriptions: Type.Integer(),
  trialingSubscriptions: Type.Integer(),
  pendingSubscriptions: Type.Integer(),
  pastDueSubscriptions: Type.Integer(),
  pausedSubscriptions: Type.Integer(),
  suspendedSubscriptions: Type.Integer(),
  newLast30Days: Type.Integer(),
  cancelledLast30Days: Type.Integer(),
  churnBps: Type.Integer({ description: 'Of those that were active 30 days ago.' }),
  delinquency: Type.Object({
    invoices: Type.Integer(),
    amount: cents,
    customers: Type.Integer(),
    rateBps: Type.Integer(),
  }),
})

export const subscriber = Type.Object({
  object: words('subscriber'),
  customerId: anyText,
  customer,
  subscriptions: Type.Integer(),
  activeSubscriptions: Type.Integer(),
  mrrAmount: cents,
  overdueAmount: cents,
  firstSubscribedAt: instant,
  status: words(...subscriberStatuses),
})
