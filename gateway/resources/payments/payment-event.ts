import Type, { type Static } from 'typebox'
import type { EventType } from '../../../engine/kernel/public-event.ts'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { type CalendarDate, isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { eventData } from '../event-data.ts'
import { amountOf, instant, nullable, pick, textOf } from '../fields.ts'
import { boletoPart } from './boleto-part.ts'
import { card } from './card-part.ts'
import { detailsInEvents } from './charge-details.ts'
import { chargeback, chargebackOf } from './chargeback.ts'
import { endToEndId } from './pix-part.ts'
import { refund, refundOf } from './refund.ts'
import { transaction, transactionView } from './transaction.ts'

/**
 * Transactions in events (decisions, section 27). Fields that events share with answers are only named here; schema and value
 * come from the transaction.
 */

const boletoFields = pick(boletoPart.properties, 'digitableLine', 'dueDate')

const paymentFields = {
  ...pick(
    transaction.properties,
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
    'installments',
    'failureReason',
    'failureDetail',
    'reference',
    'customerId',
    'subscriptionId',
    'invoiceId',
    'metadata',
    'splitRuleId',
    'createdAt',
    'updatedAt',
    'approvedAt',
    'expiresAt',
  ),
  // Those that are named above keep their place.
  ...pick(transaction.properties, ...detailsInEvents),
  pix: nullable(
    Type.Object({ txid: nullable(textOf('The charge’s id in the PIX arrangement.')), endToEndId }),
    'The PIX part: of PIX charges, and of boletos that can be paid by their QR code.',
  ),
  card: nullable(
    Type.Object(pick(card.properties, 'brand', 'last4', 'nsu', 'tid', 'authorizationCode')),
    'The card part: of card payments.',
  ),
  boleto: nullable(Type.Object(boletoFields), 'The boleto part: of boletos.'),
}

/** `data` of payment events. */
export const paymentEvent = eventData(
  'PaymentEventData',
  'The transaction as it was at this event. `amount` is what was asked; what was received is `paidAmount`.',
  paymentFields,
)

/** `data` of the event of a refund. */
export const refundEvent = eventData(
  'PaymentRefundedEventData',
  'The transaction as it was at this event, and the refund.',
  { ...paymentFields, refund },
)

/** `data` of the event of a chargeback. */
export const chargebackEvent = eventData(
  'PaymentChargebackEventData',
  'The transaction as it was at this event, and the chargeback: its `status` says whether it was opened, won or lost.',
  { ...paymentFields, chargeback },
)

/** `data` of the event of a boleto that cleared. */
export const boletoEvent = eventData(
  'BoletoPaidEventData',
  'The transaction as it was at this event, and how the boleto was paid.',
  {
    ...paymentFields,
    boleto: Type.Object(
      {
        ...boletoFields,
        paidAt: described(instant, 'When the payer paid.'),
        clearedAt: nullable(instant, 'When the money arrived.'),
        paidAmount: amountOf('What the payer paid.'),
        fineAmount: amountOf('The fine in it.'),
        interestAmount: amountOf('The interest in it.'),
        discountAmount: amountOf('The discount that was granted; 0 when paid late.'),
      },
      { description: 'The boleto and its payment.' },
    ),
  },
)

type PaymentEvent = Static<typeof paymentEvent>

/** A transaction as in an event, with the refund, chargeback or boleto payment that the event is about. */
export const paymentEventView = (
  type: EventType,
  t: Transaction,
  reversalId: string | null,
): PaymentEvent => {
  switch (type) {
    case 'payment.refunded':
      return refundEventView(t, reversalId)
    case 'payment.chargeback':
      return chargebackEventView(t, reversalId)
    case 'boleto.paid':
      return boletoEventView(t)
    default:
      return plainView(t)
  }
}

/** No field of an event depends on the day, so any day will do. */
const plainView = (t: Transaction) =>
  transactionView(t, { date: isoInstant(t.updatedAtMs).slice(0, 10) as CalendarDate, nowMs: t.updatedAtMs })

const refundEventView = (t: Transaction, reversalId: string | null): Static<typeof refundEvent> => ({
  refund: refundOf(t, reversalId, t.updatedAtMs),
  ...plainView(t),
})

const chargebackEventView = (t: Transaction, reversalId: string | null): Static<typeof chargebackEvent> => ({
  chargeback: chargebackOf(t, reversalId),
  ...plainView(t),
})

const boletoEventView = (t: Transaction): Static<typeof boletoEvent> => {
  const view = plainView(t)
  const payment = boletoOf(t)!.payment!
  const paid = {
    paidAmount: String(payment.paidCents),
    ...view.boleto!,
    paidAt: isoInstant(payment.paidAtMs),
    discountAmount: String(payment.discountCents),
  }
  return { ...view, boleto: paid }
}
