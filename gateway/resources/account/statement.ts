import type { Static } from 'typebox'
import type { Paging } from '../../../engine/kernel/query.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { type StatementLine, statementTypes } from '../../../engine/statement/line.ts'
import type { StatementPage } from '../../../engine/statement/read.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { textCell } from '../csv-cell.ts'
import { amountOf, date, enumeration, instant, listOf, objectName, textOf } from '../fields.ts'
import { listFields, listView } from '../list.ts'

const statementLine = namedObject('StatementLine', 'A change of the balance.', {
  at: described(instant, 'When.'),
  type: described(
    enumeration(...statementTypes),
    'SPLIT: shares of recipients. FEE: what a transfer costs. What is set aside has left, and comes back with a line of its own.',
  ),
  amount: amountOf('Negative for what has left.'),
  balanceAfter: amountOf('The available balance with it.'),
  objectId: textOf('What moved it: a transaction, a settlement, a transfer.'),
})

const statementDay = namedObject('StatementDay', 'A day on which the balance changed.', {
  date: described(date, 'The day, in the company’s time zone.'),
  openingBalance: amountOf('The available balance when it began.'),
  closingBalance: amountOf('The same when it ended, also where this page has some of its lines only.'),
  lines: listOf(statementLine, 'Newest first.'),
})

const { pagination } = listFields(statementDay)

/** A page of the statement (dashboard, section 2.7). */
export const statement = namedObject(
  'Statement',
  'The changes of the available balance, by day, newest first.',
  {
    object: objectName('statement'),
    from: described(date, 'Its first day.'),
    to: described(date, 'Its last day.'),
    openingBalance: amountOf('The available balance when the period began.'),
    closingBalance: amountOf('The same when it ended.'),
    days: listOf(statementDay, 'The days of this page; those on which nothing changed are left out.'),
    pagination: described(pagination, 'Where this page stands: its rows are the lines.'),
  },
)

/** A page of lines as answers show it. */
export const statementView = (page: StatementPage, paging: Paging): Static<typeof statement> => ({
  object: 'statement',
  from: page.from,
  to: page.to,
  openingBalance: String(page.openingBalance),
  closingBalance: String(page.closingBalance),
  days: page.days.map(({ date, openingBalance, closingBalance, lines }) => ({
    date,
    openingBalance: String(openingBalance),
    closingBalance: String(closingBalance),
    lines: lines.map(lineView),
  })),
  pagination: listView({ rows: [], ...page }, paging, () => ({})).pagination,
})

const lineView = (line: StatementLine): Static<typeof statementLine> => ({
  at: isoInstant(line.createdAtMs),
  type: line.type,
  amount: String(line.cents),
  balanceAfter: line.balanceAfter,
  objectId: line.objectId,
})

/** The first line of an export of the statement. */
export const statementCsvHead = 'date,at,type,amount,balanceAfter,objectId\r\n'

/** One line for each change. */
export const statementCsvRows = ({ days }: StatementPage): string =>
  days
    .flatMap(({ date, lines }) =>
      lines.map((line) => {
        const { at, type, amount, balanceAfter, objectId } = lineView(line)
        return `${[date, at, type, amount, balanceAfter, textCell(objectId)].join()}\r\n`
      }),
    )
    .join('')
