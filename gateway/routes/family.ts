import Type, { type TSchema, type TUnsafe } from 'typebox'
import { pixOf } from '../../engine/payments/methods/pix/pix.ts'
import type { Family } from '../../engine/payments/transaction/family.ts'
import { anyTransaction } from '../../engine/payments/transaction/filters.ts'
import type { Transaction, TransactionStatus } from '../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../engine/shared/ids.ts'
import { queryRoute, type RequestContext, type Route } from '../api/route.ts'
import { bounds } from '../base/bounds.ts'
import { notFound } from '../problems/problem.ts'
import { transactionStatus } from '../resources/enumerations.ts'
import { listOfRows, listView } from '../resources/list.ts'
import { qrCodeView } from '../resources/payments/pix-charge.ts'
import type { Today } from '../resources/payments/transaction.ts'
import { detail, shownIn } from '../resources/payments/transaction-detail.ts'
import { choice, exactTextsParameter, searchParameter } from '../schema/schema.ts'
import { todayOf } from './charge-input.ts'
import { imageTypes, preferredImage } from './image-type.ts'
import { pagingParameters, readPaging } from './paging.ts'
import { qrImage, qrSize } from './qr-image.ts'
import { searchTextOf } from './search-text.ts'

/** Routes for the transactions of one family: the same object from another angle (decisions, section 1). */
export type FamilyRoutes = {
  readonly family: Family
  readonly listPath: string
  /** The path of a single one, without its `/:id`. */
  readonly path: string
  readonly operations: { readonly list: string; readonly get: string }
  readonly nouns: { readonly one: string; readonly many: string }
  /** The `resource` of a 404. */
  readonly resource: string
  readonly group: Pick<Route, 'verb' | 'tag' | 'permission' | 'product'>
  readonly row: TSchema
  readonly detail: TSchema
  readonly view: (transaction: Transaction, today: Today) => object
  /** The view of a single one, where that shows more. */
  readonly detailOf?: (transaction: Transaction, today: Today) => object
  /** Whether these transactions have QR codes. */
  readonly hasCodes: boolean
  /** The family's own statuses if it shows those instead of the transaction's: the filter's schema and the meaning of each. */
  readonly status?: TUnsafe<string>
  readonly statuses?: Readonly<Record<string, StatusFilter>>
}

/** The transaction's side of a family's status. */
export type StatusFilter = { readonly status: TransactionStatus; readonly overdue?: boolean }

/** The route that lists a family, newest first. */
export const listRoute = (of: FamilyRoutes) =>
  queryRoute({
    ...of.group,
    path: of.listPath,
    operationId: of.operations.list,
    summary: `List ${of.nouns.many}`,
    description: `Newest first. Rows leave out the history that the detail of each ${of.nouns.one} has.`,
    parameters: pagingParameters({
      status: Type.Optional(
        Type.Array(of.status ?? transactionStatus, {
          description: 'One or more statuses, separated by commas.',
        }),
      ),
      externalId: exactTextsParameter(bounds.externalIdCharsMax, 'Only those with this `externalId`.'),
      q: searchParameter('Searches ids, document, customer name and e-mail.'),
    }),
    answer: listOfRows(of.row),
    read: (query) =>
      readPaging(query, {
        ...statusesOf(of, query.status ?? []),
        externalIds: query.externalId ?? [],
        search: searchTextOf(query.q),
      }),
    query: (input, { accountId }) =>
      ({
        type: 'ListTransactions',
        accountId,
        ...anyTransaction,
        family: of.family,
        order: newestFirst,
        totals: false,
        ...input,
      }) as const,
    view: (listed, input, request) => {
      const today = todayOf(request, listed)
      return { body: listView(listed, input, (transaction) => of.view(transaction, today)) }
    },
  })

/** The route that shows one transaction of a family with its history; 404 for those of other families. */
export const getRoute = (of: FamilyRoutes) =>
  queryRoute({
    ...of.group,
    path: `${of.path}/:id`,
    operationId: of.operations.get,
    summary: `Get one ${of.nouns.one}`,
    description: `Shows the ${of.nouns.one} with its history: refunds, chargebacks, MEDs, receivables and webhooks.`,
    refusals: [404],
    ...(of.hasCodes && { parameters: Type.Object({ include: includeParameter }) }),
    answer: of.detail,
    // A route without parameters has no query.
    read: (query: { readonly include?: readonly string[] } | undefined) =>
      query?.include?.includes('qrCode') ?? false,
    query: (_, request) => findIn(of, request),
    view: (found, withImage, request) => {
      if (found === null) return notFound(of.resource)
      const { transaction } = found
      const today = todayOf(request, found)
      return {
        shows: shownIn(found, today, withImage),
        bodyOf: () =>
          Object.assign(
            (of.detailOf ?? of.view)(transaction, today),
            withImage ? qrCodeView(transaction) : {},
            detail.view(found),
          ),
      }
    },
  })

const includeParameter = Type.Optional(
  Type.Array(choice('qrCode'), { description: '`qrCode` adds the image of the QR code to the answer.' }),
)

/** The route that draws a QR code as an image. The image never changes, whatever becomes of the charge. */
export const qrCodeRoute = (of: FamilyRoutes, operationId: string) =>
  queryRoute({
    ...of.group,
    path: `${of.path}/:id/qr-code`,
    operationId,
    summary: `Get the QR code of one ${of.nouns.one}`,
    description:
      'Draws the QR code as PNG, or as SVG where `Accept` prefers it. The image of a code never changes, so it can be cached. The status says whether the code can still be paid.',
    refusals: [404],
    mediaTypes: imageTypes,
    parameters: Type.Object({ size: qrSize }),
    answer: Type.Object({}),
    read: ({ size }) => ({ ...(size !== undefined && { size }) }),
    query: (_, request) => findIn(of, request),
    view: (detail, size, { accept }) => {
      if (detail === null) return notFound(of.resource)
      const copyPaste = pixOf(detail.transaction)?.copyPaste ?? null
      if (copyPaste === null) return notFound('qr_code')
      return qrImage(copyPaste, {
        ...size,
        type: preferredImage(accept),
        name: `qr-code-${detail.transaction.id}`,
        maxAge: `${yearSeconds}, immutable`,
      })
    },
  })

const yearSeconds = 31_536_000

const findIn = ({ family }: FamilyRoutes, { accountId, id }: Pick<RequestContext, 'accountId' | 'id'>) =>
  ({ type: 'FindTransaction', accountId, transactionId: id as TransactionId, family }) as const

const newestFirst = { by: 'createdAt', isDescending: true } as const

/** `overdue` only matters if exactly one of two statuses that differ in it is wanted. */
const statusesOf = ({ statuses }: FamilyRoutes, wanted: readonly string[]) => {
  const filters = wanted.map((status) => statuses?.[status] ?? { status: status as TransactionStatus })
  const overdue = new Set(filters.flatMap((filter) => filter.overdue ?? []))
  return {
    statuses: [...new Set(filters.map(({ status }) => status))],
    overdue: overdue.size === 1 ? overdue.has(true) : null,
  }
}
