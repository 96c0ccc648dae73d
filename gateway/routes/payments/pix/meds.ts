import Type from 'typebox'
import type { MedId } from '../../../../engine/shared/ids.ts'
import { commandRoute, queryRoute } from '../../../api/route.ts'
import { listOfRows, listView } from '../../../resources/list.ts'
import { med, medOf, medStatus } from '../../../resources/payments/med.ts'
import { idParameter, oneOrMore } from '../../../schema/schema.ts'
import { pixReads } from '../../groups.ts'
import { pagingParameters, readPaging } from '../../paging.ts'
import { readStatement, statementInput } from './evidence.ts'

const answers = {
  verb: 'POST',
  tag: 'PIX',
  product: 'PIX',
  permission: 'disputes.manage',
  refusals: [404, 409, 422],
  body: statementInput,
  answer: med.schema,
  isAudited: true,
  read: readStatement,
} as const

export const listMedsRoute = queryRoute({
  ...pixReads,
  path: '/v1/meds',
  operationId: 'listMeds',
  summary: 'List MEDs',
  description: 'Lists the PIX that payers’ banks contest, newest first.',
  parameters: pagingParameters({
    status: oneOrMore(medStatus),
    transactionId: Type.Optional(idParameter('Only those of this transaction.')),
  }),
  answer: listOfRows(med.schema),
  read: (query) =>
    readPaging(query, { statuses: query.status ?? [], transactionId: query.transactionId ?? null }),
  query: (input, { accountId }) => ({ type: 'ListMeds', accountId, ...input }) as const,
  view: (listed, input) => ({
    body: listView(listed, input, (found) => med.view(found.med, found.transaction)),
  }),
})

export const defendMedRoute = commandRoute({
  ...answers,
  path: '/v1/meds/:id/defend',
  operationId: 'defendMed',
  summary: 'Answer an open MED',
  description:
    'Says, with text and files, why the payment is yours. Possible once, while the MED is open. In Sandbox a text that contains `winning_evidence` has it rejected after 5 seconds and one that contains `losing_evidence` accepted; any other waits. In Production it goes to the bank of the payment: one that takes no defence, and files where it takes text alone, are refused with 422 NOT_OFFERED_BY_PROVIDER, and nothing is stored.',
  command: ({ text, files }, { accountId, by, id }) => ({
    type: 'DefendMed',
    accountId,
    by,
    reversalId: id as MedId,
    text,
    files,
  }),
  view: ({ state, reversalId }) => ({ body: medOf(state, reversalId) }),
})

export const contestMedRoute = commandRoute({
  ...answers,
  path: '/v1/meds/:id/contest',
  operationId: 'contestMed',
  summary: 'Contest what a MED returned',
  description:
    'Asks for the money back, with text and files. Possible once, until `contestUntil`. A contest that is won credits what was returned, with a line of its own in the statement. In Sandbox a text that contains `winning_evidence` wins after 5 seconds and one that contains `losing_evidence` loses; any other waits to be resolved. In Production a bank that takes no contest is refused with 422 NOT_OFFERED_BY_PROVIDER.',
  command: ({ text, files }, { accountId, by, id }) => ({
    type: 'ContestMed',
    accountId,
    by,
    reversalId: id as MedId,
    text,
    files,
  }),
  view: ({ state, reversalId }) => ({ body: medOf(state, reversalId) }),
})
