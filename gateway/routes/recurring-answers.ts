import Type from 'typebox'
import { finalActions } from '../../engine/billing/catalog/dunning.ts'
import { couponRefusals } from '../../engine/billing/catalog/redemption.ts'
import { described, named } from '../http/named-schema.ts'
import { customer } from './answers.ts'
import {
  amountOf,
  cents,
  count,
  createdAt,
  date,
  dated,
  flag,
  identity,
  instant,
  listOf,
  nullable,
  objectName,
  ownMetadata,
  resource,
  text,
  textOf,
  words,
} from './shapes.ts'
import {
  billingMethod,
  brand,
  couponStatus,
  failureReason,
  interval,
  invoiceStatus,
  subscriberStatus,
  subscriptionStatus,
} from './vocabulary.ts'

/** The shapes of what recurring billing answers. */

const onlyReal = words('BRL')

const planTerms = {
  name: textOf('What you call it.'),
  amount: amountOf('What each cycle costs.'),
  currency: onlyReal,
  interval,
  intervalCount: count('How many intervals a cycle has; for CUSTOM, how many days.'),
  trialDays: count('Days before the first invoice.'),
  setupFee: amountOf('Added to the first invoice.'),
  maxCycles: nullable(Type.Integer(), 'After how many cycles it ends; null: it never ends by itself.'),
  methods: listOf(billingMethod, 'How subscribers may pay.'),
  splitRuleId: described(text, 'The rule that divides its payments, `spr_…`.'),
}

export const plan = named(
  'Plan',
  resource('What subscriptions agree to.', {
    ...identity('pln', 'plan'),
    ...planTerms,
    active: flag('Whether it takes new subscriptions.'),
    metadata: ownMetadata,
    ...dated,
  }),
)

export const coupon = named(
  'Coupon',
  resource('A discount on what a plan costs.', {
    ...identity('cpn', 'coupon'),
    code: textOf('What subscribers type, in capitals.'),
    name: described(text, 'What you call it.'),
    discountType: described(words('PERCENT', 'FIXED'), 'Which of `percentBps` and `amountOff` is set.'),
    percentBps: nullable(Type.Integer(), 'What PERCENT takes off, in basis points: 100 is 1 %.'),
    amountOff: nullable(amountOf('What FIXED takes off.')),
    duration: described(
      words('ONCE', 'REPEATING', 'FOREVER'),
      'For the first cycle invoice, the first `durationCycles`, or all of them.',
    ),
    durationCycles: nullable(Type.Integer(), 'How many cycles REPEATING lasts.'),
    maxRedemptions: nullable(Type.Integer(), 'How often it can be redeemed; null: no limit.'),
    maxRedemptionsPerCustomer: nullable(
      Type.Integer(),
      'How often one customer can redeem it; null: no limit.',
    ),
    startsAt: nullable(instant, 'It cannot be redeemed before.'),
    expiresAt: nullable(instant, 'It cannot be redeemed from then on.'),
    planIds: nullable(listOf(textOf('A plan, `pln_…`.')), 'The plans that it is for; null: every plan.'),
    minAmount: nullable(amountOf('The least amount of a plan that it is for.')),
    active: flag('False: nobody can redeem it.'),
    redemptionsCount: count('How often it was redeemed.'),
    status: couponStatus,
    metadata: ownMetadata,
    ...dated,
  }),
)
export const couponValidation = named(
  'CouponValidation',
  resource('Whether a coupon can be redeemed, and what it takes off.', {
    object: objectName('coupon_validation'),
    valid: flag('Whether it could be redeemed now.'),
    reason: nullable(words(...couponRefusals), 'Why not: the first reason that holds, in this order.'),
    coupon: nullable(coupon, 'The coupon; null where no coupon has this code.'),
    amount: nullable(amountOf('What it is taken off; null where neither `amount` nor a plan was named.')),
    discountAmount: nullable(amountOf('What it takes off.')),
    finalAmount: nullable(amountOf('What is left to pay.')),
  }),
)

export const dunningPolicy = named(
  'DunningPolicy',
  resource('When an invoice that was not paid is tried again, and what happens in the end.', {
    object: objectName('dunning_policy'),
    scope: described(words('COMPANY', 'PLAN'), 'Whose policy it is.'),
    planId: described(text, 'The plan, `pln_…`; null is the company’s policy.'),
    enabled: flag('False: nothing is tried again by itself.'),
    retryDays: Type.Array(Type.Integer(), { description: 'Days after the first failure.' }),
    finalAction: described(
      words(...finalActions),
      'What becomes of the subscription when the last attempt has failed.',
    ),
    retryHour: count('Hour of the day of attempts, in the company’s time zone.'),
    updatedAt: nullable(instant, 'When it was set; null: it never was, these are the defaults.'),
  }),
)
export const dunning = named(
  'Dunning',
  resource('The company’s retry policy, and those of plans.', {
    object: objectName('dunning'),
    default: described(dunningPolicy, 'The company’s policy.'),
    plans: listOf(dunningPolicy, 'Policies of plans that have one of their own.'),
  }),
)

export const dunningPolicyRemoval = named(
  'DunningPolicyRemoval',
  resource('The plan has the company’s policy again.', {
    planId: textOf('The plan.'),
    object: objectName('dunning_policy'),
    deleted: flag('Always true.'),
  }),
)

const digitableLine = Type.String({
  pattern: '^[0-9]{47}$',
  description: 'The 47 digits that the payer types.',
})
const payable = {
  pix: nullable(
    Type.Object({
      copyPaste: textOf('The BR Code that the payer pastes into a banking app.'),
      qrCodeUrl: textOf('Path of the same code as an image.'),
      expiresAt: described(instant, 'Until when it can be paid.'),
    }),
    'How to pay by PIX.',
  ),
  boleto: nullable(
    Type.Object({
      digitableLine,
      barcode: Type.String({ pattern: '^[0-9]{44}$', description: 'The 44 digits of the bar code.' }),
      dueDate: described(date, 'Until this day it should be paid.'),
    }),
    'How to pay by boleto.',
  ),
}

const subscriptionCard = nullable(
  Type.Object({
    brand,
    last4: textOf('Last four digits of the card.'),
    holderName: described(text, 'As printed on the card, where it was sent.'),
  }),
  'The card that is charged.',
)

const latestInvoiceFields = {
  id: textOf('Its id, `inv_…`.'),
  status: invoiceStatus,
  totalAmount: amountOf('What is to be paid.'),
  dueDate: described(date, 'Until this day it should be paid.'),
}

const beforeLatestInvoice = {
  ...identity('sub', 'subscription'),
  status: subscriptionStatus,
  planId: textOf('The plan, `pln_…`.'),
  plan: named(
    'PlanTerms',
    Type.Object(planTerms, {
      description: 'The plan as it was agreed: later changes of the plan do not touch it.',
    }),
  ),
  customerId: textOf('The subscriber’s entry in your register of customers, `cus_…`.'),
  customer,
  method: billingMethod,
  card: subscriptionCard,
  couponId: described(text, 'The coupon that was redeemed, `cpn_…`.'),
  discountCyclesLeft: nullable(Type.Integer(), 'Cycle invoices that the coupon still applies to.'),
  startAt: described(date, 'The first day.'),
  trialEndsAt: nullable(date, 'The first day after the trial.'),
  anchorDate: described(date, 'Cycles are counted from this day.'),
  currentPeriodStart: described(date, 'The first day of the period.'),
  currentPeriodEnd: described(date, 'The first day that the period does not cover.'),
  nextBillingAt: nullable(instant, 'When the next invoice is issued.'),
  cyclesBilled: count('How many cycles were billed.'),
  cancelAtPeriodEnd: flag('Whether it ends with its period.'),
  cancelReason: described(text, 'As it was sent; FIRST_PAYMENT_FAILED where it was never paid.'),
  cancelledAt: nullable(instant, 'When it was cancelled.'),
  pausedAt: nullable(instant, 'Since when it is paused.'),
  scheduledChange: nullable(
    Type.Object({
      planId: textOf('The plan to come.'),
      effectiveOn: described(date, 'From this day on.'),
    }),
    'A change of plan that waits for the period to end.',
  ),
  pendingChange: nullable(
    Type.Object({
      planId: textOf('The plan to come.'),
      invoiceId: textOf('The invoice for the difference.'),
      expiresAt: nullable(instant, 'Until when it can be paid; then the change is dropped.'),
    }),
    'A change of plan that waits for its invoice to be paid.',
  ),
  creditBalance: amountOf('What next invoices take off.'),
}

const afterLatestInvoice = { metadata: ownMetadata, ...dated }

export const subscription = named(
  'Subscription',
  resource('A customer’s agreement to pay a plan, cycle by cycle.', {
    ...beforeLatestInvoice,
    latestInvoice: nullable(
      Type.Object({
        ...latestInvoiceFields,
        payment: nullable(
          Type.Object({
            transactionId: textOf('The charge that collects it, `txn_…`.'),
            ...payable,
          }),
          'How it is paid; null where no charge collects it.',
        ),
      }),
      'The newest invoice.',
    ),
    ...afterLatestInvoice,
  }),
)

/** The same in events: without how the invoice is paid. */
export const subscriptionEventFields = {
  ...beforeLatestInvoice,
  latestInvoice: nullable(Type.Object(latestInvoiceFields), 'The newest invoice.'),
  ...afterLatestInvoice,
}

const line = named(
  'InvoiceLine',
  Type.Object(
    {
      type: described(
        words('PLAN', 'SETUP_FEE', 'PRORATION_CREDIT', 'PRORATION_CHARGE', 'DISCOUNT', 'CREDIT'),
        'PRORATION_…: what a change of plan gives back, and costs. DISCOUNT: the coupon. CREDIT: from `creditBalance`.',
      ),
      description: textOf('The same for people.'),
      amount: described(cents, 'Negative where it takes something off. In centavos, as digits.'),
      periodStart: described(date, 'The first day that it is for.'),
      periodEnd: described(date, 'The first day that it is not for.'),
    },
    { description: 'One line of an invoice.' },
  ),
)

const attempt = named(
  'Attempt',
  Type.Object(
    {
      ...identity('att', 'attempt'),
      number: count('Which attempt of its invoice, from 1.'),
      trigger: described(
        words('AUTOMATIC', 'DUNNING', 'MANUAL'),
        'AUTOMATIC: when it was issued. DUNNING: by the retry policy. MANUAL: by a request.',
      ),
      method: billingMethod,
      transactionId: described(text, 'The charge, `txn_…`.'),
      amount: amountOf('What it collects.'),
      status: described(
        words('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'),
        'CANCELLED: another attempt took its place, or the invoice is void.',
      ),
      failureReason: nullable(failureReason, 'Why it failed.'),
      retryable: nullable(Type.Boolean(), 'Whether the same card may be tried again.'),
      payment: nullable(Type.Object(payable), 'How the payer pays it, by PIX or boleto.'),
      createdAt,
      finishedAt: nullable(instant, 'When it succeeded, failed or was cancelled.'),
    },
    { description: 'One try to collect an invoice.' },
  ),
)

const invoiceFields = {
  ...identity('inv', 'invoice'),
  number: Type.String({
    pattern: '^INV-[0-9]{6,}$',
    description: 'Counted for the company and environment.',
    examples: ['INV-000123'],
  }),
  kind: described(words('CYCLE', 'PRORATION'), 'PRORATION: for the difference of a change of plan.'),
  subscriptionId: textOf('The subscription, `sub_…`.'),
  customerId: textOf('The subscriber, `cus_…`.'),
  planId: textOf('The plan, `pln_…`.'),
  cycle: count('Which cycle it is for, from 1.'),
  method: billingMethod,
  status: invoiceStatus,
  currency: onlyReal,
  periodStart: described(date, 'The first day that it is for.'),
  periodEnd: described(date, 'The first day that it is not for.'),
  dueDate: described(date, 'Until this day it should be paid.'),
  lines: listOf(line, 'What it is made of.'),
  subtotalAmount: amountOf('Plan, setup fee and prorations.'),
  discountAmount: amountOf('What the coupon takes off.'),
  creditAppliedAmount: amountOf('What the subscription’s credit takes off.'),
  totalAmount: amountOf('What is to be paid.'),
  paidAmount: amountOf('What was paid.'),
  couponId: described(text, 'The coupon, `cpn_…`.'),
  attemptCount: count('How many attempts there were.'),
  nextAttemptAt: nullable(
    instant,
    'When it is tried again by itself, at the earliest when an open charge ends; null where it is not.',
  ),
  createdAt,
  paidAt: nullable(instant, 'When it was paid.'),
  voidedAt: nullable(instant, 'When it became VOID.'),
  updatedAt: dated.updatedAt,
}

export const invoice = named(
  'Invoice',
  resource('What a subscription asks its customer to pay.', invoiceFields),
)
export const invoiceDetail = named(
  'InvoiceDetail',
  resource('An invoice with its attempts.', {
    ...invoiceFields,
    attempts: listOf(attempt, 'Every attempt, oldest first.'),
  }),
)

export const planChange = named(
  'PlanChange',
  resource('What a change of plan does, or would do.', {
    subscription: described(subscription, 'The subscription after the change.'),
    invoice: nullable(invoiceDetail, 'The invoice for the difference, where there is one.'),
    proration: nullable(
      Type.Object({
        creditAmount: amountOf('What is left of the old plan.'),
        chargeAmount: amountOf('What the rest of the period costs by the new one.'),
        netAmount: described(
          cents,
          '`chargeAmount` less `creditAmount`; negative becomes credit. In centavos, as digits.',
        ),
        daysRemaining: count('Days that are left of the period, with today.'),
        daysInPeriod: count('Days of the period.'),
      }),
      'Null where the change waits for the period to end, or for a trial.',
    ),
    preview: flag('True: nothing was changed.'),
  }),
)

export const recurringOverview = named(
  'RecurringOverview',
  resource('The figures of all subscriptions.', {
    object: objectName('recurring_overview'),
    asOf: described(instant, 'When it was calculated.'),
    currency: onlyReal,
    mrrAmount: Type.String({
      pattern: '^[0-9]+$',
      description:
        'Monthly value of active and past due subscriptions, with recurring discounts. In centavos, as digits.',
    }),
    arrAmount: amountOf('Twelve times `mrrAmount`.'),
    activeSubscriptions: count('How many are ACTIVE.'),
    trialingSubscriptions: count('How many are TRIALING.'),
    pendingSubscriptions: count('How many are PENDING.'),
    pastDueSubscriptions: count('How many are PAST_DUE.'),
    pausedSubscriptions: count('How many are PAUSED.'),
    suspendedSubscriptions: count('How many are SUSPENDED.'),
    newLast30Days: count('How many were created in the last 30 days.'),
    cancelledLast30Days: count('How many were cancelled in the last 30 days.'),
    churnBps: count('Cancellations of the last 30 days, of what was active 30 days ago, in basis points.'),
    delinquency: Type.Object(
      {
        invoices: count('Invoices that are late.'),
        amount: amountOf('What they come to.'),
        customers: count('Customers who owe them.'),
        rateBps: count('Share of PAST_DUE among ACTIVE and PAST_DUE subscriptions, in basis points.'),
      },
      { description: 'What is late.' },
    ),
  }),
)

export const subscriber = named(
  'Subscriber',
  resource('A customer with subscriptions.', {
    object: objectName('subscriber'),
    customerId: textOf('Entry in the register of customers, `cus_…`.'),
    customer,
    subscriptions: count('How many subscriptions there were.'),
    activeSubscriptions: count('How many of them are ACTIVE.'),
    mrrAmount: amountOf('Monthly value of the ACTIVE and PAST_DUE ones.'),
    overdueAmount: amountOf('What is late.'),
    firstSubscribedAt: described(instant, 'When the first one was created.'),
    status: subscriberStatus,
  }),
)
