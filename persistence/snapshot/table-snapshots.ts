import { type Columns, columnsFrom, type FrozenColumns, freeze } from '../base/columns.ts'
import type { Table } from '../index/table-type.ts'
import type { Tables } from '../index/tables.ts'
import { type ReplyRegister, replySchema } from './reply-register.ts'
import type { FrozenTable, SnapshotChanges, StoredTableSnapshot, TableSnapshotHead } from './snapshot.ts'

/** Tracks which tables and days of replies changed since the last snapshot, and loads them from it. Starts with nothing changed. */
export const newTableSnapshots = (tables: Tables, replies: ReplyRegister) => {
  const changed = new Set<Table>()
  let dropped: SnapshotChanges['dropped'][number][] = []
  /** The table snapshot of each day. */
  const days = new Map<number, { readonly number: number; readonly replies: Columns<unknown> }>()

  /** Rows of a loaded table are not found by id yet. */
  const load = ({ number, head, columns }: StoredTableSnapshot): void => {
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

  const freezeAll = (): Pick<SnapshotChanges, 'tableSnapshots' | 'dropped'> => {
    const tableSnapshots: FrozenTable[] = []
    const add = (
      number: number,
      head: TableSnapshotHead,
      columns: Readonly<Record<string, Columns<unknown>>>,
    ) => {
      const frozen: (readonly [string, FrozenColumns])[] = []
      for (const name in columns) if (columns[name]!.count > 0) frozen.push([name, freeze(columns[name]!)])
      tableSnapshots.push({ number, head, columns: frozen })
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
      let tableSnapshot = days.get(day)
      if (tableSnapshot === undefined) {
        tableSnapshot = { number: tables.newNumber(), replies: own }
        days.set(day, tableSnapshot)
      }
      add(tableSnapshot.number, { of: 'replies', day }, { replies: own })
    }
    const taken = { tableSnapshots, dropped }
    dropped = []
    return taken
  }

  return { load, change: (table: Table) => changed.add(table), drop, freeze: freezeAll }
}

const valuesOf = (columns: readonly Columns<unknown>[]): number[] =>
  columns.flatMap(({ segments }) => segments.flatMap(({ stored }) => stored?.value ?? []))
