import { commandRoute } from '../../http/route.ts'
import { chargeView, pixCharge } from '../../resources/pix-charge.ts'
import { transactionResponse } from '../charge-input.ts'
import { forExisting } from '../envelope.ts'

export const cancelPixCharge = commandRoute({
  verb: 'POST',
  path: '/v1/pix/charges/:id/cancel',
  operationId: 'cancelPixCharge',
  summary: 'Cancel a pending PIX charge',
  description:
    'After that its QR code cannot be paid; a payment that was already on its way is returned to the payer.',
  tag: 'PIX',
  scope: 'charges.create',
  product: 'PIX',
  idempotent: true,
  refusals: [404, 409],
  answer: pixCharge,
  read: () => null,
  command: (_, request) => ({
    type: 'CancelCharge',
    ...forExisting('transactionId', request),
    family: 'PIX_CHARGE',
    reason: null,
  }),
  view: (reply, _, request) => transactionResponse(chargeView, reply, request),
})
