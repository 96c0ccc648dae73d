import Type from 'typebox'
import { queryRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { listOfRows, listView } from '../../../resources/list.ts'
import { receivedPix } from '../../../resources/payments/received-pix.ts'
import { choice, exactParameter, searchParameter } from '../../../schema/schema.ts'
import { pixReads } from '../../groups.ts'
import { pagingParameters, readPaging } from '../../paging.ts'
import { searchTextOf } from '../../search-text.ts'

export const listReceivedPixRoute = queryRoute({
  ...pixReads,
  path: '/v1/pix/received',
  operationId: 'listReceivedPix',
  summary: 'List received PIX',
  description:
    'Money that came for a charge that could not take it is `RETURNED`, in full, with the reason; a bank of your own takes a while for that (`RETURNING`).',
  parameters: pagingParameters({
    status: Type.Optional(
      Type.Array(choice('RECEIVED', 'RETURNING', 'RETURNED', 'RETURN_FAILED'), {
        description: 'One or more, separated by commas.',
      }),
    ),
    endToEndId: exactParameter(bounds.endToEndIdCharsMax, 'Only the one with this end-to-end id.'),
    txid: exactParameter(bounds.txidCharsMax, 'Only those for the charge with this txid.'),
    externalId: exactParameter(bounds.externalIdCharsMax, 'Only those for charges with this `externalId`.'),
    q: searchParameter('Searches ids, end-to-end id, txid, and the payer’s document and name.'),
  }),
  answer: listOfRows(receivedPix.schema),
  read: (query) =>
    readPaging(query, {
      statuses: query.status ?? [],
      endToEndId: query.endToEndId ?? null,
      txid: query.txid ?? null,
      externalId: query.externalId ?? null,
      search: searchTextOf(query.q),
    }),
  query: (input, { accountId }) => ({ type: 'ListReceived', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, receivedPix.view) }),
})
