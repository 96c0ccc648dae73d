import Type from 'typebox'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { referenceInput } from '../../../resources/payments/charge-details.ts'
import { pixCharge } from '../../../resources/payments/pix-charge.ts'
import { amount, wholeNumber } from '../../../schema/schema.ts'
import {
  alsoNeeds,
  chargeFields,
  createChargeCommand,
  eitherCustomer,
  readCharge,
  scannableResponse,
  splitField,
} from '../../charge-input.ts'
import { pixWrites } from '../../groups.ts'
import { readPixTerms } from './pix-input.ts'

export const createPixChargeRoute = commandRoute({
  ...pixWrites,
  path: '/v1/pix/charges',
  operationId: 'createPixCharge',
  isAudited: false,
  summary: 'Create a PIX charge',
  description:
    'Creates a QR code, and the same as text (`copyPaste`), with which a payer pays the amount. A webhook reports the payment. A charge that the bank refuses to register is answered with 201 and the status FAILED, and one whose bank is silent with the status CREATED, without a code: `payment.pending` says when it has one.',
  alsoNeeds,
  status: 201,
  body: Type.Object({
    amount: amount(bounds.amountCentsMax, 'What the payer pays.'),
    ...chargeFields,
    ...splitField,
    expiresInSeconds: Type.Optional(
      wholeNumber(
        bounds.chargeExpirySecondsMin,
        bounds.chargeExpirySecondsMax,
        'How long the QR code can be paid. Default 3600. With `dueDate`: grace after the due date.',
      ),
    ),
    dueDate: Type.Optional(
      Type.String({
        format: 'date-or-date-time',
        description: 'Payable until the end of this business day.',
      }),
    ),
    reference: referenceInput,
  }),
  rules: eitherCustomer,
  answer: pixCharge.schema,
  read: (body) => readCharge(body, readPixTerms(body)),
  command: (input, request) => createChargeCommand(input, request.origin, request),
  view: (reply, _, request) => scannableResponse(pixCharge.view, reply, request, '/v1/pix/charges'),
})
