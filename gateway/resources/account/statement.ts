import type { Paging } from '../../../engine/kernel/query.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { statementTypes } from '../../../engine/statement/line.ts'
import type { StatementPage, ToldLine } from '../../../engine/statement/read.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { type CsvColumns, type CsvOfRows, csvOfColumns } from '../csv-format.ts'
import {
  amountOf,
  date,
  instant,
  listOf,
  nullableField,
  nullableText,
  objectField,
  textOf,
} from '../fields.ts'
import { listFields, listView } from '../list.ts'
import { resource, same } from '../resource.ts'

const statementLine = resource<ToldLine>('StatementLine', 'A change of the balance.').with({
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
  counterpart: [
    described(
      nullableText,
      'Who paid, or who was paid; null for settlements of many payments and for shares.',
    ),
    same,
  ],
  method: [
    nullableField(choice(...methodNames, 'TED'), 'How it was paid; null where nothing was.'),
    ({ method }) => method,
  ],
  description: [described(nullableText, 'The text of the charge or transfer.'), same],
  endToEndId: [
    described(nullableText, 'Names the PIX at every bank; for a refund of one, its return.'),
    same,
  ],
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

/** What an export of the statement says of each line. */
const columns: CsvColumns<ToldLine & { readonly date: string }> = {
  date: ({ date }) => date,
  at: ({ createdAtMs }, { instant }) => instant(createdAtMs),
  type: ({ type }) => type,
  amount: ({ cents }, { amount }) => amount(cents, 'BRL'),
  balanceAfter: ({ balanceAfter }, { amount }) => amount(balanceAfter, 'BRL'),
  objectId: ({ objectId }, { text }) => text(objectId),
  counterpart: ({ counterpart }, { text }) => text(counterpart),
  method: ({ method }) => method,
  description: ({ description }, { text }) => text(description),
  endToEndId: ({ endToEndId }, { code }) => code(endToEndId),
}

const lines = csvOfColumns(columns)

/** The statement as an export has it: one line for each change. */
export const statementCsv: CsvOfRows<StatementPage> = {
  head: lines.head,
  rowsOf: (pages, cells) =>
    lines.rowsOf(
      pages.flatMap(({ days }) =>
        days.flatMap(({ date, lines }) => lines.map((line) => ({ date, ...line }))),
      ),
      cells,
    ),
}
