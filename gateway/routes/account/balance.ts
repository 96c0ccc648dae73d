import Type, { type Static } from 'typebox'
import { addDays, type CalendarDate } from '../../../engine/shared/calendar.ts'
import { queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { unavailable } from '../../problems/problem.ts'
import { balance } from '../../resources/account/balance.ts'
import { statement, statementCsv } from '../../resources/account/statement.ts'
import { statementOfx } from '../../resources/account/statement-ofx.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { csvPiece, dialectParameter, withDialect } from '../csv-dialect.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { nextPlace, readPlace } from '../place.ts'

const reads = { tag: 'Balance', product: null, verb: 'GET', permission: 'balance.read' } as const

export const getBalanceRoute = queryRoute({
  ...reads,
  path: '/v1/balance',
  operationId: 'getBalance',
  summary: 'Get the balance',
  description: 'What is there, what of it can be sent, and what is set aside or expected.',
  answer: balance.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: balance.view(found.account, found.nowMs) }),
})

const parameters = pagingParameters({})
const { page: _, pageSize: __, asOf: ___, ...exported } = parameters.properties

/** A statement of too many days is refused; a day that is left out is chosen by the engine. */
const readPeriod = (query: Static<typeof parameters>) => {
  const { from, to } = query as { readonly from?: CalendarDate; readonly to?: CalendarDate }
  const days = bounds.statementDaysMax - 1
  if (from !== undefined && to !== undefined && (to < from || to > addDays(from, days)))
    return refusedField('query.to', 'OUT_OF_RANGE', (say) => say.daysFrom('query.to', 'from', days))
  return readPaging(query, {})
}

const ofPeriod = `At most ${bounds.statementDaysMax} days; by default the last month.`

export const getStatementRoute = queryRoute({
  ...reads,
  path: '/v1/statement',
  operationId: 'getStatement',
  summary: 'Get the statement',
  description: `Every change of the available balance in reais, newest first, by day with opening and closing balance. ${ofPeriod} After a reset of the Sandbox’s clock days are lived again: their lines are in the order of the clock, each with the balance when it was booked.`,
  parameters,
  answer: statement.schema,
  read: readPeriod,
  query: (input, { accountId }) => ({ type: 'ReadStatement', accountId, ...input }) as const,
  view: (page, input) => ({ body: statement.view(page, input) }),
})

const formats = ['csv', 'ofx'] as const

export const exportStatementRoute = queryRoute({
  ...reads,
  path: '/v1/statement/export',
  operationId: 'exportStatement',
  summary: 'Export the statement as CSV or OFX',
  description: `The lines of the statement, newest first. \`format=csv\`, the default: RFC 4180 in UTF-8; amounts in centavos, times in UTC. \`format=ofx\`: OFX 1.0.2 in Windows-1252, as accounting software in Brazil imports it; amounts in reais with a point, times in the company’s zone with its distance from UTC, and the closing balance. \`FITID\` is the same whenever a line is exported. ${ofPeriod}`,
  isExport: true,
  mediaTypes: ['text/csv', 'application/x-ofx'],
  parameters: Type.Object({
    ...exported,
    ...dialectParameter,
    format: Type.Optional(described(choice(...formats), 'What the file is; `dialect` is about CSV alone.')),
  }),
  answer: Type.Object({}),
  read: (query) => {
    const read = withDialect(readPeriod(query), query)
    return read.ok ? { ok: true, input: { ...read.input, format: query.format ?? 'csv' } } : read
  },
  query: ({ dialect: _, format: __, ...input }, { accountId, cursor }) => ({
    type: 'ReadStatement',
    accountId,
    ...input,
    ...readPlace(cursor),
    pageSize: bounds.auditPieceRows,
  }),
  view: (page, { dialect, format }, request) => {
    const { cursor, company } = request
    const next = nextPlace(cursor, page, bounds.auditPieceRows)
    const fileName = `statement_${page.from}_${page.to}.${format}`
    if (format === 'csv') {
      const piece = csvPiece(statementCsv, [page], dialect, request)
      return { piece, next, contentType: 'text/csv; charset=utf-8', fileName }
    }
    const piece = statementOfx(page, company, { isFirst: cursor === null, isLast: next === null })
    return { piece, next, contentType: 'application/x-ofx', fileName }
  },
})
