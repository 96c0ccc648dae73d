import {
  type Columns,
  columnsFrom,
  type FrozenColumns,
  freeze,
  hasChanged,
  type SegmentPaging,
  storedKeysOf,
} from '../base/columns.ts'
import type { StoredRun } from '../base/keys/key-run.ts'
import type { Keys } from '../base/keys/keys.ts'
import { recentKeySchema } from '../base/keys/recent-keys.ts'
import type { Table, TransactionTable } from '../index/table-type.ts'
import type { Tables } from '../index/tables.ts'
import { type ReplyRegister, replySchema } from './reply-register.ts'
import type { FrozenTable, SnapshotChanges, StoredTableSnapshot, TableSnapshotHead } from './snapshot.ts'

/**
 * Tracks which tables, days of replies and keys changed since the last snapshot, and loads them from it. Starts with nothing
 * changed.
 */
export const newTableSnapshots = (
  tables: Tables,
  replies: ReplyRegister,
  keys: Keys,
  paging: SegmentPaging,
) => {
  const changed = new Set<Table>()
  let dropped: SnapshotChanges['dropped'][number][] = []
  /** The table snapshot of each day. */
  const days = new Map<number, { readonly number: number; readonly replies: Columns<unknown> }>()

  /** Rows are found by id at once: nothing of them is read. */
  const load = (stored: Iterable<StoredTableSnapshot>, runs: readonly StoredRun[]): void => {
    let recent: { readonly number: number; readonly records: Columns<unknown> } | null = null
    for (const { number, head, columns } of stored) {
      switch (head.of) {
        case 'table':
          tables.load(number, head.kind, head.accountId, { ...head, columns })
          break
        case 'replies': {
          tables.takeNumber(number)
          const own = columnsFrom(replySchema, columns.replies!, paging)
          replies.load(head.day, own)
          days.set(head.day, { number, replies: own })
          break
        }
        default:
          tables.takeNumber(number)
          recent = { number, records: columnsFrom(recentKeySchema, columns.records!, paging) }
      }
    }
    keys.load(recent?.number ?? 0, recent?.records ?? null, runs)
  }

  const drop = (table: Table): void => {
    changed.delete(table)
    dropped.push({ number: table.number, keys: () => keysOf(Object.values(table.columns)) })
  }

  const freezeAll = (): Pick<SnapshotChanges, 'tableSnapshots' | 'dropped' | 'keys'> => {
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
      const { payersForgottenMs = 0 } = table as Partial<TransactionTable>
      const forgotten = payersForgottenMs > 0 && { payersForgottenMs }
      add(number, { of: 'table', kind, accountId, labels: [...labels.all], ...forgotten }, columns)
    }
    changed.clear()
    const present = new Map(replies.days())
    for (const [day, { number, replies }] of days) {
      if (present.has(day)) continue
      days.delete(day)
      dropped.push({ number, keys: () => keysOf([replies]) })
    }
    for (const [day, own] of present) {
      if (!hasChanged(own)) continue
      let tableSnapshot = days.get(day)
      if (tableSnapshot === undefined) {
        tableSnapshot = { number: tables.newNumber(), replies: own }
        days.set(day, tableSnapshot)
      }
      add(tableSnapshot.number, { of: 'replies', day }, { replies: own })
    }
    const frozenKeys = keys.freeze()
    const { recent } = frozenKeys
    if (recent !== null && hasChanged(recent.records))
      add(recent.number, { of: 'keys' }, { records: recent.records })
    for (const { number, records } of frozenKeys.dropped)
      dropped.push({ number, keys: () => keysOf([records]) })
    const taken = { tableSnapshots, dropped, keys: frozenKeys }
    dropped = []
    return taken
  }

  return { load, change: (table: Table) => changed.add(table), drop, freeze: freezeAll }
}

const keysOf = (columns: readonly Columns<unknown>[]): number[] =>
  columns.flatMap(({ segments }) => segments.flatMap((segment) => storedKeysOf(segment)))
