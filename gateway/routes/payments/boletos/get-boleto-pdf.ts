import Type from 'typebox'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { queryRoute } from '../../../api/route.ts'
import { boletoPdf } from '../../../documents/boleto/document.ts'
import { notFound } from '../../../problems/problem.ts'
import { boletoDocumentOf } from '../../../resources/payments/boleto-document.ts'
import { boletoReads } from '../../groups.ts'

export const getBoletoPdfRoute = queryRoute({
  ...boletoReads,
  path: '/v1/boletos/:id/pdf',
  operationId: 'getBoletoPdf',
  summary: 'Get a boleto as PDF',
  description: 'Prints any boleto that was registered, with a stamp once it is paid, cancelled or expired.',
  refusals: [404],
  mediaTypes: ['application/pdf'],
  answer: Type.Object({}),
  query: (_, { accountId, id }) =>
    ({
      type: 'FindTransaction',
      accountId,
      transactionId: id as TransactionId,
      family: 'BOLETO',
    }) as const,
  view: async (detail, _, request) => {
    const document = detail && boletoDocumentOf(detail.transaction, request)
    if (document === null) return notFound('boleto')
    return {
      bytes: await boletoPdf(document),
      contentType: 'application/pdf',
      fileName: `boleto-${document.ourNumber}.pdf`,
    }
  },
})
