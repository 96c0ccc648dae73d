import type { PaymentData } from '../../engine/billing/payment-means.ts'
import { nextBillingAtMs } from '../../engine/billing/subscription/cycle.ts'
import type { LatestInvoice, Subscription } from '../../engine/billing/subscription/subscription.ts'
import { digitableLine } from '../../engine/payments/methods/boleto/bar-code.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { TransactionId } from '../../engine/shared/ids.ts'
import { customerView, instant, qrCodeUrlOf } from './transaction.ts'

/** A subscription as the API shows it (decisions, section 20), with what its payer needs to pay the newest invoice. */
export const subscriptionView = (subscription: Subscription) => ({
  ...subscriptionData(subscription),
  latestInvoice: subscription.latestInvoice && {
    ...latestView(subscription.latestInvoice),
    payment: latestPayment(subscription.latestInvoice),
  },
})

/** The same as events tell it: without the payment. */
export const subscriptionData = (s: Subscription) => ({
  id: s.id,
  object: 'subscription',
  status: s.status,
  planId: s.planId,
  plan: {
    name: s.plan.name,
    amount: String(s.plan.amountCents),
    currency: 'BRL',
    interval: s.plan.interval,
    intervalCount: s.plan.intervalCount,
    trialDays: s.plan.trialDays,
    setupFee: String(s.plan.setupFeeCents),
    maxCycles: s.plan.maxCycles,
    methods: s.plan.methods,
    splitRuleId: s.plan.splitRuleId,
  },
  customerId: s.customerId,
  customer: customerView(s.customer),
  method: s.method,
  card: s.card && { brand: s.card.brand, last4: s.card.last4, holderName: s.card.holderName },
  couponId: s.couponId,
  discountCyclesLeft: s.discountCyclesLeft,
  startAt: s.startOn,
  trialEndsAt: s.trialEndsOn,
  anchorDate: s.period.anchorOn,
  currentPeriodStart: s.period.start,
  currentPeriodEnd: s.period.end,
  nextBillingAt: instant(nextBillingAtMs(s)),
  cyclesBilled: s.cyclesBilled,
  cancelAtPeriodEnd: s.cancelAtPeriodEnd,
  cancelReason: s.cancelReason,
  cancelledAt: instant(s.cancelledAtMs),
  pausedAt: instant(s.pausedAtMs),
  scheduledChange: s.scheduledChange && {
    planId: s.scheduledChange.planId,
    effectiveOn: s.scheduledChange.effectiveOn,
  },
  pendingChange: s.pendingChange && {
    planId: s.pendingChange.planId,
    invoiceId: s.pendingChange.invoiceId,
    expiresAt: instant(s.pendingChange.expiresAtMs),
  },
  creditBalance: String(s.creditCents),
  latestInvoice: s.latestInvoice && latestView(s.latestInvoice),
  metadata: s.metadata,
  createdAt: isoInstant(s.createdAtMs),
  updatedAt: isoInstant(s.updatedAtMs),
})

/** By what a payer pays: a QR code, or a boleto. */
export const paymentView = (
  transactionId: TransactionId,
  { copyPaste, barCode, dueDate, expiresAtMs }: PaymentData,
) => ({
  pix: copyPaste && {
    copyPaste,
    qrCodeUrl: qrCodeUrlOf(transactionId, barCode === null ? 'PIX' : 'BOLETO', 'SUBSCRIPTION'),
    expiresAt: isoInstant(expiresAtMs),
  },
  boleto: barCode && { digitableLine: digitableLine(barCode), barcode: barCode, dueDate },
})

const latestView = ({ id, status, totalCents, dueDate }: LatestInvoice) => ({
  id,
  status,
  totalAmount: String(totalCents),
  dueDate,
})

const latestPayment = ({ transactionId, payment }: LatestInvoice) =>
  transactionId === null
    ? null
    : {
        transactionId,
        ...(payment === null ? { pix: null, boleto: null } : paymentView(transactionId, payment)),
      }
