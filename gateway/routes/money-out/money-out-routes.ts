import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Step } from '../../../engine/kernel/step.ts'
import type { MoneyOutKind } from '../../../engine/money-out/asked.ts'
import type { CreateTransfer, CreateWithdrawal } from '../../../engine/money-out/commands.ts'
import type { MoneyOut } from '../../../engine/money-out/money-out.ts'
import type { ListMoneyOut, ToldMoneyOut } from '../../../engine/money-out/queries.ts'
import type { MoneyOutTarget } from '../../../engine/money-out/target.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { commandRoute, queryRoute, type Read, type RequestContext, type Route } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { notFound } from '../../problems/problem.ts'
import type { CsvOfRows } from '../../resources/csv-format.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { textUpTo } from '../../schema/schema.ts'
import { csvPiece, dialectParameter, withDialect } from '../csv-dialect.ts'
import { decider } from '../others-who.ts'
import { readPaging } from '../paging.ts'
import { nextPlace, readPlace } from '../place.ts'
import { type Receipt, receiptAnswer } from '../receipt.ts'
import { searchTextOf } from '../search-text.ts'

/** One kind of money out, as its routes and the document have it: transfers, or withdrawals of stablecoins. */
export type MoneyOutRoutes<Out extends MoneyOut> = {
  readonly kind: MoneyOutKind
  readonly path: string
  readonly group: Pick<Route, 'tag' | 'product'>
  /** Every role that may create may approve, so cancelling under this admits both (dashboard, section 2.7). */
  readonly permission: Route['permission']
  /** The noun in the names of operations: `createTransfer`. */
  readonly noun: string
  readonly texts: {
    readonly one: string
    readonly many: string
    /** Summary and description of creating one. */
    readonly create: readonly [string, string]
    /** Descriptions that differ between the kinds. */
    readonly preview: string
    readonly export: string
    readonly approve: string
    readonly cancel: string
    readonly receipt: string
  }
  readonly approvalRefusals: readonly number[]
  /** The `resource` of a 404. */
  readonly resource: string
  readonly answer: Shown<[out: Out, open: OpenPersonal]>
  /** The same with its history. */
  readonly detail: Shown<[found: ToldMoneyOut, open: OpenPersonal]>
  /** What would become of it, with the steps that it would take. */
  readonly preview: Shown<[out: Out, steps: readonly Step[]]>
  readonly targetOf: (id: string) => MoneyOutTarget
  readonly receiptOf: (out: Out) => Receipt
  readonly csv: CsvOfRows<Out>
}

/** A resource: its schema and its view. */
type Shown<Of extends readonly unknown[]> = {
  readonly schema: TSchema
  readonly view: (...of: Of) => object
}

/** The body of a request to create money out, and its meaning. */
type Creation<Body extends TObject, Input> = {
  readonly body: Body
  readonly rules?: object
  readonly read: (body: Static<Body>) => Read<Input>
  readonly command: (input: Input, request: RequestContext) => CreateTransfer | CreateWithdrawal
}

/** The parameters of a list, and their meaning. */
type Listing<Parameters extends TObject> = {
  readonly parameters: Parameters
  readonly read: (query: Static<Parameters>) => Read<Omit<ListMoneyOut, 'type' | 'accountId' | 'kind'>>
}

/** A kind that is not known statically: its commands and queries return states of that kind. */
type AnyKind = MoneyOutRoutes<MoneyOut>

/** The routes of one kind, in the order of the document. */
export const moneyOutRoutes = <Out extends MoneyOut, Body extends TObject, Input, Parameters extends TObject>(
  kind: MoneyOutRoutes<Out>,
  creation: Creation<Body, Input>,
  listing: Listing<Parameters>,
) => {
  const of = kind as unknown as AnyKind
  return {
    preview: previewRoute(of, creation),
    create: createRoute(of, creation),
    list: listRoute(of, listing),
    export: exportRoute(of, listing),
    get: getRoute(of),
    approve: approveRoute(of),
    reject: rejectRoute(of),
    cancel: cancelRoute(of),
    receipt: receiptRoute(of),
  }
}

const previewRoute = <Body extends TObject, Input>(of: AnyKind, creation: Creation<Body, Input>) =>
  commandRoute({
    ...posts(of),
    ...creation,
    path: `${of.path}/preview`,
    operationId: `preview${of.noun}`,
    summary: `Preview ${of.texts.one}`,
    description: of.texts.preview,
    isAudited: false,
    refusals: [409, 422, 503],
    answer: of.preview.schema,
    command: (input: Input, request) => ({ ...creation.command(input, request), isPreview: true }),
    view: ({ state, steps }) => ({ body: of.preview.view(state, steps) }),
  })

const createRoute = <Body extends TObject, Input>(of: AnyKind, creation: Creation<Body, Input>) =>
  commandRoute({
    ...posts(of),
    ...creation,
    factor: 'OPERATION',
    path: of.path,
    operationId: `create${of.noun}`,
    summary: of.texts.create[0],
    description: of.texts.create[1],
    status: 201,
    idempotent: true,
    refusals: [409, 422, 503],
    answer: of.answer.schema,
    view: ({ state }, _, request) => ({ location: `${of.path}/${state.id}`, ...shown(of, state, request) }),
  })

const listRoute = <Parameters extends TObject>(of: AnyKind, listing: Listing<Parameters>) =>
  queryRoute({
    ...reads(of),
    ...listing,
    path: of.path,
    operationId: `list${of.noun}s`,
    summary: `List ${of.texts.many}`,
    description: 'Newest first.',
    answer: listOfRows(of.answer.schema),
    query: (input, { accountId }) => ({ type: 'ListMoneyOut', accountId, kind: of.kind, ...input }) as const,
    view: (listed, input, { personal }) => ({
      body: listView(listed, input, (out) => of.answer.view(out, personal.open)),
    }),
  })

const exportRoute = <Parameters extends TObject>(of: AnyKind, { parameters, read }: Listing<Parameters>) => {
  const { page: _, pageSize: __, asOf: ___, ...exported } = parameters.properties
  return queryRoute({
    ...reads(of),
    permission: 'transactions.export',
    isForPeople: true,
    path: `${of.path}/export`,
    operationId: `export${of.noun}s`,
    summary: `Export ${of.texts.many} as CSV`,
    description: `Takes the filters of the list, newest first. RFC 4180 in UTF-8; ${of.texts.export}. A text that a spreadsheet would take for a formula begins with an apostrophe.`,
    isExport: true,
    mediaTypes: ['text/csv'],
    parameters: Type.Object({ ...exported, ...dialectParameter }),
    answer: Type.Object({}),
    read: (query) => withDialect(read(query as Static<Parameters>), query),
    query: ({ dialect: _, ...input }, { accountId, cursor }) => ({
      type: 'ListMoneyOut',
      accountId,
      kind: of.kind,
      ...input,
      ...readPlace(cursor),
      pageSize: bounds.auditPieceRows,
    }),
    view: (listed, { from, to, dialect }, request) => {
      return {
        piece: csvPiece(of.csv, listed.rows, dialect, request),
        next: nextPlace(request.cursor, listed, bounds.auditPieceRows),
        contentType: 'text/csv; charset=utf-8',
        fileName: `${of.kind}s_${from ?? 'all'}_${to ?? 'now'}.csv`,
      }
    },
  })
}

const getRoute = (of: AnyKind) =>
  queryRoute({
    ...reads(of),
    path: `${of.path}/:id`,
    operationId: `get${of.noun}`,
    summary: `Get one ${of.texts.one.replace(/^a /, '')}`,
    description: 'With who approved it, and in `events` what became of it.',
    refusals: [404],
    answer: of.detail.schema,
    query: (_, request) => findIn(of, request),
    view: (found, _, { personal }) =>
      found === null ? notFound(of.resource) : { body: of.detail.view(found, personal.open) },
  })

const approveRoute = (of: AnyKind) =>
  commandRoute({
    ...deciding(of, 'approve'),
    permission: 'transfers.approve',
    factor: 'OPERATION',
    description: of.texts.approve,
    refusals: of.approvalRefusals,
    command: (_, request) =>
      ({ type: 'ApproveMoneyOut', ...about(of, request), ...decider(request) }) as const,
    view: ({ state }, _, request) => shown(of, state, request),
  })

const rejectRoute = (of: AnyKind) =>
  commandRoute({
    ...deciding(of, 'reject'),
    permission: 'transfers.approve',
    factor: 'SESSION',
    description: 'One person is enough: it is cancelled.',
    refusals: [404, 409],
    body: Type.Object({ reason: textUpTo(bounds.reasonCharsMax, 'Why, for the requester.') }),
    read: ({ reason }) => reason.trim(),
    command: (reason, request) =>
      ({ type: 'RejectMoneyOut', ...about(of, request), ...decider(request), reason }) as const,
    view: ({ state }, _, request) => shown(of, state, request),
  })

const cancelRoute = (of: AnyKind) =>
  commandRoute({
    ...deciding(of, 'cancel'),
    factor: 'SESSION',
    description: of.texts.cancel,
    refusals: [404, 409],
    command: (_, request) => ({ type: 'CancelMoneyOut', ...about(of, request) }) as const,
    view: ({ state }, _, request) => shown(of, state, request),
  })

const deciding = (of: AnyKind, verb: 'approve' | 'reject' | 'cancel') => ({
  ...posts(of),
  path: `${of.path}/:id/${verb}`,
  operationId: `${verb}${of.noun}`,
  summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} ${of.texts.one}`,
  answer: of.answer.schema,
})

const receiptRoute = (of: AnyKind) =>
  queryRoute({
    ...reads(of),
    isAudited: true,
    path: `${of.path}/:id/receipt`,
    operationId: `get${of.noun}Receipt`,
    summary: `Get the receipt of ${of.texts.one}`,
    description: of.texts.receipt,
    refusals: [404, 409],
    mediaTypes: ['application/pdf'],
    answer: Type.Object({}),
    query: (_, request) => findIn(of, request),
    view: async (found, _, request) =>
      found === null ? notFound(of.resource) : receiptAnswer(found.out, request, of.receiptOf),
  })

/** The filters that every list of money out takes, as queries carry them. */
type ListingQuery = Parameters<typeof readPaging>[0] & {
  readonly createdBy?: string
  readonly q?: string
  readonly minAmount?: number
  readonly maxAmount?: number
}

/** Reads the page and the filters of a list, including labels and the payee. */
export const readListing = (
  query: ListingQuery,
  labels: readonly (readonly string[] | undefined)[],
  payeeId: string | undefined,
) =>
  readPaging(query, {
    labels: labels.map((words) => words ?? []),
    payeeId: payeeId ?? null,
    createdBy: query.createdBy ?? null,
    search: searchTextOf(query.q),
    minCents: query.minAmount === undefined ? null : toCents(query.minAmount),
    maxCents: query.maxAmount === undefined ? null : toCents(query.maxAmount),
  })

const reads = ({ group }: AnyKind) =>
  ({ ...group, verb: 'GET', permission: 'balance.read', isForPeople: true }) as const

const posts = ({ group, permission }: AnyKind) => ({ ...group, verb: 'POST', permission }) as const

const findIn = (of: AnyKind, { accountId, id }: RequestContext) =>
  ({ type: 'FindMoneyOut', accountId, ...of.targetOf(id) }) as const

const about = (of: AnyKind, { accountId, by, id }: RequestContext) => ({
  accountId,
  by,
  ...of.targetOf(id),
})

/** A kind's commands and questions answer with that kind. */
const shown = (of: AnyKind, out: MoneyOut, { personal }: RequestContext) => ({
  body: of.answer.view(out, personal.open),
})
