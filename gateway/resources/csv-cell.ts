/** A free text as a CSV cell (RFC 4180); null is an empty cell. */
export const textCell = (value: string | null | undefined): string =>
  value === null || value === undefined || isPlain.test(value) ? (value ?? '') : quoted(value)

const isPlain = /^(?:[\w.][^",\r\n]*)?$/

/** A text that spreadsheets would take for a formula gets an apostrophe (OWASP ASVS 1.2.10). */
const quoted = (value: string): string => {
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(value) ? `"${text.replaceAll('"', '""')}"` : text
}

/** How rows of a kind become CSV: a function for each column, in order. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | null>>

/** The first line of an export. */
export const csvHeadOf = (columns: CsvColumns<never>): string => `${Object.keys(columns).join()}\r\n`

/** One line for each row. */
export const csvRowsOf = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  rows
    .map(
      (row) =>
        `${Object.values(columns)
          .map((cell) => cell(row) ?? '')
          .join()}\r\n`,
    )
    .join('')
