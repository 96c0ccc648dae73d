import Type, { type Static } from 'typebox'
import type { PaymentData } from '../../../engine/billing/payment-means.ts'
import { digitableLine } from '../../../engine/payments/methods/boleto/bar-code.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { date, instant, nullableField, textOf } from '../fields.ts'
import { qrCodeUrlOf } from './pix-part.ts'

/** How the payer of an invoice pays: by a QR code, or a boleto. */
export const paymentInstructions = Type.Object({
  pix: nullableField(
    Type.Object({
      copyPaste: textOf('The BR Code that the payer pastes into a banking app.'),
      qrCodeUrl: textOf('Path of the same code as an image.'),
      expiresAt: described(instant, 'Until when it can be paid.'),
    }),
    'How to pay by PIX.',
  ),
  boleto: nullableField(
    Type.Object({
      digitableLine: Type.String({
        pattern: '^[0-9]{47}$',
        description: 'The 47 digits that the payer types.',
      }),
      barcode: Type.String({ pattern: '^[0-9]{44}$', description: 'The 44 digits of the bar code.' }),
      dueDate: described(date, 'Until this day it should be paid.'),
    }),
    'How to pay by boleto.',
  ),
})

/** How to pay a charge of an invoice. */
export const paymentInstructionsView = (
  transactionId: string,
  { copyPaste, barCode, dueDate, expiresAtMs }: PaymentData,
): Static<typeof paymentInstructions> => ({
  pix:
    copyPaste === null
      ? null
      : {
          copyPaste,
          qrCodeUrl: qrCodeUrlOf(transactionId, barCode === null ? 'PIX' : 'BOLETO', 'SUBSCRIPTION'),
          expiresAt: isoInstant(expiresAtMs),
        },
  boleto:
    barCode === null || dueDate === null
      ? null
      : { digitableLine: digitableLine(barCode), barcode: barCode, dueDate },
})
