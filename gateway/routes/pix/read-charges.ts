import Type from 'typebox'
import type { TransactionId } from '../../../engine/ids.ts'
import { anyTransaction, type TransactionFamily } from '../../../engine/transaction/filters.ts'
import type { Origin, TransactionStatus } from '../../../engine/transaction/transaction.ts'
import { transactionStatuses } from '../../../engine/transaction/transaction.ts'
import { notFound } from '../../http/problem.ts'
import { queryRoute } from '../../http/route.ts'
import { listView } from '../../views/list.ts'
import { chargeView, detailOf } from '../../views/transaction.ts'
import { listOfRows, pixCharge, pixChargeDetail } from '../answers.ts'
import { pagingParameters, readPaging } from '../paging.ts'

type Family = {
  readonly path: string
  readonly origin: Origin
  readonly family: TransactionFamily
  readonly noun: string
  readonly name: string
}

const listRoute = (family: Family) =>
  queryRoute({
    verb: 'GET',
    path: family.path,
    operationId: `listPix${family.name}s`,
    summary: `List PIX ${family.noun}s`,
    tag: 'PIX',
    scope: 'charges.read',
    product: 'PIX',
    parameters: pagingParameters({
      status: Type.Optional(
        Type.Array(Type.Unsafe<TransactionStatus>({ type: 'string', enum: [...transactionStatuses] }), {
          description: 'One or more statuses, separated by commas.',
        }),
      ),
      externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
      q: Type.Optional(
        Type.String({
          minLength: 2,
          maxLength: 100,
          description: 'Searches ids, document, customer name and e-mail.',
        }),
      ),
    }),
    answer: listOfRows(pixCharge),
    read: (query) => {
      const paging = readPaging(query)
      if (!paging.ok) return paging
      const { status, externalId, q } = query
      const filters = {
        ...anyTransaction,
        family: family.family,
        statuses: status ?? [],
        externalId: externalId ?? null,
        search: q?.trim() ?? null,
      }
      return { ok: true, input: { ...paging.input, ...filters } } as const
    },
    query: (input, { accountId }) =>
      ({ type: 'ListTransactions', accountId, order: newestFirst, totals: false, ...input }) as const,
    view: (listed, input) => ({ body: listView(listed, input, chargeView) }),
  })

const findRoute = (family: Family) =>
  queryRoute({
    verb: 'GET',
    path: `${family.path}/:id`,
    operationId: `getPix${family.name}`,
    summary: `Get one PIX ${family.noun}`,
    tag: 'PIX',
    scope: 'charges.read',
    product: 'PIX',
    refusals: [404],
    answer: pixChargeDetail,
    read: () => null,
    query: (_, { accountId, id }) =>
      ({
        type: 'FindTransaction',
        accountId,
        transactionId: id as TransactionId,
        family: family.origin,
      }) as const,
    view: (detail) =>
      detail === null
        ? notFound(`pix_${family.noun}`)
        : { body: Object.assign(chargeView(detail.transaction), detailOf(detail)) },
  })

const newestFirst = { by: 'createdAt', isDescending: true } as const

const charges: Family = {
  path: '/v1/pix/charges',
  origin: 'API',
  family: 'PIX_CHARGE',
  noun: 'charge',
  name: 'Charge',
}
const deposits: Family = {
  path: '/v1/pix/deposits',
  origin: 'DEPOSIT',
  family: 'PIX_DEPOSIT',
  noun: 'deposit',
  name: 'Deposit',
}

export const listPixCharges = listRoute(charges)
export const getPixCharge = findRoute(charges)
export const listPixDeposits = listRoute(deposits)
export const getPixDeposit = findRoute(deposits)
