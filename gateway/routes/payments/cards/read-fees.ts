import { assert } from '../../../../engine/shared/assert.ts'
import { queryRoute } from '../../../api/route.ts'
import { cardFeeTable } from '../../../resources/payments/card-fees.ts'
import { cardReads } from '../../groups.ts'

export const getCardFeesRoute = queryRoute({
  ...cardReads,
  path: '/v1/cards/fees',
  operationId: 'getCardFees',
  summary: 'Get card fees',
  description: 'Shows what a card payment costs, by brand, kind of card and number of instalments.',
  answer: cardFeeTable.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => {
    assert(found !== null, 'a key exists only for an open account')
    return { body: cardFeeTable.view(found.account.profile.fees) }
  },
})
