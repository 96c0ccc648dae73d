import type { Static } from 'typebox'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { boletoStatus, transactionStatus } from '../enumerations.ts'
import { boletoPart } from './boleto-part.ts'
import { scannable, scannableView } from './pix-charge.ts'
import { type Today, transaction, transactionView } from './transaction.ts'
import { detail } from './transaction-detail.ts'

const fields = {
  ...transaction.properties,
  ...scannable.properties,
  status: boletoStatus,
  transactionStatus,
  boleto: boletoPart,
}

/** A boleto in an answer and a list. */
export const boleto = namedObject('Boleto', 'A boleto: a transaction under the status of a boleto.', fields)

/** A boleto shown alone. */
export const boletoDetail = namedObject('BoletoDetail', 'A boleto with its history.', {
  ...fields,
  ...detail.properties,
})

/** A boleto as its own routes show it: the transaction, under the status of a boleto (decisions, section 14). */
export const boletoView = (transaction: Transaction, today: Today) => {
  const view = scannableView(transactionView(transaction, today))
  return Object.assign(view, { status: boletoStatusOf(transaction), transactionStatus: transaction.status })
}

/** The status of a boleto, which is coarser than its transaction's, and knows what is overdue. */
export const boletoStatusOf = (transaction: Transaction): Static<typeof boletoStatus> => {
  const status = boletoStatuses[transaction.status]
  return status === 'REGISTERED' && boletoOf(transaction)?.overdue ? 'OVERDUE' : status
}

const boletoStatuses: Readonly<Record<Transaction['status'], Static<typeof boletoStatus>>> = {
  CREATED: 'REGISTERED',
  PENDING: 'REGISTERED',
  PROCESSING: 'PROCESSING',
  AUTHORIZED: 'PROCESSING',
  APPROVED: 'PAID',
  PARTIALLY_REFUNDED: 'PAID',
  REFUNDED: 'PAID',
  CHARGEBACK: 'PAID',
  DECLINED: 'REJECTED',
  FAILED: 'REJECTED',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
}
