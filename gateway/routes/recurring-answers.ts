import Type from 'typebox'
import { invoiceStatuses } from '../../engine/invoice/invoice.ts'
import { brands } from '../../engine/methods/card/fees.ts'
import { finalActions } from '../../engine/recurring/dunning.ts'
import { billingMethods, intervals } from '../../engine/recurring/plan.ts'
import { couponRefusals, couponStatuses } from '../../engine/recurring/redemption.ts'
import { subscriberStatuses } from '../../engine/subscriber/subscriber.ts'
import { subscriptionStatuses } from '../../engine/subscription/subscription.ts'
import { customer } from './answers.ts'
import {
  anyObject,
  anyText,
  cents,
  date,
  dated,
  identity,
  instant,
  listOf,
  maybeInstant,
  nullable,
  text,
  words,
} from './shapes.ts'

/** The shapes of what recurring billing answers. */

const planTerms = {
  name: anyText,
  amount: cents,
  currency: words('BRL'),
  interval: words(...intervals),
  intervalCount: Type.Integer({ description: 'How many intervals a cycle has; of CUSTOM, how many days.' }),
  trialDays: Type.Integer(),
  setupFee: cents,
  maxCycles: nullable(Type.Integer(), 'Null: it never ends by itself.'),
  methods: listOf(words(...billingMethods)),
  splitRuleId: text,
}

export const plan = Type.Object({
  ...identity('pln', 'plan'),
  ...planTerms,
  active: Type.Boolean({ description: 'Whether it takes new subscriptions.' }),
  metadata: anyObject,
  ...dated,
})

export const coupon = Type.Object({
  ...identity('cpn', 'coupon'),
  code: anyText,
  name: text,
  discountType: words('PERCENT', 'FIXED'),
  percentBps: nullable(Type.Integer(), 'Of PERCENT: 100 is 1 %.'),
  amountOff: nullable(cents, 'Of FIXED: centavos, as digits.'),
  duration: words('ONCE', 'REPEATING', 'FOREVER'),
  durationCycles: nullable(Type.Integer(), 'Of REPEATING: how many cycles.'),
  maxRedemptions: nullable(Type.Integer()),
  maxRedemptionsPerCustomer: nullable(Type.Integer()),
  startsAt: maybeInstant,
  expiresAt: maybeInstant,
  planIds: nullable(listOf(anyText), 'Null: it is for every plan.'),
  minAmount: nullable(cents, 'The least amount of a plan, as digits.'),
  active: Type.Boolean(),
  redemptionsCount: Type.Integer(),
  status: words(...couponStatuses),
  metadata: anyObject,
  ...dated,
})
export const couponValidation = Type.Object({
  object: words('coupon_validation'),
  valid: Type.Boolean(),
  reason: nullable(words(...couponRefusals), 'Why not: the first reason that holds, in this order.'),
  coupon: nullable(coupon),
  amount: nullable(cents, 'What it is taken off; null where neither `amount` nor a plan was named.'),
  discountAmount: nullable(cents),
  finalAmount: nullable(cents),
})

export const dunningPolicy = Type.Object({
  object: words('dunning_policy'),
  scope: words('COMPANY', 'PLAN'),
  planId: text,
  enabled: Type.Boolean(),
  retryDays: Type.Array(Type.Integer(), { description: 'Days after the first failure.' }),
  finalAction: words(...finalActions),
  retryHour: Type.Integer({ description: "Hour of the day, in the company's time zone." }),
  updatedAt: nullable(instant, 'Null: it was never set, these are the defaults.'),
})
export const dunning = Type.Object({
  object: words('dunning'),
  default: dunningPolicy,
  plans: listOf(dunningPolicy),
})

export const dunningPolicyRemoval = Type.Object({
  planId: anyText,
  object: words('dunning_policy'),
  deleted: Type.Boolean(),
})

const payable = {
  pix: nullable(
    Type.Object({
      copyPaste: Type.String({ description: 'The BR Code that the payer pastes into a banking app.' }),
      qrCodeUrl: Type.String({ description: 'Where the same code is found as an image.' }),
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
  ...identity('sub', 'subscription'),
  status: words(...subscriptionStatuses),
  planId: anyText,
  plan: Type.Object(planTerms, {
    description: 'As it was agreed: later changes of the plan do not touch it.',
  }),
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
  ...dated,
})

const line = Type.Object({
  type: words('PLAN', 'SETUP_FEE', 'PRORATION_CREDIT', 'PRORATION_CHARGE', 'DISCOUNT', 'CREDIT'),
  description: anyText,
  amount: cents,
  periodStart: date,
  periodEnd: date,
})

const attempt = Type.Object({
  ...identity('att', 'attempt'),
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
  ...identity('inv', 'invoice'),
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
  nextAttemptAt: nullable(
    instant,
    'When it is tried again by itself, at the earliest when an open charge ends; null where it is not.',
  ),
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
