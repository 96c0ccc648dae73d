import { createHash } from 'node:crypto'
import Type from 'typebox'
import { dateIn, isoInstant, startOfDay } from '../../../engine/shared/calendar.ts'
import type { TransferId } from '../../../engine/shared/ids.ts'
import type { OutgoingTransfer } from '../../../engine/transfers/outgoing-transfer.ts'
import { day, money, taxDocument } from '../../documents/boleto/texts.ts'
import { type ReceiptDocument, receiptPdf } from '../../documents/receipt/receipt.ts'
import { notFound } from '../../http/problem.ts'
import { stateProblem } from '../../http/problem-of.ts'
import { queryRoute, type RequestContext } from '../../http/route.ts'
import { masked } from '../../resources/masked.ts'

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
  view: async (transfer, _, request) => {
    if (transfer === null) return notFound('transfer')
    const { status, id } = transfer
    if (status !== 'COMPLETED')
      return stateProblem((say) => say.details.invalidState(status, completed), status, completed)
    return {
      bytes: await receiptPdf(receiptOf(transfer, request)),
      contentType: 'application/pdf',
      fileName: `comprovante-${id}.pdf`,
    }
  },
})

const completed = ['COMPLETED'] as const

const receiptOf = (transfer: OutgoingTransfer, { company, environment }: RequestContext): ReceiptDocument => {
  const { payee, kind, id, endToEndId, description } = transfer
  const completedAtMs = transfer.completedAtMs!
  const where: readonly (readonly [string, string | null])[] =
    payee.pixKey === null
      ? [
          ['Banco', payee.bankCode],
          ['Agência', payee.branch],
          ['Conta', payee.account],
        ]
      : [
          ['Chave PIX', payee.pixKey],
          ['Instituição', payee.bankName],
        ]
  const groups = [
    {
      heading: 'Transferência',
      rows: rowsOf([
        ['Tipo', kind],
        ['Data', timeIn(company.timeZone, completedAtMs)],
        ['Tarifa', transfer.feeCents === 0 ? null : money(transfer.feeCents)],
        ['Descrição', description],
        ['Identificador', id],
        ['ID da transação PIX', endToEndId],
      ]),
    },
    {
      heading: 'Para',
      rows: rowsOf([['Nome', payee.name], ['CPF ou CNPJ', masked(payee.document)], ...where]),
    },
    {
      heading: 'De',
      rows: rowsOf([
        ['Nome', company.name],
        ['Documento', taxDocument(company.document)],
      ]),
    },
  ]
  const amount = money(transfer.amountCents)
  const said = JSON.stringify([amount, isoInstant(completedAtMs), groups])
  return {
    title: 'Comprovante de transferência',
    amount,
    groups,
    sha256: createHash('sha256').update(said).digest('hex'),
    createdAtMs: completedAtMs,
    isTest: environment === 'SANDBOX',
  }
}

const rowsOf = (
  rows: readonly (readonly [label: string, value: string | null])[],
): readonly (readonly [string, string])[] =>
  rows.filter((row): row is readonly [string, string] => row[1] !== null)

/** `dd/mm/aaaa às hh:mm:ss`, by the clocks of the company's zone. */
const timeIn = (zone: string, atMs: number): string => {
  const date = dateIn(zone, atMs)
  const time = new Date(atMs - startOfDay(zone, date)).toISOString().slice(11, 19)
  return `${day(date)} às ${time}`
}
