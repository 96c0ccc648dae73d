import type { ListedKind } from '../../engine/kernel/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { Columns } from '../base/columns.ts'
import type { DueQueue } from '../base/due-queue.ts'
import type { Keys } from '../base/keys/keys.ts'
import type { Labels } from '../base/labels.ts'
import type { Derived } from '../base/pager.ts'
import type { Figures } from './figures.ts'
import type { GroupedAmounts } from './grouped-amounts.ts'
import type { IdNumbers } from './id-numbers.ts'
import type { Payers } from './payers.ts'
import type { ReceivedViews, RowViews, TransactionViews } from './rows.ts'
import type { SegmentRows } from './segment-rows.ts'

/**
 * Statistics of one segment's rows (a zone map): enough to skip it when none or all of them match. They are always in memory, and a snapshot
 * stores them beside the segment.
 */
export type SegmentStats = {
  minCreatedAtMs: number
  maxCreatedAtMs: number
  lastCreatedAtMs: number
  /** Whether its rows are in order of creation. */
  isSorted: boolean
  /** When its transactions were approved, first and last; the range never shrinks. */
  minApprovedAtMs: number
  maxApprovedAtMs: number
  minCents: number
  maxCents: number
  readonly figures: Figures
  /** The times in its rows' ids, first and last, in milliseconds (ULID). */
  minIdMs: number
  maxIdMs: number
  /** How many rows wait for a clock, and the earliest time of one; an earlier one than there is after a change. */
  due: number
  minDueAtMs: number
  /** Whether these rows are in their queue: from the segment's first change on, or when the earliest may be due. */
  isQueued: boolean
  /** How many rows wait for a provider's answer. */
  awaiting: number
  /** Rows ordered by amount, for a full segment of transactions. */
  readonly byAmount: Derived<SegmentRows>
}

/** Some full segments in a row, with statistics of all of their rows (see `runs.ts`). */
export type SegmentRun = Pick<SegmentStats, 'minCents' | 'maxCents' | 'figures'> & {
  /** The run's first segment. */
  readonly first: number
  readonly isExact: boolean
  /** Whether a query has already needed the grouped amounts. */
  wasAsked: boolean
  readonly grouped: Derived<GroupedAmounts>
}

/** The actors of one kind in one account, a row each, in order of creation. */
export type Table<Views extends RowViews = RowViews> = {
  readonly number: number
  readonly kind: ListedKind
  readonly accountId: AccountId
  readonly rows: Columns<Views>
  /** The statistics of each segment. */
  readonly segmentStats: SegmentStats[]
  readonly changes: Columns<ChangeViews>
  /** The texts of the label column; for transactions, groups and the id prefixes of reversals. */
  readonly labels: Labels
  /** Rows that wait for the environment clock. */
  readonly due: DueQueue
  /** Segments with such rows that are not in the queue yet, by the earliest of them. */
  readonly dueSegments: DueQueue
  /** Every column set that a snapshot stores, by name. */
  readonly columns: Readonly<Record<string, Columns<unknown>>>
  /** Whether the table's actors are forgotten: a scan still under way must stop. */
  isDropped: boolean
}

/** A row of a table. */
export type Row<Of extends Table = Table> = { readonly table: Of; readonly row: number }

export type TransactionTable = Table<TransactionViews> & {
  readonly seed: number
  /** Up to which instant the payers of transactions that were recorded are forgotten, and gone from here. */
  payersForgottenMs: number
  /** Where the rows of each payer and customer are listed. */
  readonly keys: Keys
  readonly payers: Payers
  readonly customers: IdNumbers
  readonly reversals: Columns<ReversalViews>
  /** Receivables that have days of their own, each linked to the next of its transaction (see `scheduled.ts`). */
  readonly scheduled: Columns<ScheduledViews>
  /** Made on first use, and discarded when one of their rows changes. */
  readonly runs: (SegmentRun | undefined)[]
}

export type ReceivedTable = Table<ReceivedViews>

/** The later entries of all rows, each linked to the row's previous one as a number from 1; 0 for the first. */
export type ChangeViews = { readonly sequence: Float64Array; readonly before: Uint32Array }

export type ReversalViews = {
  readonly createdSequence: Float64Array
  /** `never` while it counts in no figure (see `ListedReversal`). */
  readonly countsAtMs: Float64Array
  readonly id: Uint32Array
  /** The row of its transaction. */
  readonly row: Uint32Array
  readonly prefix: Uint16Array
}

export type ScheduledViews = {
  readonly grossCents: Float64Array
  readonly feeCents: Float64Array
  /** The row of its transaction. */
  readonly row: Uint32Array
  readonly next: Uint32Array
  readonly settledMinute: Uint32Array
  readonly day: Uint16Array
}
