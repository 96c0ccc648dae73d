import Type, { type Static } from 'typebox'
import type { CreateTransfer } from '../../../engine/money-out/commands.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { BeneficiaryId, KeyLookupId, TransferId } from '../../../engine/shared/ids.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import { commandRoute, queryRoute, type Read, type RequestContext } from '../../api/route.ts'
import { limits } from '../../base/limits.ts'
import { notFound } from '../../problems/problem.ts'
import { flag } from '../../resources/fields.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import {
  outgoingKind,
  outgoingStatus,
  transferCsvHead,
  transferCsvRows,
  transferResource,
  transferView,
} from '../../resources/money-out/transfer.ts'
import { transferPreview, transferPreviewView } from '../../resources/money-out/transfer-preview.ts'
import { readDetails } from '../../resources/payments/charge-details.ts'
import { exactlyOneOf } from '../../schema/rules.ts'
import {
  amount,
  amountParameter,
  exactParameter,
  idParameter,
  metadata,
  oneOrMore,
  searchParameter,
  text,
} from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forExisting, forNew } from '../command-target.ts'
import { decider, otherApprovers } from '../others-who.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { nextPlace, readPlace } from '../place.ts'

const ofTransfers = { tag: 'Transfers', product: null } as const
const reads = { ...ofTransfers, verb: 'GET', permission: 'balance.read' } as const
const creates = { ...ofTransfers, verb: 'POST', permission: 'transfers.create' } as const
const approves = { ...ofTransfers, verb: 'POST', permission: 'transfers.approve' } as const

const body = Type.Object(
  {
    kind: outgoingKind,
    amount: amount(limits.amountCentsMax, 'What the payee gets.'),
    beneficiaryId: Type.Optional(idParameter('A registered beneficiary.')),
    lookupId: Type.Optional(idParameter('Or a look-up of a PIX key, which only you can use, and once.')),
    scheduledFor: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'On which day, up to a year ahead; today is at once. A PIX runs at 08:00, a TED on the next business day at 06:30.',
      }),
    ),
    description: Type.Optional(text(limits.descriptionCharsMax, 'What the payee reads.')),
    externalId: Type.Optional(text(limits.externalIdCharsMax, 'Your own identifier.')),
    metadata: Type.Optional(metadata),
    allowDuplicate: Type.Optional(
      flag('True: the same amount was sent to the same payee within ten minutes, and is meant.'),
    ),
  },
  { examples: [{ kind: 'PIX', amount: 15000, beneficiaryId: 'ben_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] },
)

/** A transfer as its body means it. The order of keys is fixed, because fingerprints cover them. */
type TransferInput = Pick<
  CreateTransfer,
  | 'kind'
  | 'amountCents'
  | 'to'
  | 'scheduledFor'
  | 'description'
  | 'externalId'
  | 'metadata'
  | 'allowDuplicate'
>

const readTransfer = (sent: Static<typeof body>): Read<TransferInput> => {
  const { beneficiaryId, lookupId } = sent
  if (beneficiaryId !== undefined && lookupId !== undefined)
    return refusedField('lookupId', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('beneficiaryId', 'lookupId'))
  if (beneficiaryId === undefined && lookupId === undefined)
    return refusedField('beneficiaryId', 'REQUIRED', (say) => say.oneOfTwo('beneficiaryId', 'lookupId'))
  const { description, externalId, metadata } = readDetails(sent)
  return {
    ok: true,
    input: {
      kind: sent.kind,
      amountCents: toCents(Number(sent.amount)),
      to:
        beneficiaryId === undefined
          ? { lookupId: lookupId as KeyLookupId }
          : { beneficiaryId: beneficiaryId as BeneficiaryId },
      scheduledFor: (sent.scheduledFor as CalendarDate | undefined) ?? null,
      description,
      externalId,
      metadata,
      allowDuplicate: sent.allowDuplicate ?? false,
    },
  }
}

const creating = (input: TransferInput, request: RequestContext): CreateTransfer => ({
  type: 'CreateTransfer',
  ...forNew('outgoingTransferId', request),
  ...input,
  othersCount: otherApprovers(request),
  ownDocument: request.company.document,
})

export const previewTransfer = commandRoute({
  ...creates,
  path: '/v1/transfers/preview',
  operationId: 'previewTransfer',
  summary: 'Preview a transfer',
  description:
    'What creating it would come to, decided by the same rules: who gets it, what it costs, when it runs, who has to approve it. What would be refused is refused here, too. Nothing is done.',
  isAudited: false,
  refusals: [409, 422, 503],
  rules: exactlyOneOf('beneficiaryId', 'lookupId'),
  body,
  answer: transferPreview,
  read: readTransfer,
  command: (input: TransferInput, request) => ({ ...creating(input, request), isPreview: true }),
  view: (reply) => ({ body: transferPreviewView(reply) }),
})

export const createTransfer = commandRoute({
  ...creates,
  factor: 'OPERATION',
  path: '/v1/transfers',
  operationId: 'createTransfer',
  summary: 'Create a transfer',
  description:
    'Sends money by PIX or TED. Its money is set aside in the moment in which it begins, so that two transfers never spend the same. Where the approval policy asks for it, other people approve it first.',
  status: 201,
  idempotent: true,
  refusals: [409, 422, 503],
  rules: exactlyOneOf('beneficiaryId', 'lookupId'),
  body,
  answer: transferResource,
  read: readTransfer,
  command: (input: TransferInput, request) => creating(input, request),
  view: ({ state }, _, { personal }) => ({
    location: `/v1/transfers/${state.id}`,
    body: transferView(state, personal.open),
  }),
})

const filters = {
  status: oneOrMore(outgoingStatus),
  kind: oneOrMore(outgoingKind),
  beneficiaryId: exactParameter(limits.idCharsMax, 'Only those to this beneficiary.'),
  createdBy: exactParameter(limits.idCharsMax, 'Only those of this person, `per_…`.'),
  q: searchParameter('Searches payee, document, PIX key, id, external id and end-to-end id.'),
  minAmount: Type.Optional(amountParameter('The least `amount`.', { max: limits.amountCentsMax })),
  maxAmount: Type.Optional(amountParameter('The largest `amount`.', { max: limits.amountCentsMax })),
}
const parameters = pagingParameters(filters)
const { page: _, pageSize: __, asOf: ___, ...exported } = parameters.properties

const readFilters = (query: Static<typeof parameters>) =>
  readPaging(query, {
    statuses: query.status ?? [],
    kinds: query.kind ?? [],
    beneficiary: query.beneficiaryId ?? null,
    createdBy: query.createdBy ?? null,
    search: query.q?.trim() ?? null,
    minCents: centsOrNull(query.minAmount),
    maxCents: centsOrNull(query.maxAmount),
  })

const centsOrNull = (value: number | undefined): Cents | null => (value === undefined ? null : toCents(value))

export const listTransfers = queryRoute({
  ...reads,
  path: '/v1/transfers',
  operationId: 'listTransfers',
  summary: 'List transfers',
  description: 'Newest first.',
  parameters,
  answer: listOfRows(transferResource),
  read: readFilters,
  query: (input, { accountId }) => ({ type: 'ListOutgoingTransfers', accountId, ...input }) as const,
  view: (listed, input, { personal }) => ({
    body: listView(listed, input, (transfer) => transferView(transfer, personal.open)),
  }),
})

export const exportTransfers = queryRoute({
  ...reads,
  permission: 'transactions.export',
  isForPeople: true,
  path: '/v1/transfers/export',
  operationId: 'exportTransfers',
  summary: 'Export transfers as CSV',
  description:
    'Takes the filters of the list, newest first. RFC 4180 in UTF-8; amounts in centavos, times in UTC. A text that a spreadsheet would take for a formula begins with an apostrophe.',
  isExport: true,
  mediaTypes: ['text/csv'],
  parameters: Type.Object(exported),
  answer: Type.Object({}),
  read: readFilters,
  query: (input, { accountId, cursor }) => ({
    type: 'ListOutgoingTransfers',
    accountId,
    ...input,
    ...readPlace(cursor),
    pageSize: limits.auditPieceRows,
  }),
  view: (listed, { from, to }, { cursor }) => {
    const text = transferCsvRows(listed.rows)
    return {
      piece: Buffer.from(cursor === null ? transferCsvHead + text : text),
      next: nextPlace(cursor, listed, limits.auditPieceRows),
      contentType: 'text/csv; charset=utf-8',
      fileName: `transfers_${from ?? 'all'}_${to ?? 'now'}.csv`,
    }
  },
})

export const getTransfer = queryRoute({
  ...reads,
  path: '/v1/transfers/:id',
  operationId: 'getTransfer',
  summary: 'Get one transfer',
  description: 'With who approved it, and what became of it.',
  refusals: [404],
  answer: transferResource,
  query: (_, { accountId, id }) =>
    ({ type: 'FindOutgoingTransfer', accountId, outgoingTransferId: id as TransferId }) as const,
  view: (found, _, { personal }) =>
    found === null ? notFound('transfer') : { body: transferView(found, personal.open) },
})

export const approveTransfer = commandRoute({
  ...approves,
  factor: 'OPERATION',
  path: '/v1/transfers/:id/approve',
  operationId: 'approveTransfer',
  summary: 'Approve a transfer',
  description:
    'Each person once, and never their own, with a role that was there before the transfer or that a second person has confirmed. The last approval that it needs sends it, if it is time: where balance or limits do not allow it, the approval is refused, and it waits on.',
  refusals: [404, 409, 422],
  answer: transferResource,
  command: (_, request) => ({
    type: 'ApproveTransfer',
    ...forExisting('outgoingTransferId', request),
    ...decider(request),
  }),
  view: ({ state }, _, { personal }) => ({ body: transferView(state, personal.open) }),
})

export const rejectTransfer = commandRoute({
  ...approves,
  factor: 'SESSION',
  path: '/v1/transfers/:id/reject',
  operationId: 'rejectTransfer',
  summary: 'Reject a transfer',
  description: 'One person is enough: it is cancelled.',
  refusals: [404, 409],
  body: Type.Object({ reason: text(limits.reasonCharsMax, 'Why, for whoever asked for it.') }),
  answer: transferResource,
  read: ({ reason }) => reason.trim(),
  command: (reason, request) => ({
    type: 'RejectTransfer',
    ...forExisting('outgoingTransferId', request),
    ...decider(request),
    reason,
  }),
  view: ({ state }, _, { personal }) => ({ body: transferView(state, personal.open) }),
})

/** Every role that creates transfers approves them, too, so that this permission lets in both (dashboard, section 2.7). */
export const cancelTransfer = commandRoute({
  ...creates,
  factor: 'SESSION',
  path: '/v1/transfers/:id/cancel',
  operationId: 'cancelTransfer',
  summary: 'Cancel a transfer',
  description: 'As long as it waits for approval or for its time.',
  refusals: [404, 409],
  answer: transferResource,
  command: (_, request) => ({ type: 'CancelTransfer', ...forExisting('outgoingTransferId', request) }),
  view: ({ state }, _, { personal }) => ({ body: transferView(state, personal.open) }),
})
