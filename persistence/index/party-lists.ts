import type { NumberSet } from './number-set.ts'
import type { TransactionTable } from './table-type.ts'

/**
 * The rows of each payer and customer, as lists among the keys (see `keys.ts`), so that a search reads neither the columns of all segments nor a filter
 * of each. A payer who is forgotten stays in a list as a number that nothing leads to.
 */
export const listParties = (
  { number, keys }: TransactionTable,
  row: number,
  payer: number,
  customer: number,
): void => {
  if (payer !== 0) keys.addToList(number, listOfPayer(payer), row)
  if (customer !== 0) keys.addToList(number, listOfCustomer(customer), row)
}

/** The rows that may have one of these payers; null when that are many: then every segment is looked at. */
export const rowsOfPayers = (table: TransactionTable, payers: NumberSet): readonly number[] | null =>
  rowsOf(table, payers, listOfPayer)

/** The rows that may have one of these customers, in the same way. */
export const rowsOfCustomers = (table: TransactionTable, customers: NumberSet): readonly number[] | null =>
  rowsOf(table, customers, listOfCustomer)

/** Payers have even lists and customers odd ones. */
const listOfPayer = (payer: number): number => 2 * payer
const listOfCustomer = (customer: number): number => 2 * customer + 1

const rowsOf = (
  { number, keys, rows: { count } }: TransactionTable,
  { few }: NumberSet,
  listOf: (member: number) => number,
): readonly number[] | null => {
  if (few === null || few.length > listsMax) return null
  const found: number[] = []
  for (const member of few) {
    const rows = keys.listOf(number, listOf(member), count, rowsMax - found.length)
    if (rows === null) return null
    for (const row of rows) found.push(row)
  }
  return found
}

/** Each list is a read of every run of keys: so many take as long as a look at the columns of some million rows. */
const listsMax = 256
const rowsMax = 20_000
