import type { Static } from 'typebox'
import type { EventType } from '../../../engine/kernel/event-types.ts'
import { type Boleto, boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { type Card, cardOf } from '../../../engine/payments/methods/card/card.ts'
import { type Pix, pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { type CalendarDate, isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { eventResource } from '../event-data.ts'
import { amountOf, instant, nullableField, pick, textOf } from '../fields.ts'
import { fieldsOf, part, same } from '../resource.ts'
import { type BoletoPrice, boletoPart, boletoPriceOn } from './boleto-part.ts'
import { card } from './card-part.ts'
import { detailsInEvents } from './charge-details.ts'
import { chargeback, chargebackOf } from './chargeback.ts'
import type { FiscalPayee } from './fiscal.ts'
import { pix } from './pix-part.ts'
import { refund, refundOf } from './refund.ts'
import { type Today, transaction } from './transaction.ts'

/**
 * Transactions in events (decisions, section 27). Fields that events share with answers are only named here; schema and value
 * come from the transaction.
 */

const pixInEvents = part<Pix, [Transaction]>().with({
  txid: [nullableField(textOf('The charge’s id in the PIX arrangement.')), same],
  endToEndId: pix.fields.endToEndId,
})
const cardInEvents = part<Card, [Transaction]>().with(
  pick(card.fields, 'brand', 'last4', 'nsu', 'tid', 'authorizationCode'),
)
const boletoInEvents = part<Boleto, [Transaction, BoletoPrice]>().with(
  pick(boletoPart.fields, 'digitableLine', 'dueDate'),
)

const paymentFields = fieldsOf<Transaction, [Today]>().with({
  ...pick(
    transaction.fields,
    'id',
    'object',
    'method',
    'status',
    'amount',
    'externalId',
    'version',
    'origin',
    'product',
    'kind',
    'currency',
    'paidAmount',
    'refundedAmount',
    'refundableAmount',
    'feeAmount',
    'netAmount',
    'taxesWithheldAmount',
    'installments',
    'failureReason',
    'failureDetail',
    'reference',
    'customerId',
    'subscriptionId',
    'invoiceId',
    'metadata',
    'splitRuleId',
    'fiscal',
    'fiscalDocuments',
    'createdAt',
    'updatedAt',
    'approvedAt',
    'expiresAt',
  ),
  // Fields already named above keep their place.
  ...pick(transaction.fields, ...detailsInEvents),
  pix: [
    nullableField(
      pixInEvents.schema,
      'The PIX part: of PIX charges, and of boletos that can be paid by their QR code.',
    ),
    (t) => pixOf(t) && pixInEvents.view(pixOf(t)!, t),
  ],
  card: [
    nullableField(cardInEvents.schema, 'The card part: of card payments.'),
    (t) => cardOf(t) && cardInEvents.view(cardOf(t)!, t),
  ],
  boleto: [
    nullableField(boletoInEvents.schema, 'The boleto part: of boletos.'),
    (t, { date }) => boletoOf(t) && boletoInEvents.view(boletoOf(t)!, t, boletoPriceOn(t, date)),
  ],
})

/** `data` of payment events. */
export const paymentEvent = eventResource<Transaction, [Today]>(
  'PaymentEventData',
  'The transaction as it was at this event. `amount` is what was asked; what was received is `paidAmount`.',
).with(paymentFields)

/** `data` of the event of a refund. */
export const refundEvent = eventResource<Transaction, [Today, string | null]>(
  'PaymentRefundedEventData',
  'The transaction as it was at this event, and the refund.',
).with({
  ...paymentFields,
  refund: [refund.schema, (t, { nowMs }, refundId) => refundOf(t, refundId, nowMs)],
})

/** `data` of the event of a refund that failed. */
export const refundFailedEvent = eventResource<Transaction, [Today, string | null]>(
  'PaymentRefundFailedEventData',
  'The transaction as it was at this event, and the refund: its `failureReason` says why it failed.',
).with(refundEvent.fields)

/** `data` of the event of a chargeback. */
export const chargebackEvent = eventResource<Transaction, [Today, string | null]>(
  'PaymentChargebackEventData',
  'The transaction as it was at this event, and the chargeback: its `status` says whether it was opened, won or lost.',
).with({
  ...paymentFields,
  chargeback: [chargeback.schema, (t, _, chargebackId) => chargebackOf(t, chargebackId)],
})

const paidBoleto = part<Boleto, [Transaction, BoletoPrice]>().with({
  ...boletoInEvents.fields,
  paidAt: [described(instant, 'When the payer paid.'), ({ payment }) => isoInstant(payment!.paidAtMs)],
  clearedAt: boletoPart.fields.clearedAt,
  paidAmount: [amountOf('What the payer paid.'), ({ payment }) => String(payment!.paidCents)],
  fineAmount: [amountOf('The fine in it.'), ({ payment }) => String(payment!.fineCents)],
  interestAmount: [amountOf('The interest in it.'), ({ payment }) => String(payment!.interestCents)],
  discountAmount: [
    amountOf('The discount that was granted; 0 when paid late.'),
    ({ payment }) => String(payment!.discountCents),
  ],
})

/** `data` of the event of a boleto that cleared. */
export const boletoEvent = eventResource<Transaction, [Today]>(
  'BoletoPaidEventData',
  'The transaction as it was at this event, and how the boleto was paid.',
).with({
  ...paymentFields,
  boleto: [
    described(paidBoleto.schema, 'The boleto and its payment.'),
    (t, { date }) => paidBoleto.view(boletoOf(t)!, t, boletoPriceOn(t, date)),
  ],
})

/** A transaction as in an event, with the refund, chargeback or boleto payment that the event is about. */
export const paymentEventView = (
  type: EventType,
  t: Transaction,
  reversalId: string | null,
  payee: FiscalPayee,
): Static<typeof paymentEvent.schema> => {
  // No field of an event depends on the day, so any day will do.
  const today = {
    date: isoInstant(t.updatedAtMs).slice(0, 10) as CalendarDate,
    nowMs: t.updatedAtMs,
    payee,
  }
  switch (type) {
    case 'payment.refunded':
      return refundEvent.view(t, today, reversalId)
    case 'payment.refund_failed':
      return refundFailedEvent.view(t, today, reversalId)
    case 'payment.chargeback':
      return chargebackEvent.view(t, today, reversalId)
    case 'boleto.paid':
      return boletoEvent.view(t, today)
    default:
      return paymentEvent.view(t, today)
  }
}
