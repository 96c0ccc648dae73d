import Type from 'typebox'
import type { BillingCard } from '../../../engine/billing/payment-means.ts'
import { nextBillingAtMs } from '../../../engine/billing/subscription/cycle.ts'
import type { LatestInvoice, Subscription } from '../../../engine/billing/subscription/subscription.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { billingMethod, invoiceStatus, subscriptionStatus } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  booleanOf,
  count,
  date,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  ownMetadata,
  textOf,
} from '../fields.ts'
import { card } from '../payments/card-part.ts'
import { customer, shownCustomer } from '../payments/customer.ts'
import { paymentInstructions, paymentInstructionsView } from '../payments/payment-instructions.ts'
import { fieldsOf, part, resource, same, schemasOf } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { pixMandate } from './pix-mandate.ts'
import { planTerms } from './plan.ts'

const latestInvoiceFields = fieldsOf<LatestInvoice>().with({
  id: [textOf('Its id, `inv_…`.'), same],
  status: [invoiceStatus, same],
  totalAmount: [amountOf('What is to be paid.'), ({ totalCents }) => String(totalCents)],
  dueDate: [described(date, 'Until this day it should be paid.'), same],
})

const latestInvoice = part<LatestInvoice>().with({
  ...latestInvoiceFields,
  payment: [
    nullableField(
      Type.Object({
        transactionId: textOf('The charge that collects it, `txn_…`.'),
        ...paymentInstructions.properties,
      }),
      'How it is paid; null where no charge collects it.',
    ),
    ({ transactionId, payment }) =>
      transactionId && {
        transactionId,
        ...(payment === null ? { pix: null, boleto: null } : paymentInstructionsView(transactionId, payment)),
      },
  ],
})

const { brand, last4, holderName } = card.schema.properties
const shownCard = part<BillingCard>().with({
  brand: [brand, same],
  last4: [last4, same],
  holderName: [holderName, same],
})

const scheduledChange = part<NonNullable<Subscription['scheduledChange']>>().with({
  planId: [textOf('The plan to come.'), same],
  effectiveOn: [described(date, 'From this day on.'), same],
})

const pendingChange = part<NonNullable<Subscription['pendingChange']>>().with({
  planId: [textOf('The plan to come.'), same],
  invoiceId: [textOf('The invoice for the difference.'), same],
  expiresAt: [
    nullableField(instant, 'Until when it can be paid; then the change is dropped.'),
    ({ expiresAtMs }) => instantOrNull(expiresAtMs),
  ],
})

/** A subscription, with what its payer needs to pay the latest invoice (decisions, section 20). */
export const subscription = resource<Subscription>(
  'Subscription',
  'A customer’s agreement to pay a plan, cycle by cycle.',
).with({
  ...identityFields('sub', 'subscription'),
  status: [subscriptionStatus, same],
  planId: [textOf('The plan, `pln_…`.'), same],
  plan: [planTerms.schema, (s) => planTerms.view(s.plan)],
  customerId: [textOf('The subscriber’s entry in your register of customers, `cus_…`.'), same],
  customer: [customer, (s) => shownCustomer(s.customer)],
  method: [billingMethod, same],
  card: [
    nullableField(shownCard.schema, 'The card that is charged.'),
    (s) => s.card && shownCard.view(s.card),
  ],
  couponId: [described(nullableText, 'The coupon that was redeemed, `cpn_…`.'), same],
  discountCyclesLeft: [
    nullableField(Type.Integer(), 'Cycle invoices that the coupon still applies to.'),
    same,
  ],
  startAt: [described(date, 'The first day.'), (s) => s.startOn],
  trialEndsAt: [nullableField(date, 'The first day after the trial.'), (s) => s.trialEndsOn],
  anchorDate: [described(date, 'Cycles are counted from this day.'), (s) => s.period.anchorOn],
  currentPeriodStart: [described(date, 'The first day of the period.'), (s) => s.period.start],
  currentPeriodEnd: [described(date, 'The first day that the period does not cover.'), (s) => s.period.end],
  nextBillingAt: [
    nullableField(instant, 'When the next invoice is issued.'),
    (s) => instantOrNull(nextBillingAtMs(s)),
  ],
  cyclesBilled: [count('How many cycles were billed.'), same],
  cancelAtPeriodEnd: [booleanOf('Whether it ends with its period.'), same],
  cancelReason: [
    described(nullableText, 'As it was sent; FIRST_PAYMENT_FAILED where it was never paid.'),
    same,
  ],
  cancelledAt: [nullableField(instant, 'When it was cancelled.'), (s) => instantOrNull(s.cancelledAtMs)],
  pausedAt: [nullableField(instant, 'Since when it is paused.'), (s) => instantOrNull(s.pausedAtMs)],
  scheduledChange: [
    nullableField(scheduledChange.schema, 'A change of plan that waits for the period to end.'),
    (s) => s.scheduledChange && scheduledChange.view(s.scheduledChange),
  ],
  pendingChange: [
    nullableField(pendingChange.schema, 'A change of plan that waits for its invoice to be paid.'),
    (s) => s.pendingChange && pendingChange.view(s.pendingChange),
  ],
  creditBalance: [amountOf('What next invoices take off.'), (s) => String(s.creditCents)],
  latestInvoice: [
    nullableField(latestInvoice.schema, 'The newest invoice.'),
    (s) => s.latestInvoice && latestInvoice.view(s.latestInvoice),
  ],
  pixMandate: [
    nullableField(pixMandate.schema, 'The newest mandate of Pix Automático.'),
    (s) => s.mandate && pixMandate.view(s.mandate),
  ],
  metadata: [ownMetadata, same],
  ...datedFields,
})

/** `data` of the event of a new subscription: everything except how the latest invoice is paid. */
export const subscriptionEvent = eventData(
  'SubscriptionCreatedEventData',
  'The subscription as it was created, before anything was paid.',
  {
    ...subscription.schema.properties,
    latestInvoice: nullableField(Type.Object(schemasOf(latestInvoiceFields)), 'The newest invoice.'),
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
  mandate: null,
  pixAutomatic: null,
  attempts: 0,
  metadata: {},
  createdAtMs: atMs,
  updatedAtMs: atMs,
})
