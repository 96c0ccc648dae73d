import type { Timer } from '../../../kernel/due-work.ts'
import { timer } from '../../transaction/due-work.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import { boletoOf } from './boleto.ts'

/** Due when an open boleto's last day without a fine is over. */
export const overdueTimer = (transaction: Transaction): Timer | null => {
  const boleto = boletoOf(transaction)
  if (transaction.status !== 'PENDING' || boleto === null || boleto.overdue || boleto.lateAtMs === null)
    return null
  return timer(transaction, boleto.lateAtMs, { type: 'MarkOverdue' })
}

/** Due when the money of a reported payment arrives. */
export const clearingTimer = (transaction: Transaction): Timer | null => {
  const payment = boletoOf(transaction)?.payment
  if (transaction.status !== 'PROCESSING' || !payment) return null
  return timer(transaction, payment.clearsAtMs, { type: 'ClearBoleto' })
}
