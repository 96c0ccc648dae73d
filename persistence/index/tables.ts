import type { ListedKind } from '../../engine/kernel/registry.ts'
import { idPrefixOf, isKeptByReset } from '../../engine/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { type SegmentPaging, viewsAt } from '../base/columns.ts'
import type { Keys } from '../base/keys/keys.ts'
import { idAt } from '../base/packed-id.ts'
import { type Pageable, releaseMembers } from '../base/pager.ts'
import { newRowPlaces, type RowPlaces } from './row-places.ts'
import { openTable, type StoredTable, type TableOf } from './table.ts'
import type { Row, Table } from './table-type.ts'

/** The tables of all accounts, and the row of each id. */
export type Tables = RowPlaces & {
  readonly of: <Kind extends ListedKind>(accountId: AccountId, kind: Kind) => TableOf[Kind] | undefined
  /** The account's table of a kind, created if missing. */
  readonly open: <Kind extends ListedKind>(accountId: AccountId, kind: Kind) => TableOf[Kind]
  /** The account's current tables by kind; undefined if it has none. */
  readonly ofAccount: (accountId: AccountId) => Readonly<Partial<Record<ListedKind, Table>>> | undefined
  readonly all: () => Iterable<Table>
  /** The table of this number, unless it was dropped. */
  readonly numbered: (number: number) => Table | undefined
  /** Loads a table, whose rows can be found at once. */
  readonly load: (number: number, kind: ListedKind, accountId: AccountId, stored: StoredTable) => Table
  /** A number that no table has used. */
  readonly newNumber: () => number
  /** Reserves a number used by something else. */
  readonly takeNumber: (number: number) => void
  /** Forgets the account's tables and returns them, except those that a Sandbox reset keeps. */
  readonly drop: (accountId: AccountId) => readonly Table[]
}

/** The id of a row's actor. */
export const idOf = ({ table, row }: Row): string =>
  idAt(idPrefixOf(table.kind), viewsAt(table.rows, row).id, row & table.rows.schema.mask)

/** Empty tables. The seed is the store's, for all hashes. */
export const newTables = (seed: number, paging: SegmentPaging, keys: Keys): Tables => {
  const accounts = new Map<AccountId, Partial<Record<ListedKind, Table>>>()
  const all = new Map<number, Table>()
  let lastNumber = 0

  const { places, load, leave, forget } = newRowPlaces()

  const enter = <Kind extends ListedKind>(
    number: number,
    kind: Kind,
    accountId: AccountId,
    stored: StoredTable | null,
  ): TableOf[Kind] => {
    const table: TableOf[Kind] = openTable(
      kind,
      accountId,
      number,
      { seed, paging, keys, onLeave: leave },
      stored,
    )
    const own = accounts.get(accountId)
    if (own === undefined) accounts.set(accountId, { [kind]: table })
    else own[kind] = table
    all.set(number, table)
    takeNumber(number)
    return table
  }

  const newNumber = (): number => ++lastNumber
  const takeNumber = (number: number): void => {
    lastNumber = Math.max(lastNumber, number)
  }

  return {
    ...places,
    of: (accountId, kind) => accounts.get(accountId)?.[kind] as TableOf[typeof kind] | undefined,
    open: (accountId, kind) =>
      (accounts.get(accountId)?.[kind] as TableOf[typeof kind] | undefined) ??
      enter(newNumber(), kind, accountId, null),
    ofAccount: (accountId) => accounts.get(accountId),
    all: () => all.values(),
    numbered: (number) => all.get(number),
    load: (number, kind, accountId, stored) => {
      const table = enter(number, kind, accountId, stored)
      load(table)
      return table
    },
    newNumber,
    takeNumber,
    drop: (accountId) => {
      const own: Partial<Record<ListedKind, Table>> = accounts.get(accountId) ?? {}
      const dropped = Object.values(own).filter(({ kind }) => !isKeptByReset(kind))
      for (const { kind } of dropped) delete own[kind]
      for (const table of dropped) {
        table.isDropped = true
        all.delete(table.number)
        forget(table)
        releaseMembers(
          paging.pager,
          new Set(Object.values(table.columns).flatMap<Pageable>(({ segments }) => segments)),
        )
      }
      return dropped
    },
  }
}
