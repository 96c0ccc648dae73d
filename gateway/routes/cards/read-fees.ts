import { cardFees } from '../../../engine/methods/card/fees.ts'
import { queryRoute } from '../../http/route.ts'
import { cardFeeTable } from '../answers.ts'

export const getCardFees = queryRoute({
  verb: 'GET',
  path: '/v1/cards/fees',
  operationId: 'getCardFees',
  summary: 'The card fee table of the company',
  tag: 'Card',
  scope: 'charges.read',
  product: 'CARD',
  answer: cardFeeTable,
  read: () => null,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: () => ({
    body: {
      object: 'card_fee_table',
      currency: 'BRL',
      effectiveFrom: '2026-01-01',
      fees: cardFees.map((fee) => ({ ...fee, fixedAmount: '0' })),
      chargebackFeeAmount: '0',
    },
  }),
})
