// How facts of the engine look outside: the events that merchants receive, with their samples, and the live news
// of the dashboard.
import Type, { type TSchema } from 'typebox'
import type { EventType } from '../../engine/kernel/event-types.ts'
import { settlementEvent } from '../resources/account/settlement.ts'
import { subscriptionEvent } from '../resources/billing/subscription.ts'
import { subscriptionFailedEvent, subscriptionPaidEvent } from '../resources/billing/subscription-outcome.ts'
import { checkoutSessionEvent } from '../resources/checkout/session.ts'
import { conversionEvent } from '../resources/crypto/conversion.ts'
import { cryptoPaymentEvent } from '../resources/crypto/crypto-charge.ts'
import { environment } from '../resources/enumerations.ts'
import { instant } from '../resources/fields.ts'
import { splitTransferEvent } from '../resources/marketplace/split-transfer.ts'
import { cryptoWithdrawalEvent } from '../resources/money-out/crypto-withdrawal.ts'
import { transferEvent } from '../resources/money-out/transfer.ts'
import { medEvent } from '../resources/payments/med.ts'
import {
  boletoEvent,
  chargebackEvent,
  paymentEvent,
  refundEvent,
  refundFailedEvent,
} from '../resources/payments/payment-event.ts'
import { receivedPixEvent } from '../resources/payments/received-pix.ts'
import { described, named } from '../schema/named-schema.ts'
import { choice } from '../schema/schema.ts'

/** The events that merchants receive: their schemas, and what each one means (payments-api, Events). */

const event = <const Types extends readonly EventType[]>(
  title: string,
  data: TSchema,
  types: Types,
  whole = data,
) => ({
  types,
  data,
  schema: named(
    title,
    Type.Object({
      id: Type.String({
        pattern: '^evt_[0-9A-Z]{26}$',
        description: 'Id of the event: the same at every delivery, so that repeats can be discarded.',
      }),
      type: described(choice(...types), 'What happened.'),
      environment,
      createdAt: described(instant, 'When it happened, by the environment’s clock.'),
      data: whole,
    }),
  ),
})

/** A transfer goes either to a recipient of splits or to a payee that a person entered. */
const anyTransfer = Type.Unsafe<unknown>({
  anyOf: [splitTransferEvent, transferEvent],
  description: 'The transfer as it was at this event.',
})

const events = [
  event('PaymentEvent', paymentEvent.schema, [
    'payment.created',
    'payment.pending',
    'payment.approved',
    'payment.failed',
  ]),
  event('PaymentRefundedEvent', refundEvent.schema, ['payment.refunded']),
  event('PaymentRefundFailedEvent', refundFailedEvent.schema, ['payment.refund_failed']),
  event('PaymentChargebackEvent', chargebackEvent.schema, ['payment.chargeback']),
  event('PixReceivedEvent', receivedPixEvent.schema, ['pix.received']),
  event('MedEvent', medEvent.schema, ['pix.med_opened', 'pix.med_closed']),
  event('BoletoPaidEvent', boletoEvent.schema, ['boleto.paid']),
  event('SubscriptionCreatedEvent', subscriptionEvent, ['subscription.created']),
  event('SubscriptionPaidEvent', subscriptionPaidEvent.schema, ['subscription.paid']),
  event('SubscriptionFailedEvent', subscriptionFailedEvent.schema, ['subscription.failed']),
  event('SettlementEvent', settlementEvent.schema, ['settlement.processing', 'settlement.completed']),
  event(
    'TransferEvent',
    transferEvent,
    [
      'transfer.scheduled',
      'transfer.pending_approval',
      'transfer.completed',
      'transfer.failed',
      'transfer.returned',
    ],
    anyTransfer,
  ),
  event('CryptoPaymentEvent', cryptoPaymentEvent.schema, ['crypto.received', 'crypto.expired']),
  event('CryptoWithdrawalEvent', cryptoWithdrawalEvent.schema, [
    'crypto.withdrawal_completed',
    'crypto.withdrawal_failed',
  ]),
  event('CheckoutSessionEvent', checkoutSessionEvent.schema, ['checkout.completed', 'checkout.expired']),
  event('ConversionEvent', conversionEvent, ['conversion.completed', 'conversion.failed']),
]

type Event = Record<'data' | 'schema', TSchema>
type Described = (typeof events)[number]['types'][number]

/** A type that no event above names does not compile where this is asked. */
const byType = Object.fromEntries(
  events.flatMap(({ types, data, schema }) => types.map((type) => [type, { data, schema }])),
) as Record<string, Event> as Record<Described, Event>

/** The schema of an event's whole body, for the OpenAPI document. */
export const shapeOfEvent = (type: EventType): TSchema => byType[type].schema

/** The schema of an event's `data`. Transfers have two: this returns the one of transfers made by a person. */
export const dataOfEvent = (type: EventType): TSchema => byType[type].data

/** The meaning of each event (payments-api, Event types). */
export const eventTexts: Readonly<Record<EventType, string>> = {
  'payment.created':
    'A charge was created, by any method. `data.status` is CREATED; the event that follows at once says what became of it.',
  'payment.pending':
    'A charge waits for its payment. PIX and boleto: it can be paid. Card: it is AUTHORIZED and can be captured, or PROCESSING because the acquirer has not answered.',
  'payment.approved':
    'A payment was confirmed. The goods can be shipped. `data.paidAmount` is what was received.',
  'payment.failed':
    'A charge will not be paid. It was declined, failed, expired or was cancelled: `data.status` and `data.failureReason` say which.',
  'payment.refunded':
    'A refund was completed, in full or in part: `data.refund`. `data.status` is REFUNDED or PARTIALLY_REFUNDED.',
  'payment.chargeback':
    'A chargeback was opened, won or lost. `data.chargeback.status` says which: OPEN, WON or LOST.',
  'pix.received':
    'A PIX arrived, for a charge, a deposit, or to the key without either. It comes before `payment.approved`.',
  'pix.med_opened':
    'The payer’s bank contests a PIX. The contested amount is blocked until it is decided, at most 7 days.',
  'pix.med_closed':
    'A contested PIX was decided. `data.result` says how. ACCEPTED: `data.returnedAmount` went back, and `payment.refunded` follows.',
  'boleto.paid':
    'A boleto cleared. `data.boleto` says what was paid, fine and interest included. `payment.approved` follows.',
  'subscription.created': 'A subscription was created. Later events say whether its first invoice is paid.',
  'subscription.paid':
    'An invoice of a subscription was paid. Where there was nothing to pay `data.amount` is "0".',
  'subscription.failed':
    'An invoice of a subscription was not paid. An attempt failed. `data.nextAttemptAt` says when it is tried again; when `data.final` is true, there will be no further attempt.',
  'settlement.processing': 'A settlement has begun. Receivables whose day has come are put into the balance.',
  'settlement.completed': 'A settlement is completed. `data.netAmount` is in the balance.',
  'crypto.received': 'A stablecoin arrived. The network has confirmed it. `payment.approved` follows.',
  'crypto.expired': 'A charge in a stablecoin expired. Nothing arrived in time. `payment.failed` follows.',
  'crypto.withdrawal_completed': 'A stablecoin was sent to your wallet. The network has confirmed it.',
  'crypto.withdrawal_failed':
    'A stablecoin could not be sent. The network refused or dropped it, and it is in the account again.',
  'conversion.completed': 'A conversion is completed. Reais became a stablecoin, or the other way round.',
  'conversion.failed': 'A conversion was not completed. Nothing was changed: `data.failureReason` says why.',
  'transfer.scheduled':
    'A transfer is scheduled, to a recipient of splits (`data.object` is `split_transfer`) or by a person (`transfer`).',
  'transfer.pending_approval': 'A transfer waits for approval. Another person has to agree to it.',
  'transfer.completed': 'A transfer is completed. The bank has confirmed it.',
  'transfer.failed':
    'A transfer failed. The bank refused it. A split transfer is retried on the following business days.',
  'transfer.returned':
    'Money of a completed transfer came back, in whole or in part: `data.returnedAmount` is all that has. It is in the company’s balance once more, or owed to the recipient of a split. Only for endpoints with `extraEvents`.',
  'checkout.completed':
    'A checkout session was paid: `data.transactionId`. It comes after `payment.approved`. Only for endpoints with `extraEvents`.',
  'checkout.expired':
    'The time of a checkout session is over, or you ended it, without a payment. Only for endpoints with `extraEvents`.',
  'payment.refund_failed':
    'A refund failed. The provider refused it, or a chargeback came first: `data.refund.failureReason`. Its amount can be refunded again. Only endpoints with `extraEvents` hear it.',
}
