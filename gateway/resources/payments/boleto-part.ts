// What the API shows of payments: transactions and the part of each method, charges, refunds, disputes, received
// PIX and payers.
import Type from 'typebox'
import { digitableLine } from '../../../engine/payments/methods/boleto/bar-code.ts'
import { type Boleto, boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { payableUntil } from '../../../engine/payments/methods/boleto/decide.ts'
import { effectiveDueDate, type Payable, payableOn } from '../../../engine/payments/methods/boleto/payable.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import {
  amountOf,
  count,
  date,
  instant,
  instantOrNull,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

/** The boleto part of a transaction (decisions, section 14). */
export const boletoPart = resource<Boleto, [Transaction, BoletoPrice]>(
  'BoletoData',
  'The boleto part of a transaction.',
).with({
  bankCode: [
    described(nullableText, 'The bank that registered it; 999 in Sandbox.'),
    ({ numbers }) => numbers?.bankCode ?? null,
  ],
  digitableLine: [
    nullableField(
      Type.String({ pattern: '^[0-9]{47}$' }),
      'The 47 digits that the payer types; null where the bank refused to register it.',
    ),
    ({ numbers }) => numbers && digitableLine(numbers.barCode),
  ],
  barcode: [
    nullableField(Type.String({ pattern: '^[0-9]{44}$' }), 'The 44 digits of the bar code.'),
    ({ numbers }) => numbers?.barCode ?? null,
  ],
  ourNumber: [
    described(nullableText, 'The bank’s identifier of the boleto (nosso número).'),
    ({ numbers }) => numbers?.ourNumber ?? null,
  ],
  dueDate: [described(date, 'Until this day it costs the amount less the discount.'), same],
  effectiveDueDate: [
    described(date, 'The last day without fine: the due date, or the next business day.'),
    ({ dueDate }) => effectiveDueDate(dueDate),
  ],
  payableUntil: [
    described(date, 'It is written off after this day, 59 days after the due date.'),
    ({ dueDate }) => payableUntil(dueDate),
  ],
  interestBps: [count('Interest for 30 days of delay, in basis points.'), same],
  fineBps: [count('Fine for any delay, in basis points.'), same],
  discountAmount: [amountOf('What is taken off until the due date.'), (b) => String(b.discountCents)],
  instructions: [described(nullableText, 'What is printed on it.'), same],
  payableAmountToday: [
    nonNegativeAmountOf('What it costs today; once it is paid, what was paid.'),
    (_, __, price) => String(price.payableCents),
  ],
  fineAmount: [amountOf('The fine in `payableAmountToday`.'), (_, __, price) => String(price.fineCents)],
  interestAmount: [
    amountOf('The interest in `payableAmountToday`.'),
    (_, __, price) => String(price.interestCents),
  ],
  daysOverdue: [
    count('Days since the due date, once the fine applies.'),
    (_, __, price) => price.daysOverdue,
  ],
  paidAt: [nullableField(instant, 'When the payer paid.'), ({ payment }) => instantOrNull(payment?.paidAtMs)],
  clearedAt: [
    nullableField(instant, 'When the money arrived.'),
    ({ payment }, { approvedAtMs }) => instantOrNull(payment && approvedAtMs),
  ],
  pdfUrl: [
    described(nullableText, 'Path of the PDF.'),
    ({ numbers }, { id }) => numbers && `/v1/boletos/${id}/pdf`,
  ],
})

export type BoletoPrice = Omit<Payable, 'discountCents'>

/** The price of a boleto on a day or, once it is paid, on the day of the payment. */
export const boletoPriceOn = ({ amountCents, means }: Transaction, today: CalendarDate): BoletoPrice => {
  const boleto = boletoOf({ means })!
  const { payment } = boleto
  if (payment === null) return payableOn({ amountCents, ...boleto }, today)
  const { paidCents, fineCents, interestCents } = payment
  return { payableCents: paidCents, fineCents, interestCents, daysOverdue: 0 }
}
