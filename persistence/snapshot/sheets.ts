import { type Columns, columnsFrom, type FrozenColumns, freeze } from '../index/columns.ts'
import type { Table } from '../index/table-type.ts'
import type { Tables } from '../index/tables.ts'
import { type ReplyRegister, replySchema } from '../reply-register.ts'
import type { Checkpoint, FrozenSheet, SheetHead, StoredSheet } from './snapshot.ts'

/** Which tables and days of replies a snapshot does not hold as they are, and the way back from it. */
export type Sheets = {
  /** The rows of a table are not found by their ids yet. */
  readonly load: (sheet: StoredSheet) => void
  readonly change: (table: Table) => void
  readonly drop: (table: Table) => void
  readonly freeze: () => Pick<Checkpoint, 'sheets' | 'dropped'>
}

export const newSheets = (tables: Tables, replies: ReplyRegister): Sheets => {
  const changed = new Set<Table>()
  let dropped: Checkpoint['dropped'][number][] = []
  /** The sheet of each day. */
  const days = new Map<number, { readonly number: number; readonly replies: Columns<unknown> }>()

  const load = ({ number, head, columns }: StoredSheet): void => {
    if (head.of === 'table') {
      tables.load(number, head.kind, head.accountId, { labels: head.labels, columns })
      return
    }
    tables.takeNumber(number)
    const own = columnsFrom(replySchema, columns.replies!)
    replies.load(head.day, own)
    days.set(head.day, { number, replies: own })
  }

  const drop = (table: Table): void => {
    changed.delete(table)
    dropped.push({ number: table.number, values: () => valuesOf(Object.values(table.columns)) })
  }

  const freezeAll = (): Pick<Checkpoint, 'sheets' | 'dropped'> => {
    const sheets: FrozenSheet[] = []
    const add = (number: number, head: SheetHead, columns: Readonly<Record<string, Columns<unknown>>>) => {
      const frozen: (readonly [string, FrozenColumns])[] = []
      for (const name in columns) if (columns[name]!.count > 0) frozen.push([name, freeze(columns[name]!)])
      sheets.push({ number, head, columns: frozen })
    }
    for (const table of changed) {
      const { number, kind, accountId, labels, columns } = table
      add(number, { of: 'table', kind, accountId, labels: [...labels.all] }, columns)
    }
    changed.clear()
    const present = new Map(replies.days())
    for (const [day, { number, replies }] of days) {
      if (present.has(day)) continue
      days.delete(day)
      dropped.push({ number, values: () => valuesOf([replies]) })
    }
    for (const [day, own] of present) {
      if (!own.segments.some(({ isDirty }) => isDirty)) continue
      let sheet = days.get(day)
      if (sheet === undefined) {
        sheet = { number: tables.newNumber(), replies: own }
        days.set(day, sheet)
      }
      add(sheet.number, { of: 'replies', day }, { replies: own })
    }
    const taken = { sheets, dropped }
    dropped = []
    return taken
  }

  return { load, change: (table) => changed.add(table), drop, freeze: freezeAll }
}

const valuesOf = (columns: readonly Columns<unknown>[]): number[] =>
  columns.flatMap(({ segments }) => segments.flatMap(({ stored }) => stored?.value ?? []))
