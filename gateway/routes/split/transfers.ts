import Type from 'typebox'
import { transferStatuses } from '../../../engine/split/transfer.ts'
import { queryRoute } from '../../http/route.ts'
import { word } from '../../http/schema.ts'
import { listView } from '../../views/list.ts'
import { splitTransferView } from '../../views/split.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { listOfRows } from '../shapes.ts'
import { splitTransfer } from './answers.ts'

export const listSplitTransfers = queryRoute({
  verb: 'GET',
  path: '/v1/split/transfers',
  operationId: 'listSplitTransfers',
  summary: 'List transfers to recipients',
  description: 'One for each recipient and receivable, from when its charge is approved.',
  tag: 'Split',
  scope: 'marketplace.manage',
  product: 'SPLIT',
  parameters: pagingParameters({
    status: Type.Optional(Type.Array(word(...transferStatuses))),
    recipientId: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    transactionId: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  }),
  answer: listOfRows(splitTransfer),
  read: (query) => {
    const paging = readPaging(query)
    if (!paging.ok) return paging
    const { status, recipientId, transactionId } = query
    const search = {
      statuses: status ?? [],
      recipientId: recipientId ?? null,
      transactionId: transactionId ?? null,
    }
    return { ok: true, input: { ...paging.input, ...search } } as const
  },
  query: (input, { accountId }) => ({ type: 'ListSplitTransfers', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, splitTransferView) }),
})
