import Type from 'typebox'
import { suspenseStatuses } from '../../../engine/payments/suspense/suspense.ts'
import { newId, type SuspenseId, type TransactionId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { notFound } from '../../problems/problem.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { suspense } from '../../resources/payments/suspense.ts'
import { choice, idParameter, oneOrMore, orNull, textUpTo } from '../../schema/schema.ts'
import { forExisting } from '../command-target.ts'
import { standingOfAsker } from '../others-who.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const ofReconciliation = { tag: 'Reconciliation', product: null } as const
const reads = { ...ofReconciliation, verb: 'GET', permission: 'balance.read', isForPeople: true } as const
const resolves = {
  ...ofReconciliation,
  verb: 'POST',
  isForPeople: true,
  idempotent: true,
  answer: suspense.schema,
} as const

export const listSuspenseRoute = queryRoute({
  ...reads,
  path: '/v1/suspense',
  operationId: 'listSuspense',
  summary: 'List money in suspense',
  description:
    'Money that a bank took and that belongs to no charge a day later, and what became of it, newest first.',
  parameters: pagingParameters({ status: oneOrMore(choice(...suspenseStatuses)) }),
  answer: listOfRows(suspense.schema),
  read: (query) => readPaging(query, { statuses: query.status ?? [] }),
  query: (input, { accountId }) => ({ type: 'ListSuspense', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, suspense.view) }),
})

export const getSuspenseRoute = queryRoute({
  ...reads,
  path: '/v1/suspense/:id',
  operationId: 'getSuspense',
  summary: 'Get money in suspense',
  description: 'With its return, and who wants to write it off.',
  refusals: [404],
  answer: suspense.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindSuspense', accountId, suspenseId: id as SuspenseId }) as const,
  view: (found) => (found === null ? notFound('suspense') : { body: suspense.view(found) }),
})

export const assignSuspenseRoute = commandRoute({
  ...resolves,
  permission: 'refunds.create',
  factor: 'SESSION',
  path: '/v1/suspense/:id/assign',
  operationId: 'assignSuspense',
  summary: 'Assign money in suspense',
  description:
    'It pays the charge as if it had come for it: one of its amount is approved, and any other sends it back. Without a charge it is a deposit. The charge has to be of the same connection, from which it can be refunded.',
  refusals: [404, 409],
  body: Type.Object({
    transactionId: Type.Optional(
      orNull(idParameter('The charge that it pays, `txn_…`. Null, the default: it is a deposit of its own.')),
    ),
  }),
  read: ({ transactionId }) => ({ chargeId: (transactionId ?? null) as TransactionId | null }),
  command: (input, request) => ({
    type: 'AssignSuspense',
    ...forExisting('suspenseId', request),
    ...input,
    depositId: newId('txn', request.atMs, request.entropy),
  }),
  view: ({ state }) => ({ body: suspense.view(state) }),
})

export const returnSuspenseRoute = commandRoute({
  ...resolves,
  permission: 'refunds.create',
  factor: 'OPERATION',
  path: '/v1/suspense/:id/return',
  operationId: 'returnSuspense',
  summary: 'Return money in suspense to its payer',
  description:
    'Sends what is left of it back by the connection that it came by. It is RETURNING until the bank says that it is done; a bank that is silent is asked until it says so, and one that refuses on the next three days once more.',
  refusals: [404, 409],
  command: (_, request) => ({ type: 'ReturnSuspense', ...forExisting('suspenseId', request) }),
  view: ({ state }) => ({ body: suspense.view(state) }),
})

export const writeOffSuspenseRoute = commandRoute({
  ...resolves,
  permission: 'transfers.approve',
  factor: 'OPERATION',
  path: '/v1/suspense/:id/write-off',
  operationId: 'writeOffSuspense',
  summary: 'Write off money in suspense',
  description:
    'For money that is not at the bank any more. It takes two people who may approve transfers: the first proposes it, and the second does it by the same request. Nobody approves their own proposal; a return ends it.',
  refusals: [404, 409],
  body: Type.Object({ reason: textUpTo(bounds.reasonCharsMax, 'Why it is not there.') }),
  read: ({ reason }) => ({ reason: reason.trim() }),
  command: (input, request) => ({
    type: 'WriteOffSuspense',
    ...forExisting('suspenseId', request),
    ...input,
    standing: standingOfAsker('transfers.approve', request),
  }),
  view: ({ state }) => ({ body: suspense.view(state) }),
})
