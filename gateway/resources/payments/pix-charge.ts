import Type, { type Static } from 'typebox'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { qrCodeDataUri } from '../../documents/qr-code/draw.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { nullable, textOf } from '../fields.ts'
import { pix } from './pix-part.ts'
import { type Today, type TransactionView, transaction, transactionView } from './transaction.ts'
import { detail } from './transaction-detail.ts'

/** What the payer pastes or scans; at the top level of everything that is paid this way. */
export const scannable = Type.Object({
  copyPaste: nullable(textOf('Same as `pix.copyPaste`.')),
  qrCodeUrl: nullable(textOf('Same as `pix.qrCodeUrl`.')),
  qrCode: Type.Optional(
    nullable(
      Type.String({ format: 'data-uri' }),
      'The code as an image, `data:image/png;base64,…`: in the answer that creates the charge, and with `include=qrCode`.',
    ),
  ),
})

const fields = { ...transaction.properties, pix, ...scannable.properties }
const detailFields = { ...fields, ...detail.properties }

/** A PIX charge in an answer, a list, and alone. */
export const pixCharge = namedObject(
  'PixCharge',
  'A PIX charge: a transaction, with the QR code that the payer pays.',
  fields,
)
export const pixChargeDetail = namedObject('PixChargeDetail', 'A PIX charge with its history.', detailFields)

/** A deposit in an answer, a list, and alone. */
export const pixDeposit = namedObject(
  'PixDeposit',
  'A QR code by which you deposit into your own account.',
  fields,
)
export const pixDepositDetail = namedObject('PixDepositDetail', 'A deposit with its history.', detailFields)

type Scannable = Static<typeof scannable>

/** A PIX charge or deposit. */
export const chargeView = (transaction: Transaction, today: Today): TransactionView & Scannable =>
  scannableView(transactionView(transaction, today))

/** Adds what the payer pastes, and where the code is found as an image; null if there is no code. */
export const scannableView = (view: TransactionView): TransactionView & Scannable =>
  Object.assign(view, { copyPaste: view.pix?.copyPaste ?? null, qrCodeUrl: view.pix?.qrCodeUrl ?? null })

/** The image itself: part of the answer that creates a charge, and of others on request (decisions, section 10). */
export const qrCodeView = (transaction: Pick<Transaction, 'means'>): Required<Pick<Scannable, 'qrCode'>> => {
  const copyPaste = pixOf(transaction)?.copyPaste ?? null
  return { qrCode: copyPaste && qrCodeDataUri(copyPaste) }
}
