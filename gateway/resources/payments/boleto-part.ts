import Type, { type Static } from 'typebox'
import { digitableLine } from '../../../engine/payments/methods/boleto/bar-code.ts'
import type { Boleto } from '../../../engine/payments/methods/boleto/boleto.ts'
import { payableUntil } from '../../../engine/payments/methods/boleto/decide.ts'
import { effectiveDueDate, payableOn } from '../../../engine/payments/methods/boleto/payable.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import {
  amountOf,
  count,
  date,
  instant,
  instantOrNull,
  nonNegativeAmountOf,
  nullable,
  text,
} from '../fields.ts'

/** The boleto part of a transaction (decisions, section 14). */
export const boletoPart = namedObject('BoletoData', 'The boleto part of a transaction.', {
  bankCode: described(text, 'The bank that registered it; 999 in Sandbox.'),
  digitableLine: nullable(
    Type.String({ pattern: '^[0-9]{47}$' }),
    'The 47 digits that the payer types; null where the bank refused to register it.',
  ),
  barcode: nullable(Type.String({ pattern: '^[0-9]{44}$' }), 'The 44 digits of the bar code.'),
  ourNumber: described(text, 'The bank’s identifier of the boleto (nosso número).'),
  dueDate: described(date, 'Until this day it costs the amount less the discount.'),
  effectiveDueDate: described(date, 'The last day without fine: the due date, or the next business day.'),
  payableUntil: described(date, 'It is written off after this day, 59 days after the due date.'),
  interestBps: count('Interest for 30 days of delay, in basis points.'),
  fineBps: count('Fine for any delay, in basis points.'),
  discountAmount: amountOf('What is taken off until the due date.'),
  instructions: described(text, 'What is printed on it.'),
  payableAmountToday: nonNegativeAmountOf('What it costs today; once it is paid, what was paid.'),
  fineAmount: amountOf('The fine in `payableAmountToday`.'),
  interestAmount: amountOf('The interest in `payableAmountToday`.'),
  daysOverdue: count('Days since the due date, once the fine applies.'),
  paidAt: nullable(instant, 'When the payer paid.'),
  clearedAt: nullable(instant, 'When the money arrived.'),
  pdfUrl: described(text, 'Path of the PDF.'),
})

/** The price of a boleto today or, once it is paid, on the day of the payment. */
export const boletoPartView = (
  { id, amountCents, approvedAtMs }: Transaction,
  boleto: Boleto,
  today: CalendarDate,
): Static<typeof boletoPart> => {
  const { dueDate, numbers, payment } = boleto
  const payable = payableOn({ amountCents, ...boleto }, today)
  const { payableCents, fineCents, interestCents } = payment
    ? { payableCents: payment.paidCents, ...payment }
    : payable
  return {
    bankCode: numbers?.bankCode ?? null,
    digitableLine: numbers && digitableLine(numbers.barCode),
    barcode: numbers?.barCode ?? null,
    ourNumber: numbers?.ourNumber ?? null,
    dueDate,
    effectiveDueDate: effectiveDueDate(dueDate),
    payableUntil: payableUntil(dueDate),
    interestBps: boleto.interestBps,
    fineBps: boleto.fineBps,
    discountAmount: String(boleto.discountCents),
    instructions: boleto.instructions,
    payableAmountToday: String(payableCents),
    fineAmount: String(fineCents),
    interestAmount: String(interestCents),
    daysOverdue: payment ? 0 : payable.daysOverdue,
    paidAt: instantOrNull(payment?.paidAtMs ?? null),
    clearedAt: instantOrNull(payment && approvedAtMs),
    pdfUrl: numbers && `/v1/boletos/${id}/pdf`,
  }
}
