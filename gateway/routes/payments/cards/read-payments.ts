import { cardPayment, cardPaymentDetail } from '../../../resources/payments/card-payment.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { type FamilyRoutes, getRoute, listRoute } from '../../family.ts'
import { cardReads } from '../../groups.ts'

const payments: FamilyRoutes = {
  group: cardReads,
  family: 'CARD',
  listPath: '/v1/cards/transactions',
  path: '/v1/card-payments',
  operations: { list: 'listCardTransactions', get: 'getCardPayment' },
  nouns: { one: 'card payment', many: 'card transactions' },
  resource: 'card_payment',
  row: cardPayment,
  detail: cardPaymentDetail,
  view: transaction.view,
  hasCodes: false,
}

export const listCardTransactionsRoute = listRoute(payments)
export const getCardPaymentRoute = getRoute(payments)
