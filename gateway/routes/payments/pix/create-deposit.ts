import Type from 'typebox'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { pixCharge, pixDeposit } from '../../../resources/payments/pix-charge.ts'
import { amount, textUpTo, wholeNumber } from '../../../schema/schema.ts'
import { createChargeCommand, readCharge, scannableResponse } from '../../charge-input.ts'
import { pixWrites } from '../../groups.ts'
import { readPixTerms } from './pix-input.ts'

export const createPixDepositRoute = commandRoute({
  ...pixWrites,
  path: '/v1/pix/deposits',
  operationId: 'createPixDeposit',
  isAudited: false,
  summary: 'Create a deposit',
  description:
    'Creates a QR code with which you deposit into your own account. A deposit costs no fee and is never divided. It is cancelled as a transaction.',
  status: 201,
  body: Type.Object({
    amount: amount(bounds.amountCentsMax, 'What is deposited.'),
    expiresInSeconds: Type.Optional(
      wholeNumber(
        bounds.depositExpirySecondsMin,
        bounds.depositExpirySecondsMax,
        'How long the QR code can be paid. Default 3600.',
      ),
    ),
    description: Type.Optional(textUpTo(bounds.descriptionCharsMax, 'Shown to the payer.')),
  }),
  answer: pixDeposit,
  // Only the fields of a deposit: the others were not checked, and are ignored.
  read: ({ amount, description, expiresInSeconds }) =>
    readCharge(
      { amount, ...(description !== undefined && { description }) },
      readPixTerms({ ...(expiresInSeconds !== undefined && { expiresInSeconds }) }),
    ),
  command: (input, request) => createChargeCommand(input, 'DEPOSIT', request),
  view: (reply, _, request) => scannableResponse(pixCharge.view, reply, request, '/v1/pix/deposits'),
})
