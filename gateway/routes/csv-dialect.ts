import Type from 'typebox'
import type { Read, RequestContext } from '../api/route.ts'
import { type CsvForm, type CsvOfRows, cellsOf, csvDialects } from '../resources/csv-format.ts'
import { described } from '../schema/named-schema.ts'
import { choice } from '../schema/schema.ts'

/** The dialects of every export. */
export const dialectParameter = {
  dialect: Type.Optional(
    described(
      choice(...csvDialects),
      '`rfc4180`, the default: commas, amounts in centavos, times in UTC. `excel-br`: what Excel opens in Brazil, with semicolons, a byte order mark, columns named in Portuguese, amounts as `1234,56`, documents and codes as text, and times in the company’s time zone.',
    ),
  ),
}

type Dialect = CsvForm['dialect']

/** What a route read of its query, with the dialect that is asked for. */
export const withDialect = <Input>(
  read: Read<Input>,
  { dialect = 'rfc4180' }: { readonly dialect?: Dialect },
): Read<Input & { readonly dialect: Dialect }> =>
  read.ok ? { ok: true, input: { ...read.input, dialect } } : read

/** A piece of an export; the first begins with the names of the columns. */
export const csvPiece = <Row>(
  csv: CsvOfRows<Row>,
  rows: readonly Row[],
  dialect: Dialect,
  { company, cursor }: RequestContext,
): Buffer => {
  const cells = cellsOf({ dialect, zone: company.timeZone })
  return Buffer.from((cursor === null ? csv.head(cells) : '') + csv.rowsOf(rows, cells))
}
