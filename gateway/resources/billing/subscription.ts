import Type, { type Static } from 'typebox'
import { nextBillingAtMs } from '../../../engine/billing/subscription/cycle.ts'
import type { LatestInvoice, Subscription } from '../../../engine/billing/subscription/subscription.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { billingMethod, invoiceStatus, subscriptionStatus } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  count,
  date,
  dated,
  flag,
  identity,
  instant,
  instantOrNull,
  nullable,
  ownMetadata,
  pick,
  text,
  textOf,
} from '../fields.ts'
import { card } from '../payments/card-part.ts'
import { customer } from '../payments/customer.ts'
import { paymentInstructions, paymentInstructionsView } from '../payments/payment-instructions.ts'
import type { Sample } from '../sample.ts'
import { planTerms, planTermsView } from './plan.ts'

const latestInvoiceFields = {
  id: textOf('Its id, `inv_…`.'),
  status: invoiceStatus,
  totalAmount: amountOf('What is to be paid.'),
  dueDate: described(date, 'Until this day it should be paid.'),
}

const latestInvoice = nullable(
  Type.Object({
    ...latestInvoiceFields,
    payment: nullable(
      Type.Object({
        transactionId: textOf('The charge that collects it, `txn_…`.'),
        ...paymentInstructions.properties,
      }),
      'How it is paid; null where no charge collects it.',
    ),
  }),
  'The newest invoice.',
)

/** A subscription (decisions, section 20). */
export const subscription = namedObject(
  'Subscription',
  'A customer’s agreement to pay a plan, cycle by cycle.',
  {
    ...identity('sub', 'subscription'),
    status: subscriptionStatus,
    planId: textOf('The plan, `pln_…`.'),
    plan: planTerms,
    customerId: textOf('The subscriber’s entry in your register of customers, `cus_…`.'),
    customer,
    method: billingMethod,
    card: nullable(
      Type.Object(pick(card.schema.properties, 'brand', 'last4', 'holderName')),
      'The card that is charged.',
    ),
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
    latestInvoice,
    metadata: ownMetadata,
    ...dated,
  },
)

/** A subscription, with what its payer needs to pay the latest invoice. */
export const subscriptionView = (s: Subscription): Static<typeof subscription> => ({
  id: s.id,
  object: 'subscription',
  status: s.status,
  planId: s.planId,
  plan: planTermsView(s.plan),
  customerId: s.customerId,
  customer: s.customer,
  method: s.method,
  card: s.card && { brand: s.card.brand, last4: s.card.last4, holderName: s.card.holderName },
  couponId: s.couponId,
  discountCyclesLeft: s.discountCyclesLeft,
  startAt: s.startOn,
  trialEndsAt: s.trialEndsOn,
  anchorDate: s.period.anchorOn,
  currentPeriodStart: s.period.start,
  currentPeriodEnd: s.period.end,
  nextBillingAt: instantOrNull(nextBillingAtMs(s)),
  cyclesBilled: s.cyclesBilled,
  cancelAtPeriodEnd: s.cancelAtPeriodEnd,
  cancelReason: s.cancelReason,
  cancelledAt: instantOrNull(s.cancelledAtMs),
  pausedAt: instantOrNull(s.pausedAtMs),
  scheduledChange: s.scheduledChange && {
    planId: s.scheduledChange.planId,
    effectiveOn: s.scheduledChange.effectiveOn,
  },
  pendingChange: s.pendingChange && {
    planId: s.pendingChange.planId,
    invoiceId: s.pendingChange.invoiceId,
    expiresAt: instantOrNull(s.pendingChange.expiresAtMs),
  },
  creditBalance: String(s.creditCents),
  latestInvoice: s.latestInvoice && latestInvoiceView(s.latestInvoice),
  metadata: s.metadata,
  createdAt: isoInstant(s.createdAtMs),
  updatedAt: isoInstant(s.updatedAtMs),
})

const latestInvoiceView = ({ id, status, totalCents, dueDate, transactionId, payment }: LatestInvoice) => ({
  id,
  status,
  totalAmount: String(totalCents),
  dueDate,
  payment: transactionId && {
    transactionId,
    ...(payment === null ? { pix: null, boleto: null } : paymentInstructionsView(transactionId, payment)),
  },
})

/** `data` of the event of a new subscription: everything except how the latest invoice is paid. */
export const subscriptionEvent = eventData(
  'SubscriptionCreatedEventData',
  'The subscription as it was created, before anything was paid.',
  {
    ...subscription.properties,
    latestInvoice: nullable(Type.Object(latestInvoiceFields), 'The newest invoice.'),
  },
)

/** A subscription to a monthly plan; its sample events are rendered from it. */
export const subscriptionSample = ({ id, atMs, day }: Sample): Subscription => ({
  id: id('sub'),
  accountId: accountIdOf(id('cmp'), 'SANDBOX'),
  status: 'PENDING',
  timeZone: 'America/Sao_Paulo',
  planId: id('pln'),
  plan: {
    name: 'Sample',
    amountCents: toCents(1000),
    interval: 'MONTH',
    intervalCount: 1,
    trialDays: 0,
    setupFeeCents: toCents(0),
    maxCycles: null,
    methods: ['PIX'],
    splitRuleId: null,
  },
  customerId: id('cus'),
  customer: {
    name: 'Pagador de Teste',
    document: null,
    documentType: null,
    email: null,
    phone: null,
    address: null,
  },
  method: 'PIX',
  card: null,
  couponId: null,
  discount: null,
  discountCyclesLeft: null,
  startOn: day(0),
  trialEndsOn: null,
  period: {
    number: 0,
    anchorOn: day(0),
    start: day(0),
    end: day(30),
    valueCents: toCents(1000),
    invoiceId: id('inv'),
  },
  ahead: null,
  cyclesBilled: 1,
  cancelAtPeriodEnd: false,
  cancelReason: null,
  cancelledAtMs: null,
  pausedAtMs: null,
  pausedFrom: null,
  scheduledChange: null,
  pendingChange: null,
  creditCents: toCents(0),
  unpaid: [],
  latestInvoice: {
    id: id('inv'),
    status: 'OPEN',
    totalCents: toCents(1000),
    dueDate: day(1),
    transactionId: null,
    payment: null,
  },
  wasPaid: false,
  attempts: 0,
  metadata: {},
  createdAtMs: atMs,
  updatedAtMs: atMs,
})
