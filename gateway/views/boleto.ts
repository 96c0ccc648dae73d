import { boletoOf } from '../../engine/payments/methods/boleto/boleto.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
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

export const boletoStatusOf = (transaction: Transaction): BoletoStatus => {
  switch (transaction.status) {
    case 'CREATED':
    case 'PENDING':
      return boletoOf(transaction)?.overdue ? 'OVERDUE' : 'REGISTERED'
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
