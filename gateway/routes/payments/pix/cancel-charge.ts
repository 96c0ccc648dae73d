// Routes of PIX: charges, deposits, received PIX, keys, MEDs and the overview.
import { commandRoute } from '../../../api/route.ts'
import { pixCharge } from '../../../resources/payments/pix-charge.ts'
import { transactionResponse } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { pixWrites } from '../../groups.ts'
import { cancellationProblem } from '../cancelled.ts'

export const cancelPixChargeRoute = commandRoute({
  ...pixWrites,
  path: '/v1/pix/charges/:id/cancel',
  operationId: 'cancelPixCharge',
  summary: 'Cancel a pending PIX charge',
  description:
    'After that its QR code cannot be paid; a payment that was already on its way is returned to the payer. With a bank of your own it decides: a charge that was paid meanwhile answers 409 with `currentStatus` APPROVED, and while the bank is silent the answer is 503, and the cancellation goes on without a second request.',
  refusals: [404, 409],
  answer: pixCharge.schema,
  command: (_, request) => ({
    type: 'CancelCharge',
    ...forExisting('transactionId', request),
    family: 'PIX_CHARGE',
    reason: null,
  }),
  view: (reply, _, request) =>
    cancellationProblem(reply.state) ?? transactionResponse(pixCharge.view, reply, request),
})
