import type { Timer } from '../../engine/kernel/due-work.ts'
import type { ListedKind } from '../../engine/kernel/registry.ts'
import type { Account } from '../../engine/ledger/account.ts'
import { dueAtMsOf, listedKinds, nextTimer } from '../../engine/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { viewsAt } from '../base/columns.ts'
import { firstDueAtMs, firstDueRow, newDueQueue, popDue, pushDue } from '../base/due-queue.ts'
import { never } from '../index/rows.ts'
import type { Table } from '../index/table-type.ts'
import { idOf, type Tables } from '../index/tables.ts'
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
  const column = viewsAt(table.rows, row).dueAtMs
  const n = row & table.rows.schema.mask
  const before = column[n]!
  column[n] = dueAtMs ?? never
  if (column[n] !== before) loadDue(timers, table, row, place)
}

/** Sets an account's due time, and whether its clock advances. */
export const setAccountDue = ({ accounts, advancing }: Timers, account: Account): void => {
  const dueAtMs = dueAtMsOf('account', account)
  if (dueAtMs === null) accounts.delete(account.id)
  else accounts.set(account.id, dueAtMs)
  if (account.advance === null) advancing.delete(account.id)
  else advancing.add(account.id)
}

/** Loads a stored row with its due time. */
export const loadDue = ({ attempts }: Timers, table: Table, row: number, place: number): void => {
  const dueAtMs = dueAtMsAt(table, row)
  if (dueAtMs === never) return
  if (table.kind === 'delivery') pushDue(attempts, dueAtMs, place)
  else pushDue(table.due, dueAtMs, row)
}

/** See `Memory.dueTimer`. */
export const dueTimer = (
  { tables, states, accounts, accountOf }: Timers,
  accountId: AccountId,
  nowMs: number,
): Timer | undefined => {
  let first: Table | null = null
  let firstAtMs = accounts.get(accountId) ?? never
  const own = tables.ofAccount(accountId)
  for (const kind of clockedKinds) {
    const table = own?.[kind]
    if (table === undefined) continue
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
  const { tables } = timers
  timers.attempts = newDueQueue()
  for (const table of tables.all()) {
    if (table.kind !== 'delivery') continue
    for (let row = 0; row < table.rows.count; row++)
      if (dueAtMsAt(table, row) !== never)
        loadDue(timers, table, row, tables.find('delivery', idOf({ table, row })))
  }
}

/** Drops timers that changed since they were queued, for a replica that only follows. */
export const tidyTimers = (
  { tables, attempts }: Timers,
  nowMs: (accountId: AccountId) => number,
  atMs: number,
): void => {
  for (const table of tables.all()) dropStale(table, nowMs(table.accountId))
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
  for (const { accountId, due: queue } of tables.all()) {
    const dueAtMs = firstDueAtMs(queue)
    if (dueAtMs !== never && dueAtMs <= nowMs(accountId)) due.add(accountId)
  }
  for (const [accountId, dueAtMs] of accounts) if (dueAtMs <= nowMs(accountId)) due.add(accountId)
  return [...due]
}

/** See `Memory.takeDueAttempts`. */
export const takeAttempts = (
  { tables, states, attempts }: Timers,
  atMs: number,
  limit: number,
): readonly Delivery[] => {
  const due: Delivery[] = []
  while (firstDueAtMs(attempts) <= atMs && due.length < limit) {
    const dueAtMs = firstDueAtMs(attempts)
    const row = tables.at('delivery', firstDueRow(attempts))
    popDue(attempts)
    if (row !== undefined && dueAtMsAt(row.table, row.row) === dueAtMs)
      due.push(states.of(row).state as Delivery)
  }
  // First attempts due together go out in event order.
  due.sort((a, b) => a.nextAttemptAtMs! - b.nextAttemptAtMs! || (a.eventId < b.eventId ? -1 : 1))
  return due
}

const clockedKinds: readonly ListedKind[] = listedKinds.filter((kind) => kind !== 'delivery')

const dueAtMsAt = (table: Table, row: number): number =>
  viewsAt(table.rows, row).dueAtMs[row & table.rows.schema.mask]!
