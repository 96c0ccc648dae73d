import { digitableLine } from '../../engine/payments/methods/boleto/bar-code.ts'
import type { Boleto } from '../../engine/payments/methods/boleto/boleto.ts'
import { payableUntil } from '../../engine/payments/methods/boleto/decide.ts'
import { effectiveDueDate, payableOn } from '../../engine/payments/methods/boleto/payable.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { type CalendarDate, isoInstant } from '../../engine/shared/calendar.ts'

/** What it costs today; once it is paid, what it cost on the day of the payment. */
export const boletoPart = (transaction: Transaction, boleto: Boleto, today: CalendarDate) => {
  const { dueDate, numbers, payment } = boleto
  const payable = payableOn({ ...boleto, amountCents: transaction.amountCents }, today)
  const { payableCents, fineCents, interestCents } = payment
    ? { ...payment, payableCents: payment.paidCents }
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
    paidAt: payment && isoInstant(payment.paidAtMs),
    clearedAt: payment && transaction.approvedAtMs !== null ? isoInstant(transaction.approvedAtMs) : null,
    pdfUrl: numbers && `/v1/boletos/${transaction.id}/pdf`,
  }
}
