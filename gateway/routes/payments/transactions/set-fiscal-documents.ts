import Type from 'typebox'
import { commandRoute } from '../../../api/route.ts'
import { fiscalDocumentsInput } from '../../../resources/payments/fiscal.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { todayOf } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'

export const setFiscalDocumentsRoute = commandRoute({
  verb: 'PUT',
  path: '/v1/transactions/:id/fiscal-documents',
  operationId: 'setFiscalDocuments',
  summary: 'Set the fiscal documents of a transaction',
  description:
    'Says which fiscal documents are about the sale, in whatever state the transaction is: those of the body, whatever was sent before. An empty list removes them. One document can be about several payments, and a payment about several documents.',
  tag: 'Transactions',
  permission: 'charges.create',
  product: null,
  refusals: [404],
  body: Type.Object({ fiscalDocuments: fiscalDocumentsInput }),
  answer: transaction.schema,
  read: ({ fiscalDocuments: documents }) => ({ documents }),
  command: ({ documents }, request) =>
    ({ type: 'SetFiscalDocuments', ...forExisting('transactionId', request), documents }) as const,
  view: (reply, _, request) => ({ body: transaction.view(reply.state, todayOf(request, reply)) }),
})
