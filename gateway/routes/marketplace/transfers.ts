import Type from 'typebox'
import { queryRoute } from '../../api/route.ts'
import { transferStatus } from '../../resources/enumerations.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { splitTransfer } from '../../resources/marketplace/split-transfer.ts'
import { idParameter, oneOrMore } from '../../schema/schema.ts'
import { ofSplit } from '../groups.ts'
import { pagingParameters, readPaging } from '../paging.ts'

export const listSplitTransfersRoute = queryRoute({
  ...ofSplit,
  verb: 'GET',
  path: '/v1/split/transfers',
  operationId: 'listSplitTransfers',
  summary: 'List transfers to recipients',
  description: 'Lists one transfer for each recipient and receivable, from the approval of its charge on.',
  parameters: pagingParameters({
    status: oneOrMore(transferStatus),
    recipientId: Type.Optional(idParameter('Only those to this recipient.')),
    transactionId: Type.Optional(idParameter('Only those of this transaction.')),
  }),
  answer: listOfRows(splitTransfer.schema),
  read: (query) =>
    readPaging(query, {
      statuses: query.status ?? [],
      recipientId: query.recipientId ?? null,
      transactionId: query.transactionId ?? null,
    }),
  query: (input, { accountId }) => ({ type: 'ListSplitTransfers', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, splitTransfer.view) }),
})
