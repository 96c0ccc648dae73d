import Type from 'typebox'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { qrCodeDataUri } from '../../documents/qr-code/draw.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { nullableField, textOf } from '../fields.ts'
import { fieldsOf, leftOut, resource } from '../resource.ts'
import { codeUrlOf, pix } from './pix-part.ts'
import { type Today, transaction } from './transaction.ts'
import { detail } from './transaction-detail.ts'

/** What the payer pastes or scans; at the top level of everything that is paid this way. */
export const scannableFields = fieldsOf<Transaction>().with({
  copyPaste: [nullableField(textOf('Same as `pix.copyPaste`.')), (t) => pixOf(t)?.copyPaste ?? null],
  qrCodeUrl: [nullableField(textOf('Same as `pix.qrCodeUrl`.')), (t) => pixOf(t) && codeUrlOf(pixOf(t)!, t)],
  qrCode: [
    Type.Optional(
      nullableField(
        Type.String({ format: 'data-uri' }),
        'The code as an image, `data:image/png;base64,…`: in the answer that creates the charge, and with `include=qrCode`.',
      ),
    ),
    leftOut,
  ],
})

/** A PIX charge in an answer, a list, and alone. Its view shows deposits as well. */
export const pixCharge = resource<Transaction, [Today]>(
  'PixCharge',
  'A PIX charge: a transaction, with the QR code that the payer pays.',
).with({
  ...transaction.fields,
  pix: [pix.schema, (t) => pix.view(pixOf(t)!, t)],
  ...scannableFields,
})
const detailFields = { ...pixCharge.schema.properties, ...detail.schema.properties }
export const pixChargeDetail = namedObject('PixChargeDetail', 'A PIX charge with its history.', detailFields)

/** A deposit in an answer, a list, and alone. */
export const pixDeposit = namedObject(
  'PixDeposit',
  'A QR code by which you deposit into your own account.',
  pixCharge.schema.properties,
)
export const pixDepositDetail = namedObject('PixDepositDetail', 'A deposit with its history.', detailFields)

/** The image itself: part of the answer that creates a charge, and of others on request (decisions, section 10). */
export const qrCodeView = (transaction: Pick<Transaction, 'means'>): { readonly qrCode: string | null } => {
  const copyPaste = pixOf(transaction)?.copyPaste ?? null
  return { qrCode: copyPaste && qrCodeDataUri(copyPaste) }
}
