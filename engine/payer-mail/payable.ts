import { boletoOf } from '../payments/methods/boleto/boleto.ts'
import { pixOf } from '../payments/methods/pix/pix.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { CalendarDate } from '../shared/calendar.ts'

/** Whether a payer can pay a charge by what a mail can hold: a PIX code or a boleto. */
export const canBePaid = (transaction: Transaction): boolean =>
  transaction.status === 'PENDING' &&
  (pixOf(transaction)?.copyPaste != null || boletoOf(transaction)?.numbers != null)

/** The day until which a charge is to be paid; null for one that is to be paid at once. */
export const dueDateOf = (transaction: Transaction): CalendarDate | null =>
  boletoOf(transaction)?.dueDate ?? pixOf(transaction)?.dueDate ?? null
