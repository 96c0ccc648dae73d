import Type from 'typebox'
import { reconciliationStatuses } from '../../../engine/reconciliation/reconciliation.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { ReconciliationId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { notFound } from '../../problems/problem.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import {
  differencesCsv,
  reconciliation,
  reconciliationDetail,
} from '../../resources/reconciliation/reconciliation.ts'
import { choice, exactParameter, oneOrMore, textUpTo } from '../../schema/schema.ts'
import { forExisting } from '../command-target.ts'
import { csvPiece, dialectParameter } from '../csv-dialect.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const ofReconciliation = { tag: 'Reconciliation', product: null } as const
const reads = { ...ofReconciliation, verb: 'GET', permission: 'balance.read', isForPeople: true } as const

export const listReconciliationsRoute = queryRoute({
  ...reads,
  path: '/v1/reconciliations',
  operationId: 'listReconciliations',
  summary: 'List reconciliations',
  description:
    'The days of each connection whose books were compared, the newest comparison first. Each day is compared at 03:10 of the next one.',
  parameters: pagingParameters({
    status: oneOrMore(choice(...reconciliationStatuses)),
    connectionId: exactParameter(30, 'Only those of this connection, `con_…`.'),
    date: Type.Optional(
      Type.String({ format: 'date', description: 'Only this day, in the company’s time zone.' }),
    ),
  }),
  answer: listOfRows(reconciliation.schema),
  read: (query) =>
    readPaging(query, {
      statuses: query.status ?? [],
      connectionId: query.connectionId ?? null,
      date: (query.date as CalendarDate | undefined) ?? null,
    }),
  query: (input, { accountId }) => ({ type: 'ListReconciliations', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, reconciliation.view) }),
})

const findOne = (_: unknown, { accountId, id }: RequestContext) =>
  ({ type: 'FindReconciliation', accountId, reconciliationId: id as ReconciliationId }) as const

export const getReconciliationRoute = queryRoute({
  ...reads,
  path: '/v1/reconciliations/:id',
  operationId: 'getReconciliation',
  summary: 'Get one reconciliation',
  description: 'With what differs.',
  refusals: [404],
  answer: reconciliationDetail.schema,
  query: findOne,
  view: (found) => (found === null ? notFound('reconciliation') : { body: reconciliationDetail.view(found) }),
})

export const exportReconciliationRoute = queryRoute({
  ...reads,
  path: '/v1/reconciliations/:id/export',
  operationId: 'exportReconciliation',
  summary: 'Export the differences of a day as CSV',
  description: 'One line for each difference: RFC 4180 in UTF-8; amounts in centavos.',
  isExport: true,
  refusals: [404],
  mediaTypes: ['text/csv'],
  parameters: Type.Object(dialectParameter),
  answer: Type.Object({}),
  read: ({ dialect = 'rfc4180' }) => ({ dialect }),
  query: findOne,
  view: (found, { dialect }, request) =>
    found === null
      ? notFound('reconciliation')
      : {
          piece: csvPiece(differencesCsv, found.differences, dialect, request),
          next: null,
          contentType: 'text/csv; charset=utf-8',
          fileName: `reconciliation_${found.date}.csv`,
        },
})

export const acceptReconciliationRoute = commandRoute({
  ...ofReconciliation,
  verb: 'POST',
  permission: 'transfers.approve',
  isForPeople: true,
  factor: 'SESSION',
  idempotent: true,
  path: '/v1/reconciliations/:id/accept',
  operationId: 'acceptReconciliation',
  summary: 'Accept the differences of a day',
  description:
    'Says why the books may differ: alerts about the day end. Nothing is booked. Where other payments differ later, it counts as different once more.',
  refusals: [404, 409],
  body: Type.Object({ reason: textUpTo(bounds.reasonCharsMax, 'Why they may differ.') }),
  answer: reconciliationDetail.schema,
  read: ({ reason }) => ({ reason: reason.trim() }),
  command: (input, request) => ({
    type: 'AcceptDifference',
    ...forExisting('reconciliationId', request),
    ...input,
  }),
  view: ({ state }) => ({ body: reconciliationDetail.view(state) }),
})
