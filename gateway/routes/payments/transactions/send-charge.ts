import Type from 'typebox'
import { commandRoute } from '../../../api/route.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { described } from '../../../schema/named-schema.ts'
import { choice } from '../../../schema/schema.ts'
import { todayOf } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'

export const sendChargeRoute = commandRoute({
  verb: 'POST',
  path: '/v1/transactions/:id/send',
  operationId: 'sendCharge',
  summary: 'Send a charge to its payer',
  description:
    'Mails the payer the PIX code with its QR code, or the digits of the boleto with its PDF, while the charge is PENDING. It goes to the `email` of the charge’s customer, at most three times in 24 hours, and a company sends at most 200 an hour. In the Sandbox the mail says that there is nothing to pay.',
  tag: 'Transactions',
  permission: 'charges.create',
  product: null,
  idempotent: true,
  status: 202,
  refusals: [404, 409, 422, 429, 503],
  body: Type.Object({
    language: Type.Optional(described(choice('pt', 'en'), 'Of the mail. Default: `pt`.')),
  }),
  answer: transaction.schema,
  read: ({ language }) => ({ language: language ?? ('pt' as const) }),
  command: ({ language }, request) =>
    ({ type: 'SendCharge', ...forExisting('transactionId', request), language }) as const,
  view: (reply, _, request) => ({ body: transaction.view(reply.state, todayOf(request, reply)) }),
})
