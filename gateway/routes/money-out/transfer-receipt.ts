import Type from 'typebox'
import type { OutgoingTransfer } from '../../../engine/money-out/money-out.ts'
import type { TransferId } from '../../../engine/shared/ids.ts'
import { queryRoute } from '../../api/route.ts'
import { money } from '../../documents/boleto/texts.ts'
import { notFound } from '../../problems/problem.ts'
import { masked } from '../../resources/masked.ts'
import { type Receipt, receiptAnswer } from '../receipt.ts'

export const getTransferReceipt = queryRoute({
  verb: 'GET',
  tag: 'Transfers',
  product: null,
  permission: 'balance.read',
  isAudited: true,
  path: '/v1/transfers/:id/receipt',
  operationId: 'getTransferReceipt',
  summary: 'Get the receipt of a transfer',
  description: 'A PDF for whoever was paid, once the bank has confirmed it.',
  refusals: [404, 409],
  mediaTypes: ['application/pdf'],
  answer: Type.Object({}),
  query: (_, { accountId, id }) =>
    ({ type: 'FindOutgoingTransfer', accountId, outgoingTransferId: id as TransferId }) as const,
  view: async (transfer, _, request) =>
    transfer === null ? notFound('transfer') : receiptAnswer(transfer, request, receiptOf),
})

const receiptOf = (transfer: OutgoingTransfer): Receipt => {
  const { payee, kind, id, endToEndId, description, feeCents } = transfer
  return {
    title: 'Comprovante de transferência',
    amount: money(transfer.amountCents),
    payment: {
      heading: 'Transferência',
      kind: [['Tipo', kind]],
      rows: [
        ['Tarifa', feeCents === 0 ? null : money(feeCents)],
        ['Descrição', description],
        ['Identificador', id],
        ['ID da transação PIX', endToEndId],
      ],
    },
    payee: [
      ['Nome', payee.name],
      ['CPF ou CNPJ', masked(payee.document)],
      ...(payee.pixKey === null
        ? ([
            ['Banco', payee.bankCode ?? payee.ispb],
            ['Agência', payee.branch],
            ['Conta', payee.account],
          ] as const)
        : ([
            ['Chave PIX', payee.pixKey],
            ['Instituição', payee.bankName],
          ] as const)),
    ],
  }
}
