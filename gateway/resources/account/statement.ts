import type { Paging } from '../../../engine/kernel/query.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { type StatementLine, statementTypes } from '../../../engine/statement/line.ts'
import type { StatementPage } from '../../../engine/statement/read.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { textCell } from '../csv-cell.ts'
import { amountOf, date, instant, listOf, objectField, textOf } from '../fields.ts'
import { listFields, listView } from '../list.ts'
import { resource, same } from '../resource.ts'

const statementLine = resource<StatementLine>('StatementLine', 'A change of the balance.').with({
  at: [described(instant, 'When.'), (l) => isoInstant(l.createdAtMs)],
  type: [
    described(
      choice(...statementTypes),
      'SPLIT: shares of recipients. FEE: what a transfer costs. What is set aside has left, and comes back with a line of its own.',
    ),
    same,
  ],
  amount: [amountOf('Negative for what has left.'), (l) => String(l.cents)],
  balanceAfter: [amountOf('The available balance with it.'), same],
  objectId: [textOf('What moved it: a transaction, a settlement, a transfer.'), same],
})

const statementDay = resource<StatementPage['days'][number]>(
  'StatementDay',
  'A day on which the balance changed.',
).with({
  date: [described(date, 'The day, in the company’s time zone.'), same],
  openingBalance: [amountOf('The available balance when it began.'), (s) => String(s.openingBalance)],
  closingBalance: [
    amountOf('The same when it ended, also where this page has some of its lines only.'),
    ({ closingBalance }) => String(closingBalance),
  ],
  lines: [listOf(statementLine.schema, 'Newest first.'), ({ lines }) => lines.map(statementLine.view)],
})

const { pagination } = listFields(statementDay.schema)

/** A page of the statement (dashboard, section 2.7). */
export const statement = resource<StatementPage, [Paging]>(
  'Statement',
  'The changes of the available balance, by day, newest first.',
).with({
  ...objectField('statement'),
  from: [described(date, 'Its first day.'), same],
  to: [described(date, 'Its last day.'), same],
  openingBalance: [amountOf('The available balance when the period began.'), (s) => String(s.openingBalance)],
  closingBalance: [amountOf('The same when it ended.'), ({ closingBalance }) => String(closingBalance)],
  days: [
    listOf(statementDay.schema, 'The days of this page; those on which nothing changed are left out.'),
    ({ days }) => days.map(statementDay.view),
  ],
  pagination: [
    described(pagination, 'Where this page stands: its rows are the lines.'),
    (page, paging) => listView({ rows: [], ...page }, paging, () => ({})).pagination,
  ],
})

/** The first line of an export of the statement. */
export const statementCsvHead = 'date,at,type,amount,balanceAfter,objectId\r\n'

/** One line for each change. */
export const statementCsvRows = ({ days }: StatementPage): string =>
  days
    .flatMap(({ date, lines }) =>
      lines.map((line) => {
        const { at, type, amount, balanceAfter, objectId } = statementLine.view(line)
        return `${[date, at, type, amount, balanceAfter, textCell(objectId)].join()}\r\n`
      }),
    )
    .join('')
