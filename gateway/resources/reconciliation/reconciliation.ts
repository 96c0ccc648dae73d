import {
  type AcceptedDifference,
  awaitsComparison,
  type DayBook,
  type Difference,
  differenceKinds,
  type Reconciliation,
  reconciliationStatuses,
  reconciliationStatusOf,
} from '../../../engine/reconciliation/reconciliation.ts'
import type { StatementFile } from '../../../engine/reconciliation/statement.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { type CsvColumns, csvOfColumns } from '../csv-format.ts'
import {
  amountOf,
  booleanOf,
  count,
  date,
  datedFields,
  digitsOrNull,
  identityFields,
  instant,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { actorSchema } from '../history-step.ts'
import { resource, same } from '../resource.ts'

const book = resource<DayBook>('DayBook', 'What a book has of a day.').with({
  count: [count('The payments that came in.'), same],
  amount: [nonNegativeAmountOf('Their sum.'), ({ amountCents }) => String(amountCents)],
  returnedAmount: [
    nonNegativeAmountOf('What of them has gone back until it was compared.'),
    ({ returnedCents }) => String(returnedCents),
  ],
})

const difference = resource<Difference>('BookDifference', 'What two books say otherwise.').with({
  kind: [
    described(
      choice(...differenceKinds),
      'MISSING_HERE: the bank has it alone. MISSING_AT_BANK: we have it alone. AMOUNT, RETURNS: another amount, or another sum that went back. STATEMENT: the sums of the bank’s statement are others. STATEMENT_ONLY: the statement has it alone. MISSING_IN_STATEMENT: we have it, and the statement has not. STATEMENT_AMOUNT: the statement has another amount. TARIFF: the bank took other fees than the terms of the connection say.',
    ),
    same,
  ],
  endToEndId: [
    described(nullableText, 'Id of the payment between banks; null where the statement has none.'),
    same,
  ],
  txid: [described(nullableText, 'The charge’s id in the PIX arrangement, where there is one.'), same],
  bankAmount: [
    nullableField(nonNegativeAmountOf('By the bank; null where it has none.')),
    ({ bankCents }) => digitsOrNull(bankCents),
  ],
  ourAmount: [
    nullableField(nonNegativeAmountOf('By us; null where we have none.')),
    ({ oursCents }) => digitsOrNull(oursCents),
  ],
})

const acceptance = resource<AcceptedDifference>(
  'AcceptedDifference',
  'A person accepts that books differ.',
).with({
  reason: [textOf('Why.'), same],
  acceptedBy: [described(actorSchema, 'Who accepted it.'), ({ by }) => by],
  acceptedAt: [described(instant, 'When.'), ({ atMs }) => isoInstant(atMs)],
})

const file = resource<Reconciliation & { readonly file: StatementFile }>(
  'StatementFile',
  'A file with the bank’s statement of a day.',
).with({
  uploadedBy: [described(actorSchema, 'Who uploaded it.'), ({ file: { by } }) => by],
  uploadedAt: [described(instant, 'When.'), ({ file: { atMs } }) => isoInstant(atMs)],
  linesCount: [count('How many lines it has of the day.'), ({ file: { movements } }) => movements.length],
  isCompared: [
    booleanOf('Whether it was compared. That takes moments, unless the bank is silent.'),
    (state) => !awaitsComparison(state),
  ],
})

/** A day of a connection whose books were compared. */
export const reconciliation = resource<Reconciliation>(
  'Reconciliation',
  'A day of a connection: what its bank has, what we have, and whether both agree.',
).with({
  ...identityFields('rcn', 'reconciliation'),
  connectionId: [described(nullableText, 'The connection, `con_…`; null in the Sandbox.'), same],
  providerId: [textOf('The bank.'), same],
  date: [described(date, 'The day, in the company’s time zone.'), same],
  status: [
    described(
      choice(...reconciliationStatuses),
      'EQUAL, DIFFERENT, or ACCEPTED where a person has said why they may differ.',
    ),
    reconciliationStatusOf,
  ],
  bank: [described(book.schema, 'By the list of the bank.'), ({ bank }) => book.view(bank)],
  ours: [described(book.schema, 'By our own books.'), ({ ours }) => book.view(ours)],
  statement: [
    nullableField(
      book.schema,
      'By the bank’s statement; null where there is none, so that two books are compared.',
    ),
    ({ statement }) => statement && book.view(statement),
  ],
  statementSource: [
    nullableField(
      choice('BANK', 'FILE'),
      'Where the statement is from: the bank itself, or a file that a person uploaded; null where there is none.',
    ),
    ({ third }) => third?.source ?? null,
  ],
  statementFile: [
    nullableField(file.schema, 'The newest file that was uploaded; null where none was.'),
    (state) => (state.file === undefined ? null : file.view({ ...state, file: state.file })),
  ],
  tariffAmount: [
    nullableField(amountOf('What the bank took for PIX by its statement, less what it gave back of that.')),
    ({ third }) => (third === undefined ? null : String(third.tariffCents)),
  ],
  termsAmount: [
    nullableField(
      nonNegativeAmountOf('What it takes by the terms of the connection; null where they say nothing.'),
    ),
    ({ third }) => digitsOrNull(third?.termsCents ?? null),
  ],
  differencesCount: [count('How many differences there are.'), same],
  differenceAmount: [
    nonNegativeAmountOf('Their amounts together.'),
    ({ differenceCents }) => String(differenceCents),
  ],
  acceptance: [
    nullableField(acceptance.schema, 'Who accepted them; null where no one did.'),
    ({ accepted }) => accepted && acceptance.view(accepted),
  ],
  ...datedFields,
})

/** The same with what differs. */
export const reconciliationDetail = resource<Reconciliation>(
  'ReconciliationDetail',
  'A day of a connection, with what differs.',
).with({
  ...reconciliation.fields,
  differences: [
    listOf(difference.schema, 'What differs; of very many the first.'),
    ({ differences }) => differences.map(difference.view),
  ],
})

const columns: CsvColumns<Difference> = {
  difference: ({ kind }) => kind,
  endToEndId: ({ endToEndId }, { code }) => code(endToEndId),
  txid: ({ txid }, { code }) => code(txid),
  bankAmount: ({ bankCents }, { amount }) => (bankCents === null ? null : amount(bankCents, 'BRL')),
  ourAmount: ({ oursCents }, { amount }) => (oursCents === null ? null : amount(oursCents, 'BRL')),
}

/** The differences as an export has them. */
export const differencesCsv = csvOfColumns(columns)
