import type { Static } from 'typebox'
import { boletoOf } from '../../engine/payments/methods/boleto/boleto.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { namedObject } from '../http/named-schema.ts'
import { boletoPart } from './boleto-part.ts'
import { boletoStatus, transactionStatus } from './enumerations.ts'
import { qrCodeView, scannable, scannableView } from './pix-charge.ts'
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

/** A new boleto, with the image of its QR code. */
export const newBoletoView = (transaction: Transaction, today: Today) =>
  Object.assign(boletoView(transaction, today), qrCodeView(transaction))

const boletoStatusOf = (transaction: Transaction): Static<typeof boletoStatus> => {
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
