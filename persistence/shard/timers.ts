import type { Timer } from '../../engine/kernel/due-work.ts'
import type { ListedKind } from '../../engine/kernel/registry.ts'
import type { Account } from '../../engine/ledger/account.ts'
import { dueAtMsOf, listedKinds, nextTimer } from '../../engine/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { viewsAt } from '../base/columns.ts'
import { firstDueAtMs, firstDueRow, newDueQueue, popDue, pushDue } from '../base/due-queue.ts'
import { never } from '../index/rows.ts'
import { countDue } from '../index/segment-stats.ts'
import type { Row, Table } from '../index/table-type.ts'
import type { Tables } from '../index/tables.ts'
import type { States } from '../snapshot/states.ts'

/** Everything that waits for a clock: deliveries for the real one, other actors for their account's. */
export type Timers = ReturnType<typeof newTimers>

/** Starts without timers; stored rows are loaded one by one. */
export const newTimers = (tables: Tables, states: States, accountOf: (id: AccountId) => Account) => ({
  tables,
  states,
  accountOf,
  /** Places of all accounts' deliveries. */
  attempts: newDueQueue(),
  /** First places of segments with deliveries that are not in that queue yet, by the earliest of them. */
  attemptSegments: newDueQueue(),
  accounts: new Map<AccountId, number>(),
  advancing: new Set<AccountId>(),
})

/** Sets an actor's due time; null for none. */
export const setDue = (
  timers: Timers,
  table: Table,
  row: number,
  place: number,
  dueAtMs: number | null,
): void => {
  const { bits, mask } = table.rows.schema
  const column = viewsAt(table.rows, row).dueAtMs
  const before = column[row & mask]!
  const after = dueAtMs ?? never
  if (after === before) return
  const stats = table.segmentStats[row >>> bits]!
  if (!stats.isQueued) pushSegment(timers, table, row >>> bits)
  column[row & mask] = after
  countDue(stats, before, after)
  pushRow(timers, table, row, place)
}

/** Sets an account's due time, and whether its clock advances. */
export const setAccountDue = ({ accounts, advancing }: Timers, account: Account): void => {
  const dueAtMs = dueAtMsOf('account', account)
  if (dueAtMs === null) accounts.delete(account.id)
  else accounts.set(account.id, dueAtMs)
  if (account.advance === null) advancing.delete(account.id)
  else advancing.add(account.id)
}

const pushRow = ({ attempts }: Timers, table: Table, row: number, place: number): void => {
  const dueAtMs = dueAtMsAt(table, row)
  if (dueAtMs === never) return
  if (table.kind === 'delivery') pushDue(attempts, dueAtMs, place)
  else pushDue(table.due, dueAtMs, row)
}

/** Queues the due rows of a table's segments, each segment when the earliest of them is due. */
export const loadDue = (timers: Timers, table: Table): void => {
  const { bits } = table.rows.schema
  table.segmentStats.forEach((stats, segment) => {
    const { due, minDueAtMs } = stats
    if (due === 0) return
    stats.isQueued = false
    if (table.kind !== 'delivery') pushDue(table.dueSegments, minDueAtMs, segment)
    else pushDue(timers.attemptSegments, minDueAtMs, timers.tables.placeOf(table, segment << bits))
  })
}

/** Puts the due rows of segments into their queue once one of them may be due. */
const openSegments = (timers: Timers, table: Table, nowMs: number): void => {
  const { dueSegments } = table
  while (firstDueAtMs(dueSegments) <= nowMs) {
    const segment = firstDueRow(dueSegments)
    popDue(dueSegments)
    pushSegment(timers, table, segment)
  }
}

const openAttempts = (timers: Timers, atMs: number): void => {
  const { attemptSegments, tables } = timers
  while (firstDueAtMs(attemptSegments) <= atMs) {
    const first = tables.at('delivery', firstDueRow(attemptSegments))
    popDue(attemptSegments)
    if (first !== undefined) pushSegment(timers, first.table, first.row >>> first.table.rows.schema.bits)
  }
}

const pushSegment = (timers: Timers, table: Table, segment: number): void => {
  const { bits, rowsPerSegment } = table.rows.schema
  const stats = table.segmentStats[segment]!
  // Each row is queued once: an attempt is handed out once.
  if (stats.isQueued) return
  stats.isQueued = true
  const first = segment << bits
  const { dueAtMs } = viewsAt(table.rows, first)
  const place = timers.tables.placeOf(table, first)
  for (let n = 0; n < Math.min(rowsPerSegment, table.rows.count - first); n++)
    if (dueAtMs[n] !== never) pushRow(timers, table, first + n, place + n)
}

/** Whether a delivery may have an attempt due. */
export const isAttemptDue = ({ attempts, attemptSegments }: Timers, atMs: number): boolean =>
  firstDueAtMs(attempts) <= atMs || firstDueAtMs(attemptSegments) <= atMs

/** See `Memory.dueTimer`. */
export const dueTimer = (timers: Timers, accountId: AccountId, nowMs: number): Timer | undefined => {
  const { tables, states, accounts, accountOf } = timers
  let first: Table | null = null
  let firstAtMs = accounts.get(accountId) ?? never
  const own = tables.ofAccount(accountId)
  for (const kind of clockedKinds) {
    const table = own?.[kind]
    if (table === undefined) continue
    openSegments(timers, table, nowMs)
    dropStale(table, nowMs)
    if (firstDueAtMs(table.due) >= firstAtMs) continue
    first = table
    firstAtMs = firstDueAtMs(table.due)
  }
  if (firstAtMs > nowMs) return undefined
  if (first === null) return nextTimer('account', accountOf(accountId))!
  const { kind, state } = states.of({ table: first, row: firstDueRow(first.due) })
  return nextTimer(kind, state)!
}

/** Drops queued rows whose due time has changed. */
const dropStale = (table: Table, nowMs: number): void => {
  const { due } = table
  while (firstDueAtMs(due) <= nowMs && dueAtMsAt(table, firstDueRow(due)) !== firstDueAtMs(due)) popDue(due)
}

/**
 * Queues the attempts of all deliveries again: while this node did not own the shard, attempts taken before may
 * not have been made.
 */
export const rearm = (timers: Timers): void => {
  timers.attempts = newDueQueue()
  timers.attemptSegments = newDueQueue()
  for (const table of timers.tables.all()) if (table.kind === 'delivery') loadDue(timers, table)
}

/** Queues the attempt of one delivery again, which was taken and not made. */
export const queueAgain = (timers: Timers, { table, row }: Row): void => {
  // A segment that waits as a whole has it already.
  if (table.segmentStats[row >>> table.rows.schema.bits]!.isQueued)
    pushRow(timers, table, row, timers.tables.placeOf(table, row))
}

/** Drops timers that changed since they were queued, for a replica that only follows. */
export const tidyTimers = (timers: Timers, nowMs: (accountId: AccountId) => number, atMs: number): void => {
  const { tables, attempts } = timers
  for (const table of tables.all()) {
    openSegments(timers, table, nowMs(table.accountId))
    dropStale(table, nowMs(table.accountId))
  }
  openAttempts(timers, atMs)
  while (firstDueAtMs(attempts) <= atMs) {
    const row = tables.at('delivery', firstDueRow(attempts))
    if (row !== undefined && dueAtMsAt(row.table, row.row) === firstDueAtMs(attempts)) return
    popDue(attempts)
  }
}

/** See `Memory.accountsDue`. */
export const dueAccounts = (
  { tables, accounts, advancing }: Timers,
  nowMs: (accountId: AccountId) => number,
): readonly AccountId[] => {
  const due = new Set(advancing)
  for (const { accountId, due: queue, dueSegments } of tables.all()) {
    const dueAtMs = Math.min(firstDueAtMs(queue), firstDueAtMs(dueSegments))
    if (dueAtMs !== never && dueAtMs <= nowMs(accountId)) due.add(accountId)
  }
  for (const [accountId, dueAtMs] of accounts) if (dueAtMs <= nowMs(accountId)) due.add(accountId)
  return [...due]
}

/** See `Memory.takeDueAttempts`. */
export const takeAttempts = (timers: Timers, atMs: number, limit: number): readonly Delivery[] => {
  openAttempts(timers, atMs)
  const { attempts } = timers
  const due: Delivery[] = []
  while (firstDueAtMs(attempts) <= atMs && due.length < limit) {
    try {
      const delivery = firstAttempt(timers)
      if (delivery !== null) due.push(delivery)
    } catch (error) {
      // What was taken is handed out; the next call begins with the one that cannot be read.
      if (due.length === 0) throw error
      break
    }
    popDue(attempts)
  }
  // First attempts due together go out in event order.
  due.sort((a, b) => a.nextAttemptAtMs! - b.nextAttemptAtMs! || (a.eventId < b.eventId ? -1 : 1))
  return due
}

/** The delivery that is first in the queue; null if its due time has changed. */
const firstAttempt = ({ tables, states, attempts }: Timers): Delivery | null => {
  const row = tables.at('delivery', firstDueRow(attempts))
  const isDue = row !== undefined && dueAtMsAt(row.table, row.row) === firstDueAtMs(attempts)
  return isDue ? (states.of(row).state as Delivery) : null
}

const clockedKinds: readonly ListedKind[] = listedKinds.filter((kind) => kind !== 'delivery')

const dueAtMsAt = (table: Table, row: number): number =>
  viewsAt(table.rows, row).dueAtMs[row & table.rows.schema.mask]!
