import { dateIn, isoInstant, timeIn } from '../../engine/shared/calendar.ts'
import type { Currency } from '../../engine/shared/method.ts'
import { type CsvColumn, portugueseHeads } from './csv-heads.ts'

/** How an export is written: as RFC 4180 says, or as Excel opens it in Brazil, with times in this IANA zone. */
export type CsvForm = { readonly dialect: (typeof csvDialects)[number]; readonly zone: string }

export const csvDialects = ['rfc4180', 'excel-br'] as const

/** How a form writes cells. Null and what is missing are empty cells. */
export type CsvCells = {
  readonly separator: string
  /** What stands before the first line. */
  readonly start: string
  /** What a column is called. */
  readonly head: (column: CsvColumn) => string
  readonly text: (value: Maybe<string>) => string
  /** A text of digits, or one that could be taken for a number or a date. */
  readonly code: (value: Maybe<string>) => string
  /** An amount in centavos, or in millionths of a stablecoin. */
  readonly amount: (value: number | string, currency: Currency) => string
  /** A decimal number with a point. */
  readonly decimal: (value: string) => string
  readonly instant: (atMs: Maybe<number>) => string
}

type Maybe<Value> = Value | null | undefined

/** The cells of a form. */
export const cellsOf = ({ dialect, zone }: CsvForm): CsvCells =>
  dialect === 'excel-br' ? excelCells(zone) : rfc4180

const isPlain = /^(?:[\w.][^",;\r\n]*)?$/

/** A text that spreadsheets would take for a formula gets an apostrophe (OWASP ASVS 1.2.10). */
const quoted = (value: string, mustQuote: RegExp): string => {
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return mustQuote.test(value) ? `"${text.replaceAll('"', '""')}"` : text
}

const textBy =
  (mustQuote: RegExp) =>
  (value: Maybe<string>): string =>
    value === null || value === undefined || isPlain.test(value) ? (value ?? '') : quoted(value, mustQuote)

const plainText = textBy(/[",\r\n]/)

/** RFC 4180: amounts in centavos, times in UTC, columns by their names in the API. */
export const rfc4180: CsvCells = {
  separator: ',',
  start: '',
  head: (column) => column,
  text: plainText,
  code: plainText,
  amount: String,
  decimal: (value) => value,
  instant: (atMs) => (atMs === null || atMs === undefined ? '' : isoInstant(atMs)),
}

const excelText = textBy(/[";\r\n]/)

/** What people in Brazil open in Excel by a double click: it knows UTF-8 by the byte order mark alone. */
const excelCells = (zone: string): CsvCells => ({
  separator: ';',
  start: '\ufeff',
  head: (column) => portugueseHeads[column],
  text: excelText,
  // Excel would drop zeros, round what is longer than 15 digits, and read dates. The only thing that it leaves alone is a text in a formula.
  code: (value) =>
    value !== null && value !== undefined && looksLikeNumber.test(value)
      ? `"=""${value}"""`
      : excelText(value),
  amount: (value, currency) => withComma(String(value), currency === 'BRL' ? 2 : 6),
  decimal: (value) => value.replace('.', ','),
  instant: (atMs) => (atMs === null || atMs === undefined ? '' : timeInBrazil(zone, atMs)),
})

const looksLikeNumber = /^[\d.][\w.,:/ -]*$/

const withComma = (units: string, places: number): string => {
  const sign = units.startsWith('-') ? '-' : ''
  const digits = units.slice(sign.length).padStart(places + 1, '0')
  return `${sign}${digits.slice(0, -places)},${digits.slice(-places)}`
}

/** `dd/mm/aaaa hh:mm:ss`. */
const timeInBrazil = (zone: string, atMs: number): string => {
  const [year, month, day] = dateIn(zone, atMs).split('-')
  return `${day}/${month}/${year} ${new Date(timeIn(zone, atMs)).toISOString().slice(11, 19)}`
}

/** How rows of a kind become CSV: a function for each column, in order. */
export type CsvColumns<Row> = Readonly<
  Partial<Record<CsvColumn, (row: Row, cells: CsvCells) => string | null>>
>

/** What an export of a kind consists of. */
export type CsvOfRows<Row> = {
  readonly head: (cells: CsvCells) => string
  readonly rowsOf: (rows: readonly Row[], cells: CsvCells) => string
}

/** An export of these columns. */
export const csvOfColumns = <Row>(columns: CsvColumns<Row>): CsvOfRows<Row> => ({
  head: (cells) => csvHeadOf(columns, cells),
  rowsOf: (rows, cells) => csvRowsOf(columns, rows, cells),
})

/** What an export begins with: its first line. */
export const csvHeadOf = (columns: object, { start, separator, head }: CsvCells): string =>
  `${start}${(Object.keys(columns) as CsvColumn[]).map(head).join(separator)}\r\n`

/** One line for each row. */
const csvRowsOf = <Row>(columns: CsvColumns<Row>, rows: readonly Row[], cells: CsvCells): string =>
  rows
    .map(
      (row) =>
        `${Object.values(columns)
          .map((cell) => cell(row, cells) ?? '')
          .join(cells.separator)}\r\n`,
    )
    .join('')
