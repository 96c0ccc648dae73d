import { type Columns, viewsAt } from '../base/columns.ts'
import { isSamePayer, type Payers } from './payers.ts'
import type { Table, TransactionTable } from './table-type.ts'
import { idOf } from './tables.ts'

/** How a stored table differs from one made from the journal, naming each row and each kind of column once. */
export const tableDifferences = (expected: Table, found: Table | undefined): readonly string[] => {
  const { accountId, kind } = expected
  if (found === undefined) return [`${accountId}: its stored ${kind} table is missing`]
  const problems: string[] = []
  if (expected.rows.count !== found.rows.count)
    problems.push(
      `${accountId}: ${found.rows.count} stored ${kind} rows, the journal makes ${expected.rows.count}`,
    )
  for (let row = 0; row < Math.min(expected.rows.count, found.rows.count); row++) {
    const columns = columnsThatDiffer(expected.rows, found.rows, row, ['payer'])
    if (kind === 'transaction' && hasAnotherPayer(expected, found, row)) columns.push('payer')
    if (columns.length > 0) problems.push(differing(idOf({ table: expected, row }), columns))
  }
  for (const [name, own] of Object.entries(expected.columns)) {
    if (!comparedByRow.includes(name) && !areEqual(own, found.columns[name]!))
      problems.push(differing(accountId, [`${kind} ${name}`]))
  }
  if (expected.labels.all.join() !== found.labels.all.join())
    problems.push(differing(accountId, [`${kind} labels`]))
  return problems
}

/** Payers are compared with their rows: the same ones have other numbers where the journal makes fewer. */
const comparedByRow: readonly string[] = ['rows', 'payers', 'payerBytes']

/** Whether a row has another payer than the journal makes. Without the keys of payers, or after some were destroyed, it makes none. */
const hasAnotherPayer = (expected: Table, found: Table, row: number): boolean => {
  const [own, other] = [expected, found].map((table) => {
    const { rows, payers } = table as TransactionTable
    return { payers, payer: viewsAt(rows, row).payer[row & rows.schema.mask]! }
  }) as [PayerOfRow, PayerOfRow]
  return own.payer !== 0 && !isSamePayer(own.payers, own.payer, other.payers, other.payer)
}

type PayerOfRow = { readonly payers: Payers; readonly payer: number }

const differing = (whose: string, columns: readonly string[]): string =>
  `${whose}: stored columns differ from the journal: ${columns.join(', ')}`

const areEqual = (a: Columns<unknown>, b: Columns<unknown>): boolean => {
  if (a.count !== b.count) return false
  for (let row = 0; row < a.count; row++) if (columnsThatDiffer(a, b, row).length > 0) return false
  return true
}

const columnsThatDiffer = (
  a: Columns<unknown>,
  b: Columns<unknown>,
  row: number,
  except: readonly string[] = [],
): string[] => {
  const other = viewsAt(b, row) as Record<string, Uint8Array>
  const names: string[] = []
  const own = viewsAt(a, row) as Record<string, Uint8Array>
  for (const { name, width } of a.schema.types) {
    if (except.includes(name)) continue
    const column = own[name]!
    // A column may have several numbers per row.
    const from = (row & a.schema.mask) * width
    for (let n = from; n < from + width; n++) {
      if (column[n] === other[name]![n]) continue
      names.push(name)
      break
    }
  }
  return names
}
