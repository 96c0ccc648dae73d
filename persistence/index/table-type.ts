import type { ListedKind } from '../../engine/kernel/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { DueQueue } from '../due-queue.ts'
import type { Columns } from './columns.ts'
import type { Figures } from './figures.ts'
import type { IdNumbers } from './id-numbers.ts'
import type { Labels } from './labels.ts'
import type { Lookups } from './lookups.ts'
import type { Payers } from './payers.ts'
import type { ReceivedViews, RowViews, TransactionViews } from './rows.ts'

/**
 * What the rows of a full segment may be searched by: their hashes and payers, as bits that all of them have set (a Bloom
 * filter). Hardly any segment that has not what is searched for is looked at. Made when it is first asked for.
 */
export type BloomFilter = Uint32Array

/** What the rows of one segment have in common: enough to pass over it where none of them, or all of them, are meant. */
export type SegmentStats = {
  minCreatedAtMs: number
  maxCreatedAtMs: number
  lastCreatedAtMs: number
  /** Whether its rows are in the order of their creation. */
  isSorted: boolean
  minCents: number
  maxCents: number
  readonly figures: Figures
  /** Of a full segment of transactions, once they were asked for. */
  byAmount: Uint16Array | null
  bloomFilter: BloomFilter | null
}

/** The actors of one kind of one account, a row each, in the order of their birth. */
export type Table<Views extends RowViews = RowViews> = {
  readonly number: number
  readonly kind: ListedKind
  readonly accountId: AccountId
  readonly rows: Columns<Views>
  /** What the rows of each segment have in common. */
  readonly segmentStats: SegmentStats[]
  readonly changes: Columns<ChangeViews>
  /** What the label column counts; for transactions, their groups and the prefixes of the ids of their reversals. */
  readonly labels: Labels
  readonly lookups: Lookups
  /** What waits for the environment clock. */
  readonly due: DueQueue
  /** All that a snapshot has of it, by name. */
  readonly columns: Readonly<Record<string, Columns<unknown>>>
  /** Its actors are forgotten: whoever still looks at it looks at nothing that is there. */
  isDropped: boolean
}

export type TransactionTable = Table<TransactionViews> & {
  readonly seed: number
  readonly payers: Payers
  readonly customers: IdNumbers
  readonly reversals: Columns<ReversalViews>
}

export type ReceivedTable = Table<ReceivedViews>

/** The later entries of all rows, each with the one before it of the same row, as a number from 1; 0 for the first. */
export type ChangeViews = { readonly sequence: Float64Array; readonly before: Uint32Array }

export type ReversalViews = {
  readonly createdSequence: Float64Array
  readonly id: Uint32Array
  /** Of the transaction that owns it. */
  readonly row: Uint32Array
  readonly prefix: Uint16Array
}
