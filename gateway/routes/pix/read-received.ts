import Type from 'typebox'
import { queryRoute } from '../../http/route.ts'
import { listView } from '../../views/list.ts'
import { receivedPixView } from '../../views/received-pix.ts'
import { receivedPix } from '../answers.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { listOfRows } from '../shapes.ts'

export const listReceivedPix = queryRoute({
  verb: 'GET',
  path: '/v1/pix/received',
  operationId: 'listReceivedPix',
  summary: 'List received PIX',
  description: 'Money that came for a charge that could not take it is `RETURNED`, in full, with the reason.',
  tag: 'PIX',
  scope: 'charges.read',
  product: 'PIX',
  parameters: pagingParameters({
    status: Type.Optional(
      Type.Array(Type.Unsafe<'RECEIVED' | 'RETURNED'>({ type: 'string', enum: ['RECEIVED', 'RETURNED'] })),
    ),
    endToEndId: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    txid: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
    externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    q: Type.Optional(Type.String({ minLength: 2, maxLength: 100 })),
  }),
  answer: listOfRows(receivedPix),
  read: (query) => {
    const paging = readPaging(query)
    if (!paging.ok) return paging
    const { status, endToEndId, txid, externalId, q } = query
    const search = {
      statuses: status ?? [],
      endToEndId: endToEndId ?? null,
      txid: txid ?? null,
      externalId: externalId ?? null,
      search: q?.trim() ?? null,
    }
    return { ok: true, input: { ...paging.input, ...search } } as const
  },
  query: (input, { accountId }) => ({ type: 'ListReceived', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, receivedPixView) }),
})
