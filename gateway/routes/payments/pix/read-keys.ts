import { queryRoute } from '../../../api/route.ts'
import { unavailable } from '../../../problems/problem.ts'
import { listOfRows, listView } from '../../../resources/list.ts'
import { pixKey } from '../../../resources/payments/pix-key.ts'
import { pixReads } from '../../groups.ts'

export const listPixKeysRoute = queryRoute({
  ...pixReads,
  path: '/v1/pix/keys',
  operationId: 'listPixKeys',
  summary: 'List PIX keys',
  description: 'Lists the keys to which the company receives, all in one page.',
  answer: listOfRows(pixKey.schema),
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => {
    if (found === null) return unavailable
    // A list without pages: everything in one (decisions, section 6).
    const whole = { rows: [found.account.pixKey], total: 1, asOf: 0 }
    return { body: listView(whole, { page: 1, pageSize: 1 }, pixKey.view) }
  },
})
