import type { ListedKind } from '../../engine/kernel/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import {
  append,
  type Columns,
  columnsFrom,
  newColumns,
  oneRow,
  type Schema,
  type SegmentPaging,
  type StoredColumns,
  schema,
  touch,
  viewsAt,
} from '../base/columns.ts'
import { newDueQueue } from '../base/due-queue.ts'
import type { Keys } from '../base/keys/keys.ts'
import { newLabels } from '../base/labels.ts'
import { type PackedId, writeId } from '../base/packed-id.ts'
import { idSchema, newIdNumbers } from './id-numbers.ts'
import { textFilterOf } from './payer-filter.ts'
import {
  type KnownPayers,
  newPayers,
  type Payers,
  type PayerViews,
  payerBytesSchema,
  payerSchema,
} from './payers.ts'
import { type LabelledViews, never, type RowViews, rowSchemas } from './rows.ts'
import { idFilterOf } from './segment-filters.ts'
import { packStats, statsOf, unpackStats } from './segment-stats.ts'
import { readExtra } from './stored-extras.ts'
import type { ReceivedTable, SegmentStats, Table, TransactionTable } from './table-type.ts'

/** The type of each kind's table. */
export type TableOf = {
  readonly [Kind in Exclude<ListedKind, 'transaction' | 'received'>]: Table<LabelledViews>
} & {
  readonly transaction: TransactionTable
  readonly received: ReceivedTable
}

const changeSchema = schema(4096, (take) => ({
  sequence: take.float64('sequence'),
  before: take.uint32('before'),
}))

export const reversalSchema = schema(4096, (take) => ({
  createdSequence: take.float64('createdSequence'),
  countsAtMs: take.float64('countsAtMs'),
  id: take.uint32('id', 4),
  row: take.uint32('row'),
  prefix: take.uint16('prefix'),
}))

export const scheduledSchema = schema(4096, (take) => ({
  grossCents: take.float64('grossCents'),
  feeCents: take.float64('feeCents'),
  row: take.uint32('row'),
  /** The next of the same transaction, as a number from 1. */
  next: take.uint32('next'),
  /** When it settled, in minutes since 1970; 0 while it comes with a batch. */
  settledMinute: take.uint32('settledMinute'),
  /** The day of the batch, counted from 1970-01-01; 0 for what comes with none, and for an entry that nothing is in. */
  day: take.uint16('day'),
}))

/** The part of a table that a snapshot stores. */
export type StoredTable = {
  readonly labels: readonly string[]
  readonly columns: Readonly<Partial<Record<string, StoredColumns>>>
  readonly payersForgottenMs?: number
}

/** Describes the meaning of the stored bytes of all kinds of table. */
export const tableDescription = [
  ...Object.entries(rowSchemas),
  ...Object.entries({
    changes: changeSchema,
    payers: payerSchema,
    payerBytes: payerBytesSchema,
    customers: idSchema,
    reversals: reversalSchema,
    scheduled: scheduledSchema,
  }),
]
  .map(([name, { description }]) => `${name} ${description}`)
  .concat(
    'filters of ids, and of texts by grams of 4 bytes and of 6 digits; keys of payers, lists of payers and customers',
  )
  .join('; ')

/** What all tables of a shard share. */
export type TableSurroundings = {
  readonly seed: number
  readonly paging: SegmentPaging
  readonly keys: Keys
  /** Called before a segment of rows leaves memory. */
  readonly onLeave: (table: Table, segment: number) => void
}

/** Opens a table: empty, or from a snapshot, of which it reads no more than statistics. */
export const openTable = <Kind extends ListedKind>(
  kind: Kind,
  accountId: AccountId,
  number: number,
  { seed, paging, keys, onLeave }: TableSurroundings,
  stored: StoredTable | null,
): TableOf[Kind] => {
  const named: Record<string, Columns<unknown>> = {}
  const columns = <Views>(name: string, schema: Schema<Views>, own = paging): Columns<Views> => {
    const known = stored?.columns[name]
    const opened = known === undefined ? newColumns(schema, own) : columnsFrom(schema, known, own)
    named[name] = opened
    return opened
  }
  const pagingOfRows: SegmentPaging = {
    ...paging,
    extras: [(views: RowViews, rows) => packStats(kind, statsOf(kind, views, rows)), idFilterOf],
    onLeave: (segment) => onLeave(opened as unknown as Table, segment),
  }
  const pagingOfCustomers: SegmentPaging = {
    ...paging,
    extras: [idFilterOf],
  }
  const payersOf = (): Payers => {
    const arena = columns('payerBytes', payerBytesSchema)
    const extras = [(views: PayerViews, rows: number) => textFilterOf(arena, views, rows)]
    return newPayers(
      seed,
      columns('payers', payerSchema, { ...paging, extras }),
      arena,
      knownPayers(keys, number),
    )
  }
  const table = {
    number,
    kind,
    accountId,
    rows: columns<RowViews>('rows', rowSchemas[kind], pagingOfRows),
    segmentStats: [] as SegmentStats[],
    changes: columns('changes', changeSchema),
    labels: newLabels(stored?.labels ?? []),
    due: newDueQueue(),
    dueSegments: newDueQueue(),
    columns: named,
    isDropped: false,
    ...(kind === 'transaction' && {
      seed,
      payersForgottenMs: stored?.payersForgottenMs ?? 0,
      keys,
      payers: payersOf(),
      customers: newIdNumbers('cus', columns('customers', idSchema, pagingOfCustomers)),
      reversals: columns('reversals', reversalSchema),
      scheduled: columns('scheduled', scheduledSchema),
      runs: [],
    }),
  }
  const opened = table as unknown as TableOf[Kind]
  loadStats(opened as unknown as Table)
  return opened
}

/** Payers by hash, among the keys of a table that has no number of another. */
const knownPayers = (keys: Keys, table: number): KnownPayers => ({
  find: (hash, count) => keys.find(-1 - table, hash, count),
  put: (hash, payer) => keys.put(-1 - table, hash, payer),
  remove: (hash, payer) => keys.remove(-1 - table, hash, payer),
})

const loadStats = (table: Table): void => {
  const { kind, rows, segmentStats } = table
  rows.segments.forEach((segment, n) => {
    const value = segment.stored?.value ?? null
    const stats =
      value === null
        ? statsOf(kind, viewsAt(rows, n << rows.schema.bits), rows.count - (n << rows.schema.bits))
        : unpackStats(kind, readExtra(rows, value, 0))
    segmentStats.push(stats)
  })
}

/** Adds a row with the columns that all kinds have. Returns its number. */
export const insertRow = (table: Table, packed: PackedId, createdAtMs: number, sequence: number): number => {
  const row = append(table.rows)
  const views = viewsAt(table.rows, row)
  const n = row & table.rows.schema.mask
  writeId(views.id, n, packed)
  views.createdAtMs[n] = createdAtMs
  views.createdSequence[n] = sequence
  views.dueAtMs[n] = never
  // A stored segment may contain bytes of rows added after its snapshot.
  views.lastChange[n] = 0
  return row
}

/** Records a later entry of an existing row. */
export const change = (table: Table, row: number, sequence: number): void => {
  const { rows, changes } = table
  touch(rows, row)
  const added = append(changes)
  const n = added & changeSchema.mask
  const { lastChange } = viewsAt(rows, row)
  const own = viewsAt(changes, added)
  own.sequence[n] = sequence
  own.before[n] = lastChange[row & rows.schema.mask]!
  lastChange[row & rows.schema.mask] = added + 1
}

/** The entries that made a row's actor, oldest first. */
export const sequencesOf = (table: Table, row: number): number[] => {
  const { views, place } = oneRow(table.rows, row)
  const sequences: number[] = []
  for (let change = views.lastChange[place]!; change !== 0; ) {
    const own = oneRow(table.changes, change - 1)
    sequences.push(own.views.sequence[own.place]!)
    change = own.views.before[own.place]!
  }
  sequences.push(views.createdSequence[place]!)
  return sequences.reverse()
}
