import { assert } from '../../shared/assert.ts'
import { copierOf } from '../../shared/copier.ts'
import type { InvoiceId } from '../../shared/ids.ts'
import { toCents } from '../../shared/money.ts'
import type {
  LatestInvoice,
  Subscription,
  SubscriptionBilled,
  SubscriptionCreated,
  SubscriptionFact,
  SubscriptionPaid,
  SubscriptionPaymentFailed,
  UnpaidInvoice,
} from './subscription.ts'

/** Applies a fact to a subscription. */
export const evolveSubscription = (
  subscription: Subscription | undefined,
  event: SubscriptionFact,
): Subscription => {
  if (event.type === 'SubscriptionCreated') {
    assert(subscription === undefined, 'a subscription is created once')
    return created(event)
  }
  assert(subscription !== undefined, `${event.type} follows SubscriptionCreated`)
  return copied(subscription, changesOf(subscription, event), { updatedAtMs: event.atMs })
}

const copied = copierOf<Subscription>()

const changesOf = (
  subscription: Subscription,
  event: Exclude<SubscriptionFact, SubscriptionCreated>,
): Partial<Subscription> => {
  switch (event.type) {
    case 'SubscriptionBilled':
      return billed(subscription, event)
    case 'PaymentInstructionsIssued': {
      const { invoiceId, transactionId, payment } = event
      return { latestInvoice: latest(subscription, invoiceId, { transactionId, payment }) }
    }
    case 'PeriodStarted':
      return { period: event.period, ahead: null }
    case 'SubscriptionPaid':
      return paid(subscription, event)
    case 'SubscriptionPaymentFailed':
      return failed(subscription, event)
    default:
      return event.changes
  }
}

const created = ({ id, atMs, subscription }: SubscriptionCreated): Subscription => ({
  id,
  ahead: null,
  cyclesBilled: 0,
  cancelAtPeriodEnd: false,
  cancelReason: null,
  cancelledAtMs: null,
  pausedAtMs: null,
  pausedFrom: null,
  scheduledChange: null,
  pendingChange: null,
  creditCents: toCents(0),
  unpaid: [],
  latestInvoice: null,
  wasPaid: false,
  mandate: null,
  attempts: 0,
  createdAtMs: atMs,
  updatedAtMs: atMs,
  ...subscription,
  // Subscriptions are older than mandates.
  pixAutomatic: subscription.pixAutomatic ?? null,
})

const billed = (subscription: Subscription, event: SubscriptionBilled): Partial<Subscription> => {
  const { status, invoiceId: id, totalCents, dueDate, period, isAhead } = event
  const { cyclesBilled, discountCyclesLeft, creditCents } = event
  const { unpaid, latestInvoice } = withIssued(subscription, { id, totalCents, dueDate })
  return {
    status,
    cyclesBilled,
    discountCyclesLeft,
    creditCents,
    unpaid,
    latestInvoice,
    period: isAhead ? subscription.period : period,
    ahead: isAhead ? period : null,
  }
}

const paid = (subscription: Subscription, event: SubscriptionPaid): Partial<Subscription> => {
  const { status, invoice, transactionId } = event
  return {
    status,
    wasPaid: true,
    attempts: subscription.attempts + (transactionId === null ? 0 : 1),
    unpaid: withoutInvoice(subscription.unpaid, invoice.id),
    latestInvoice: latest(subscription, invoice.id, { status: 'PAID', transactionId }),
  }
}

const failed = (
  subscription: Subscription,
  { status, invoice, invoiceStatus, transactionId }: SubscriptionPaymentFailed,
): Partial<Subscription> => ({
  status,
  attempts: subscription.attempts + (transactionId === null ? 0 : 1),
  unpaid: marked(subscription.unpaid, invoice.id, { status: invoiceStatus }),
  latestInvoice: latest(subscription, invoice.id, { status: invoiceStatus, transactionId }),
})

/** An invoice was issued: it is unpaid, and the newest. */
export const withIssued = (
  { unpaid }: Subscription,
  { id, totalCents, dueDate }: Pick<LatestInvoice, 'id' | 'totalCents' | 'dueDate'>,
): Pick<Subscription, 'unpaid' | 'latestInvoice'> => ({
  unpaid: [...unpaid, { id, totalCents, status: 'OPEN', isLeft: false }],
  latestInvoice: { id, status: 'OPEN', totalCents, dueDate, transactionId: null, payment: null },
})

/** The newest invoice with these changes, if this is its id. */
export const latest = (
  { latestInvoice }: Subscription,
  id: InvoiceId,
  changes: Partial<LatestInvoice>,
): LatestInvoice | null => (latestInvoice?.id === id ? copiedLatest(latestInvoice, changes) : latestInvoice)

const copiedLatest = copierOf<LatestInvoice>()

/** The unpaid invoices except this one. */
export const withoutInvoice = (unpaid: readonly UnpaidInvoice[], id: InvoiceId): readonly UnpaidInvoice[] =>
  unpaid.filter((invoice) => invoice.id !== id)

/** The unpaid invoices with these changes to one of them. */
export const marked = (
  unpaid: readonly UnpaidInvoice[],
  id: InvoiceId,
  changes: Partial<UnpaidInvoice>,
): readonly UnpaidInvoice[] =>
  unpaid.map((invoice) => (invoice.id === id ? { ...invoice, ...changes } : invoice))
