import { isoInstant } from '../../../engine/shared/calendar.ts'
import { unavailable } from '../../http/problem.ts'
import { queryRoute } from '../../http/route.ts'
import { listView } from '../../views/list.ts'
import { pixKey } from '../answers.ts'
import { listOfRows } from '../shapes.ts'

export const listPixKeys = queryRoute({
  verb: 'GET',
  path: '/v1/pix/keys',
  operationId: 'listPixKeys',
  summary: 'List PIX keys',
  description: 'Lists the keys to which the company receives, all in one page.',
  tag: 'PIX',
  scope: 'charges.read',
  product: 'PIX',
  answer: listOfRows(pixKey),
  read: () => null,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => {
    if (found === null) return unavailable
    const { id, type, key, createdAtMs } = found.account.pixKey
    const row = { id, object: 'pix_key', type, key, status: 'ACTIVE', createdAt: isoInstant(createdAtMs) }
    // A list without pages: everything in one (decisions, section 6).
    return { body: listView({ rows: [row], total: 1, asOf: 0 }, { page: 1, pageSize: 1 }, (row) => row) }
  },
})
