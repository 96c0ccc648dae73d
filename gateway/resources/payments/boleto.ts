import type { Static } from 'typebox'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { boletoStatus, transactionStatus } from '../enumerations.ts'
import { resource } from '../resource.ts'
import { boletoPart, boletoPriceOn } from './boleto-part.ts'
import { scannableFields } from './pix-charge.ts'
import { type Today, transaction } from './transaction.ts'
import { detail } from './transaction-detail.ts'

/** A boleto in an answer and a list: the transaction, under the status of a boleto (decisions, section 14). */
export const boleto = resource<Transaction, [Today]>(
  'Boleto',
  'A boleto: a transaction under the status of a boleto.',
).with({
  ...transaction.fields,
  ...scannableFields,
  status: [boletoStatus, (t) => boletoStatusOf(t)],
  transactionStatus: [transactionStatus, ({ status }) => status],
  boleto: [boletoPart.schema, (t, { date }) => boletoPart.view(boletoOf(t)!, t, boletoPriceOn(t, date))],
})

/** A boleto shown alone. */
export const boletoDetail = namedObject('BoletoDetail', 'A boleto with its history.', {
  ...boleto.schema.properties,
  ...detail.schema.properties,
})

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
