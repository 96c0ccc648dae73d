import { commandRoute } from '../../../api/route.ts'
import { pixCharge } from '../../../resources/payments/pix-charge.ts'
import { transactionResponse } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const expireSandboxChargeRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/pix/charges/:id/expire',
  operationId: 'expireSandboxPixCharge',
  summary: 'Expire a PIX charge',
  description: 'Expires a pending PIX charge or deposit, as if its time to pay were over.',
  refusals: [403, 404, 409],
  answer: pixCharge.schema,
  command: (_, request) => ({
    type: 'ExpireCharge',
    ...forExisting('transactionId', request),
    method: 'PIX',
  }),
  view: (reply, _, request) => transactionResponse(pixCharge.view, reply, request),
})
