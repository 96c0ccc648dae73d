import { linkStatuses } from '../../engine/checkout/link.ts'
import { checkoutMethods } from '../../engine/checkout/offer.ts'
import { installmentsMax } from '../../engine/ledger/card-rates.ts'
import type { PaymentLinkId } from '../../engine/shared/ids.ts'
import type { Route } from '../api/route.ts'
import type { Asker } from '../identity/asked.ts'
import {
  choicesOf,
  type Input,
  numberOf,
  type Operations,
  operationsOn,
  taking,
} from '../operations/input.ts'
import {
  createPaymentLinkRoute,
  deactivatePaymentLinkRoute,
  getPaymentLinkRoute,
  listPaymentLinksRoute,
} from '../routes/checkout/links.ts'
import { callRoute, callWhereFound, pageNamed, placeOf, type RouteContext } from './call-route.ts'

const place = ['company', 'environment']

/** Payment links of companies, for operators. */
export const linkOperations = (context: RouteContext): Operations =>
  operationsOn(context, {
    'links list': taking([...place, 'status', 'page'], list),
    'links create': taking(
      [
        ...[...place, 'title', 'name', 'amount', 'minAmount', 'maxAmount'],
        ...['methods', 'installments', 'maxPayments', 'expiresAt'],
      ],
      create,
    ),
    'links show': taking(['id'], withLink(getPaymentLinkRoute)),
    'links deactivate': taking(['id'], withLink(deactivatePaymentLinkRoute)),
  })

const list = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const status = choicesOf(input, 'status', linkStatuses)
  const query = { ...pageNamed(input), ...(status !== null && { status }) }
  return callRoute(context, by, placeOf(context, input), listPaymentLinksRoute, { query })
}

/** A link of a fixed amount, or, with a smallest one, of an amount that the payer chooses. */
const create = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const { title, name = title, amount, minAmount, maxAmount, expiresAt } = input
  const { installments, maxPayments } = input
  const methods = choicesOf(input, 'methods', checkoutMethods)
  const body = {
    ...given({ title, name, amount, minAmount, maxAmount, expiresAt }),
    ...(minAmount !== undefined && { amountMode: 'OPEN' }),
    ...(methods !== null && { methods }),
    ...(installments !== undefined && { installments: interestFree(installments) }),
    ...(maxPayments !== undefined && { maxPayments: numberOf(maxPayments, 'maxPayments', 1, 100_000) }),
  }
  return callRoute(context, by, placeOf(context, input), createPaymentLinkRoute, { body })
}

const interestFree = (installments: unknown): object => {
  const max = numberOf(installments, 'installments', 1, installmentsMax)
  return { max, interestFreeUpTo: max }
}

const given = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** Does a request about a link, wherever it is. */
const withLink = (route: Route) =>
  callWhereFound(route, 'payment link', (accountId, id) => ({
    type: 'FindLink',
    accountId,
    paymentLinkId: id as PaymentLinkId,
  }))
