import Type from 'typebox'
import type { ChargebackId } from '../../../../engine/shared/ids.ts'
import { commandRoute, queryRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { chargebackStatus } from '../../../resources/enumerations.ts'
import { listOfRows, listView } from '../../../resources/list.ts'
import { chargeback, chargebackOf } from '../../../resources/payments/chargeback.ts'
import { idParameter, oneOrMore, textUpTo } from '../../../schema/schema.ts'
import { cardReads } from '../../groups.ts'
import { pagingParameters, readPaging } from '../../paging.ts'

export const listChargebacksRoute = queryRoute({
  ...cardReads,
  path: '/v1/cards/chargebacks',
  operationId: 'listChargebacks',
  summary: 'List chargebacks',
  description: 'Lists the payments that cardholders contest, newest first.',
  parameters: pagingParameters({
    status: oneOrMore(chargebackStatus),
    transactionId: Type.Optional(idParameter('Only those of this transaction.')),
  }),
  answer: listOfRows(chargeback.schema),
  read: (query) =>
    readPaging(query, { statuses: query.status ?? [], transactionId: query.transactionId ?? null }),
  query: (input, { accountId }) => ({ type: 'ListChargebacks', accountId, ...input }) as const,
  view: (listed, input) => ({
    body: listView(listed, input, (found) => chargeback.view(found.chargeback, found.transaction)),
  }),
})

export const disputeChargebackRoute = commandRoute({
  verb: 'POST',
  path: '/v1/cards/chargebacks/:id/dispute',
  operationId: 'disputeChargeback',
  summary: 'Send a defense to a chargeback',
  description:
    'Sends the defense. Possible once, until `defenseDueAt`. In Sandbox a text that contains `winning_evidence` wins after 5 seconds and one that contains `losing_evidence` loses; any other waits to be resolved.',
  tag: 'Card',
  permission: 'charges.create',
  product: 'CARD',
  refusals: [404, 409],
  body: Type.Object({
    text: textUpTo(bounds.defenseCharsMax, 'The defense.', { multiline: true, min: bounds.defenseCharsMin }),
  }),
  answer: chargeback.schema,
  read: (body) => ({ text: body.text.trim() }),
  command: ({ text }, { accountId, by, id }) => ({
    type: 'DisputeChargeback',
    accountId,
    by,
    reversalId: id as ChargebackId,
    text,
  }),
  view: ({ state, reversalId }) => ({ body: chargebackOf(state, reversalId) }),
})
