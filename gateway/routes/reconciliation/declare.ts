import Type, { type Static } from 'typebox'
import type { Declaration } from '../../../engine/payments/sent-money.ts'
import { commandRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { splitTransfer } from '../../resources/marketplace/split-transfer.ts'
import { transferResource } from '../../resources/money-out/transfer.ts'
import { described } from '../../schema/named-schema.ts'
import { choice, orNull, textUpTo } from '../../schema/schema.ts'
import { forExisting } from '../command-target.ts'
import { standingOfAsker } from '../others-who.ts'

const body = Type.Object(
  {
    outcome: described(
      choice('SENT', 'NOT_SENT'),
      'SENT: the bank’s statement shows it. NOT_SENT: no statement of the days on which it may have left does.',
    ),
    endToEndId: Type.Optional(
      orNull(
        textUpTo(bounds.endToEndIdCharsMax, 'The id by which the statement names it, of one that was SENT.'),
      ),
    ),
    othersCount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000,
        description:
          'Of one that was NOT_SENT: how many other PIX of the same amount you have seen in these statements, none of which is this one. Default 0.',
      }),
    ),
    reason: textUpTo(bounds.reasonCharsMax, 'What you have seen, for the second person.'),
  },
  { examples: [{ outcome: 'NOT_SENT', reason: 'Nothing in the statements of 22 and 23 November.' }] },
)

const declares = {
  tag: 'Reconciliation',
  product: null,
  verb: 'POST',
  permission: 'transfers.approve',
  isForPeople: true,
  factor: 'OPERATION',
  refusals: [404, 409, 422],
  body,
  read: ({ outcome, endToEndId, othersCount, reason }: Static<typeof body>) => ({
    outcome,
    endToEndId: outcome === 'SENT' ? (endToEndId?.trim() ?? null) : null,
    othersCount: othersCount ?? 0,
    reason: reason.trim(),
  }),
} as const

type Declared = Declaration & { readonly othersCount: number }

const standing = (request: RequestContext) => ({ standing: standingOfAsker('transfers.approve', request) })

const twoPeople =
  'It takes two people who may approve transfers: the first says what the bank’s statements show, and the second says the same. What the bank shows later is booked all the same.'

export const declareTransferRoute = commandRoute({
  ...declares,
  path: '/v1/transfers/:id/declare',
  operationId: 'declareTransfer',
  summary: 'Declare what became of a transfer',
  description: `For a transfer with \`lostAt\`: its answer was lost, and its bank can be asked no more. ${twoPeople} SENT completes it; NOT_SENT fails it, and its money is back.`,
  answer: transferResource.schema,
  command: (input: Declared, request) => ({
    type: 'DeclareTransfer',
    ...forExisting('transferId', request),
    ...input,
    ...standing(request),
  }),
  view: ({ state }, _, { personal }) => ({ body: transferResource.view(state, personal.open) }),
})

export const declareSplitTransferRoute = commandRoute({
  ...declares,
  path: '/v1/split/transfers/:id/declare',
  operationId: 'declareSplitTransfer',
  summary: 'Declare what became of a transfer to a recipient',
  description: `The same for a transfer to a recipient with \`lostAt\`. ${twoPeople} NOT_SENT sends it once more on the next business day.`,
  answer: splitTransfer.schema,
  command: (input: Declared, request) => ({
    type: 'DeclarePayout',
    ...forExisting('splitTransferId', request),
    ...input,
    ...standing(request),
  }),
  view: ({ state }) => ({ body: splitTransfer.view(state) }),
})
