import Type from 'typebox'
import type { TransactionPosition } from '../../../../engine/payments/transaction/search.ts'
import { queryRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { problem } from '../../../problems/problem.ts'
import { cellsOf } from '../../../resources/csv-format.ts'
import { csvHead } from '../../../resources/payments/transactions-csv.ts'
import { described } from '../../../schema/named-schema.ts'
import { choice } from '../../../schema/schema.ts'
import { dialectParameter, withDialect } from '../../csv-dialect.ts'
import { filterParameters, readFilters, sortParameter } from './filters.ts'

export const exportTransactionsRoute = queryRoute({
  verb: 'GET',
  path: '/v1/transactions/export',
  operationId: 'exportTransactions',
  summary: 'Export transactions as CSV',
  description:
    'Takes the filters and the order of the list. RFC 4180 in UTF-8, or as Excel opens it in Brazil. A text that a spreadsheet would take for a formula begins with an apostrophe.',
  tag: 'Transactions',
  permission: 'transactions.export',
  product: null,
  isExport: true,
  mediaTypes: ['text/csv'],
  refusals: [422],
  parameters: Type.Object({
    format: Type.Optional(described(choice('csv'), 'The format. `csv` is the only one, and the default.')),
    ...filterParameters,
    ...sortParameter,
    ...dialectParameter,
  }),
  answer: Type.Object({}),
  read: (query) => withDialect(readFilters(query), query),
  query: ({ dialect: _, ...input }, { accountId, cursor }) => ({
    type: 'ExportTransactions',
    accountId,
    ...input,
    ...(cursor === null ? start : readCursor(cursor)),
    limit: bounds.exportPieceRows,
  }),
  view: async ({ packed, next, total, asOf }, { from, to, dialect }, { company, cursor, csvOf }) => {
    if (total !== null && total > bounds.exportRowsMax) return tooLarge
    const form = { dialect, zone: company.timeZone }
    const rows = csvOf(packed, form)
    return {
      piece: cursor === null ? Buffer.concat([csvHead(cellsOf(form)), await rows]) : rows,
      next: next === null ? null : writeCursor(asOf, next),
      contentType: 'text/csv; charset=utf-8',
      fileName: `transactions_${from ?? 'all'}_${to ?? 'now'}.csv`,
    }
  },
})

const start = { asOf: null, after: null } as const

/** The journal position at which the first piece was read, and the last row of the previous piece. */
const writeCursor = (asOf: number, { at, id }: TransactionPosition): string => `${asOf} ${at} ${id}`

const readCursor = (cursor: string): { readonly asOf: number; readonly after: TransactionPosition } => {
  const [asOf, at, id] = cursor.split(' ') as [string, string, string]
  return { asOf: Number(asOf), after: { at: Number(at), id } }
}

const tooLarge = problem('EXPORT_TOO_LARGE', (say) => say.details.exportRows(bounds.exportRowsMax), {
  extra: { maxRows: bounds.exportRowsMax },
})
