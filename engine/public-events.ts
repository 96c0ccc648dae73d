import type {
  Subscription,
  SubscriptionPaid,
  SubscriptionPaymentFailed,
} from './billing/subscription/subscription.ts'
import type { FlushedEntry, Step } from './kernel/step.ts'
import type { Account, Settlement } from './ledger/account.ts'
import type { ReceivedPix } from './payments/received/received.ts'
import type { Transaction } from './payments/transaction/transaction.ts'
import type { SplitTransfer } from './payouts/transfer.ts'
import { unreachable } from './shared/assert.ts'
import { type EventId, eventIdAt, type MedId } from './shared/ids.ts'

/** Every event type that a merchant can hear (payments-api, Event types). */
export const eventTypes = [
  'payment.created',
  'payment.pending',
  'payment.approved',
  'payment.failed',
  'payment.refunded',
  'payment.chargeback',
  'pix.received',
  'pix.med_opened',
  'pix.med_closed',
  'boleto.paid',
  'subscription.created',
  'subscription.paid',
  'subscription.failed',
  'settlement.processing',
  'settlement.completed',
  'crypto.received',
  'crypto.expired',
  'crypto.withdrawal_completed',
  'crypto.withdrawal_failed',
  'conversion.completed',
  'conversion.failed',
  'transfer.scheduled',
  'transfer.pending_approval',
  'transfer.completed',
  'transfer.failed',
] as const
export type EventType = (typeof eventTypes)[number]

/** What a merchant is told, with the state as it was at that moment. The gateway gives it its wire form. */
export type PublicEvent = {
  readonly id: EventId
  readonly type: EventType
  /** Environment time. */
  readonly atMs: number
  readonly subject: Subject
}

export type Subject =
  /** With the refund, chargeback or MED that it tells of. */
  | { readonly object: 'transaction'; readonly transaction: Transaction; readonly partId: string | null }
  | { readonly object: 'med'; readonly transaction: Transaction; readonly medId: MedId }
  | { readonly object: 'received_pix'; readonly received: ReceivedPix }
  | { readonly object: 'settlement'; readonly settlement: Settlement; readonly completed: boolean }
  | { readonly object: 'split_transfer'; readonly transfer: SplitTransfer }
  | { readonly object: 'sample'; readonly account: Account }
  /** Created; or the outcome of an invoice, with what is told of it. */
  | {
      readonly object: 'subscription'
      readonly subscription: Subscription
      readonly outcome: SubscriptionPaid | SubscriptionPaymentFailed | null
    }

/** The public events of a journal entry, in the order in which they are told (decisions, sections 9 and 27). */
export const publicEventsOf = (entry: FlushedEntry, shard: number): readonly PublicEvent[] =>
  entry.steps.flatMap((step, place) =>
    toldBy(step).map((told, n) => ({
      ...told,
      id: eventIdAt(entry.atMs, shard, entry.sequence, place * toldByOneFactMax + n),
    })),
  )

const toldByOneFactMax = 4

type Told = Omit<PublicEvent, 'id'>

const toldBy = ({ event, after }: Step): readonly Told[] => {
  switch (event.type) {
    case 'ChargeCreated':
      return [payment('payment.created', after)]
    case 'ChargeIssued':
    case 'BoletoIssued':
    case 'AuthorizationPending':
    case 'CardAuthorized':
      return [payment('payment.pending', after)]
    case 'ChargeRefused':
    case 'ChargeExpired':
    case 'ChargeCancelled':
    case 'CardDeclined':
    case 'CardVoided':
    case 'AuthorizationTimedOut':
      return [payment('payment.failed', after)]
    case 'ChargePaid':
      // A PIX can pay a boleto, too, by its QR code.
      return (after as Transaction).boleto === null
        ? [payment('payment.approved', after)]
        : [payment('boleto.paid', after), payment('payment.approved', after)]
    case 'CardApproved':
    case 'CardCaptured':
      return [payment('payment.approved', after)]
    case 'BoletoCleared':
      return [payment('boleto.paid', after), payment('payment.approved', after)]
    case 'RefundCompleted':
      return [payment('payment.refunded', after, event.refundId)]
    case 'ChargebackOpened':
      return [payment('payment.chargeback', after, event.chargeback.id)]
    case 'ChargebackWon':
    case 'ChargebackLost':
      return [payment('payment.chargeback', after, event.chargebackId)]
    case 'MedOpened':
      return [med('pix.med_opened', after, event.med.id)]
    case 'MedClosed':
      return [med('pix.med_closed', after, event.medId)]
    case 'PixReceived': {
      const { received } = event
      if (received.returnReason !== null) return []
      return [
        { type: 'pix.received', atMs: received.receivedAtMs, subject: { object: 'received_pix', received } },
      ]
    }
    case 'SettlementCompleted': {
      const { settlement, atMs } = event
      return [
        {
          type: 'settlement.processing',
          atMs,
          subject: { object: 'settlement', settlement, completed: false },
        },
        {
          type: 'settlement.completed',
          atMs,
          subject: { object: 'settlement', settlement, completed: true },
        },
      ]
    }
    case 'SampleEventRequested':
      return [
        {
          type: event.eventType as EventType,
          atMs: event.atMs,
          subject: { object: 'sample', account: after as Account },
        },
      ]
    case 'TransferScheduled':
      return [transfer('transfer.scheduled', event.atMs, after)]
    case 'TransferCompleted':
      return [transfer('transfer.completed', event.atMs, after)]
    case 'TransferFailed':
      return [transfer('transfer.failed', event.atMs, after)]
    case 'SubscriptionCreated':
      return [subscription('subscription.created', event.atMs, after, null)]
    case 'SubscriptionPaid':
      return [subscription('subscription.paid', event.atMs, after, event)]
    case 'SubscriptionPaymentFailed':
      return [subscription('subscription.failed', event.atMs, after, event)]
    case 'PaymentReturned':
    case 'BoletoOverdue':
    case 'BoletoPaymentReported':
    case 'ProviderCalled':
    case 'ProviderCalledAgain':
    case 'ProviderSilent':
    case 'AuthorizationReversed':
    case 'CaptureRefused':
    case 'VoidRefused':
    case 'RefundRequested':
    case 'RefundFailed':
    case 'ChargebackDisputed':
    case 'ReceivablesSettled':
    case 'TransactionSeeded':
    case 'CustomerRegistered':
    case 'AccountOpened':
    case 'ProfileChanged':
    case 'PaymentBooked':
    case 'ReversalBooked':
    case 'SharesBooked':
    case 'RecipientCreated':
    case 'RecipientChanged':
    case 'RecipientRemoved':
    case 'RecipientNamed':
    case 'RecipientBooked':
    case 'SplitRuleCreated':
    case 'SplitRuleChanged':
    case 'SplitRuleRemoved':
    case 'SplitRuleUsed':
    case 'TransferCreated':
    case 'TransferReduced':
    case 'TransferCancelled':
    case 'TransferSent':
    case 'TransferSilent':
    case 'TransferSentAgain':
    case 'TransferReversed':
    case 'BoletoNumbered':
    case 'BatchSettled':
    case 'ClockAdvanceStarted':
    case 'ClockAdvanced':
    case 'ClockMoved':
    case 'SandboxCleared':
    case 'DeliveryScheduled':
    case 'AttemptRecorded':
    case 'DeliveryCancelled':
    case 'PlanCreated':
    case 'PlanChanged':
    case 'PlanUsed':
    case 'PlanRemoved':
    case 'CouponCreated':
    case 'CouponChanged':
    case 'CouponRedeemed':
    case 'RedemptionGivenBack':
    case 'CouponRemoved':
    case 'DunningPolicySet':
    case 'DunningPolicyRemoved':
    case 'SubscriptionBilled':
    case 'InvoicePresented':
    case 'PeriodStarted':
    case 'TrialStarted':
    case 'SubscriptionPaused':
    case 'SubscriptionResumed':
    case 'SubscriptionSuspended':
    case 'SubscriptionCancelled':
    case 'SubscriptionCompleted':
    case 'CancellationScheduled':
    case 'PaymentAwaited':
    case 'CollectionGivenUp':
    case 'InvoiceWithdrawn':
    case 'CreditGranted':
    case 'PaymentMeansChanged':
    case 'PlanChangeScheduled':
    case 'PlanChangeAwaited':
    case 'PlanChangeDropped':
    case 'PlanSwapped':
    case 'InvoiceNumbered':
    case 'InvoiceIssued':
    case 'AttemptStarted':
    case 'AttemptPresented':
    case 'AttemptAwaited':
    case 'AttemptExtended':
    case 'AttemptSucceeded':
    case 'AttemptFailed':
    case 'AttemptCancelled':
    case 'InvoiceMoved':
    case 'InvoiceVoided':
    case 'InvoiceGivenUp':
    case 'DunningPaused':
    case 'DunningPutOff':
    case 'SubscriberCounted':
    case 'RecurringCounted':
    case 'CardTriedInVain':
    case 'TimerPutAside':
      return []
    default:
      return unreachable(event)
  }
}

const transfer = (type: EventType, atMs: number, after: Step['after']): Told => ({
  type,
  atMs,
  subject: { object: 'split_transfer', transfer: after as SplitTransfer },
})

const payment = (type: EventType, after: Step['after'], partId: string | null = null): Told => {
  const transaction = after as Transaction
  return { type, atMs: transaction.updatedAtMs, subject: { object: 'transaction', transaction, partId } }
}

const med = (type: EventType, after: Step['after'], medId: MedId): Told => {
  const transaction = after as Transaction
  return { type, atMs: transaction.updatedAtMs, subject: { object: 'med', transaction, medId } }
}

const subscription = (
  type: EventType,
  atMs: number,
  after: Step['after'],
  outcome: SubscriptionPaid | SubscriptionPaymentFailed | null,
): Told => ({ type, atMs, subject: { object: 'subscription', subscription: after as Subscription, outcome } })
