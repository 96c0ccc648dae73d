// Routes of boletos: create, list, read, cancel, and the PDF.
import { commandRoute } from '../../../api/route.ts'
import { boleto } from '../../../resources/payments/boleto.ts'
import { transactionResponse } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { boletoWrites } from '../../groups.ts'

export const cancelBoletoRoute = commandRoute({
  ...boletoWrites,
  path: '/v1/boletos/:id/cancel',
  operationId: 'cancelBoleto',
  summary: 'Cancel a boleto',
  description:
    'Writes the boleto off. Possible while it is REGISTERED or OVERDUE; after that nobody can pay it.',
  refusals: [404, 409],
  answer: boleto.schema,
  command: (_, request) => ({
    type: 'CancelCharge',
    ...forExisting('transactionId', request),
    family: 'BOLETO',
    reason: null,
  }),
  view: (reply, _, request) => transactionResponse(boleto.view, reply, request),
})
