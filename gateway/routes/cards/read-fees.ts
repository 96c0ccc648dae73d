import { cardFeeLines } from '../../../engine/ledger/card-rates.ts'
import { assert } from '../../../engine/shared/assert.ts'
import { queryRoute } from '../../http/route.ts'
import { cardFeeTable } from '../answers.ts'

export const getCardFees = queryRoute({
  verb: 'GET',
  path: '/v1/cards/fees',
  operationId: 'getCardFees',
  summary: 'Get card fees',
  description: 'Shows what a card payment costs, by brand, kind of card and number of instalments.',
  tag: 'Card',
  scope: 'charges.read',
  product: 'CARD',
  answer: cardFeeTable,
  read: () => null,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => {
    assert(found !== null, 'a key exists only for an open account')
    const { fees } = found.account.profile
    return {
      body: {
        object: 'card_fee_table',
        currency: 'BRL',
        effectiveFrom: fees.effectiveFrom,
        fees: cardFeeLines(fees.cards).map((line) => ({ ...line, fixedAmount: '0' })),
        chargebackFeeAmount: '0',
      },
    }
  },
})
