import { digitableLine } from '../../engine/payments/methods/boleto/bar-code.ts'
import { payableUntil } from '../../engine/payments/methods/boleto/decide.ts'
import { effectiveDueDate, payableOn } from '../../engine/payments/methods/boleto/payable.ts'
import type { Boleto, Transaction } from '../../engine/payments/transaction/transaction.ts'
import { type CalendarDate, isoInstant } from '../../engine/shared/calendar.ts'
import { type Today, transactionView, withCode } from './transaction.ts'

export const boletoStatuses = [
  'REGISTERED',
  'OVERDUE',
  'PROCESSING',
  'PAID',
  'CANCELLED',
  'EXPIRED',
  'REJECTED',
] as const
export type BoletoStatus = (typeof boletoStatuses)[number]

/** A boleto as its own routes show it: the transaction, under the status of a boleto (decisions, section 14). */
export const boletoView = (transaction: Transaction, today: Today) => {
  const view = withCode(transactionView(transaction, today))
  return Object.assign(view, { status: boletoStatusOf(transaction), transactionStatus: transaction.status })
}

export const boletoStatusOf = ({ status, boleto }: Transaction): BoletoStatus => {
  switch (status) {
    case 'CREATED':
    case 'PENDING':
      return boleto?.overdue ? 'OVERDUE' : 'REGISTERED'
    case 'PROCESSING':
      return 'PROCESSING'
    case 'CANCELLED':
      return 'CANCELLED'
    case 'EXPIRED':
      return 'EXPIRED'
    case 'FAILED':
    case 'DECLINED':
      return 'REJECTED'
    default:
      return 'PAID'
  }
}

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
