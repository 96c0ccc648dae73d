import type { Work } from '../../engine/kernel/work.ts'
import { touch, viewsAt, viewsOf } from '../base/columns.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { forgetFilters } from './filter-groups.ts'
import { firstByteOf, forgetHash, payerBytesSchema, payerSchema } from './payers.ts'
import type { TransactionTable } from './table-type.ts'

/**
 * Takes the payers of forgotten transactions out of a table, as if there had never been any: out of each of those
 * rows, and payers whom no row has any more out of the columns that are searched. `onChange` is called for each change.
 */
export const scrubPayers = function* (
  table: TransactionTable,
  isForgotten: (row: number) => boolean,
  slice: TimeSlice,
  onChange: () => void,
): Work<void> {
  yield* leaveRows(table, isForgotten, slice, onChange)
  yield* eraseUnused(table, slice, onChange)
  // Filters rule out less than they could until a snapshot has new ones.
  forgetFilters(table.payers)
}

const leaveRows = function* (
  table: TransactionTable,
  isForgotten: (row: number) => boolean,
  slice: TimeSlice,
  onChange: () => void,
): Work<void> {
  const { rows } = table
  for (let row = 0; row < rows.count; row++) {
    if (table.isDropped) return
    const n = row & rows.schema.mask
    if (viewsAt(rows, row).payer[n] !== 0 && isForgotten(row)) {
      touch(rows, row)
      viewsAt(rows, row).payer[n] = 0
      onChange()
    }
    yield* yieldIfDue(slice)
  }
}

/** Erases payers that no row has. */
const eraseUnused = function* (table: TransactionTable, slice: TimeSlice, onChange: () => void): Work<void> {
  const { rows, payers } = table
  const used = new Uint8Array(payers.rows.count)
  const { rowsPerSegment } = rows.schema
  /** Notes who is used by rows that were not looked at yet: in another turn there may be more. */
  let looked = 0
  const look = function* (turns: boolean): Work<void> {
    while (looked < rows.count) {
      const segment = Math.floor(looked / rowsPerSegment)
      const { payer } = viewsOf(rows, segment)
      const end = Math.min(rows.count, (segment + 1) * rowsPerSegment)
      for (; looked < end; looked++) {
        const number = payer[looked & rows.schema.mask]!
        if (number !== 0) used[number - 1] = 1
      }
      if (turns) yield* yieldIfDue(slice)
    }
  }
  yield* look(true)
  for (let payer = 0; payer < used.length; payer++) {
    if (table.isDropped) return
    if (used[payer] === 0 && isKnown(table, payer)) {
      // A payer whom a new row has found meanwhile is used again.
      yield* look(false)
      if (used[payer] === 0) {
        erase(table, payer)
        onChange()
      }
    }
    yield* yieldIfDue(slice)
  }
}

const isKnown = ({ payers }: TransactionTable, payer: number): boolean => {
  const { hash0, hash1, nameBytes, emailBytes, documentBytes } = viewsAt(payers.rows, payer)
  const n = payer & payerSchema.mask
  return (hash0[n]! | hash1[n]! | nameBytes[n]! | emailBytes[n]! | documentBytes[n]!) !== 0
}

const erase = ({ payers }: TransactionTable, payer: number): void => {
  const { rows, arena } = payers
  const n = payer & payerSchema.mask
  touch(rows, payer)
  const views = viewsAt(rows, payer)
  const start = firstByteOf(views.start[n]!)
  const length = views.nameBytes[n]! + views.emailBytes[n]! + views.documentBytes[n]!
  if (length > 0) {
    touch(arena, start)
    const from = start & payerBytesSchema.mask
    viewsAt(arena, start).byte.fill(0, from, from + length)
  }
  forgetHash(payers, payer, views.hash0[n]!, views.hash1[n]!)
  for (const column of [views.hash0, views.hash1, views.nameBytes, views.emailBytes, views.documentBytes])
    column[n] = 0
  for (const column of [views.signature0, views.signature1, views.signature2, views.signature3]) column[n] = 0
}
