import Type from 'typebox'
import type { ChargebackId } from '../../../engine/ids.ts'
import type { Chargeback, Transaction } from '../../../engine/transaction/transaction.ts'
import { commandRoute, queryRoute } from '../../http/route.ts'
import { text, word } from '../../http/schema.ts'
import { chargebackView } from '../../views/chargeback.ts'
import { listView } from '../../views/list.ts'
import { chargeback } from '../answers.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { listOfRows } from '../shapes.ts'

const statuses = ['OPEN', 'UNDER_REVIEW', 'WON', 'LOST'] as const satisfies readonly Chargeback['status'][]

export const listChargebacks = queryRoute({
  verb: 'GET',
  path: '/v1/cards/chargebacks',
  operationId: 'listChargebacks',
  summary: 'List chargebacks',
  tag: 'Card',
  scope: 'charges.read',
  product: 'CARD',
  parameters: pagingParameters({
    status: Type.Optional(Type.Array(word(...statuses))),
    transactionId: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  }),
  answer: listOfRows(chargeback),
  read: (query) => {
    const paging = readPaging(query)
    if (!paging.ok) return paging
    const { status, transactionId } = query
    const search = { statuses: status ?? [], transactionId: transactionId ?? null }
    return { ok: true, input: { ...paging.input, ...search } } as const
  },
  query: (input, { accountId }) => ({ type: 'ListChargebacks', accountId, ...input }) as const,
  view: (listed, input) => ({
    body: listView(listed, input, ({ chargeback, transaction }) => chargebackView(transaction, chargeback)),
  }),
})

export const disputeChargeback = commandRoute({
  verb: 'POST',
  path: '/v1/cards/chargebacks/:id/dispute',
  operationId: 'disputeChargeback',
  summary: 'Send a defense to a chargeback',
  description:
    'Until `defenseDueAt`, once. In Sandbox `winning_evidence` or `losing_evidence` in it decides.',
  tag: 'Card',
  scope: 'charges.create',
  product: 'CARD',
  refusals: [404, 409],
  body: Type.Object({ text: text(5000, 'The defense.', { multiline: true, min: 20 }) }),
  answer: chargeback,
  read: (body) => ({ text: body.text.trim() }),
  command: ({ text }, { accountId, by, id }) => ({
    type: 'DisputeChargeback',
    accountId,
    by,
    partId: id as ChargebackId,
    text,
  }),
  view: ({ state, partId }) => ({ body: chargebackOf(state as Transaction, partId) }),
})

export const chargebackOf = (transaction: Transaction, partId: string | null) => {
  const found = transaction.reversals.chargebacks.find(({ id }) => id === partId)!
  return chargebackView(transaction, found)
}
