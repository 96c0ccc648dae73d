import type { ListedKind } from '../../engine/kernel/registry.ts'
import { idPrefixOf, isKeptByReset, listedKinds } from '../../engine/registry.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { viewsAt } from '../base/columns.ts'
import { addHashed, findHashed, newHashIndex } from '../base/hash-index.ts'
import { hashAt, idAt, isIdAt, packId } from '../base/packed-id.ts'
import { rowSchemas } from './rows.ts'
import { openTable, type StoredTable, type TableOf } from './table.ts'
import type { Table } from './table-type.ts'

/** The tables of all accounts, and the row of each id. */
export type Tables = {
  readonly of: <Kind extends ListedKind>(accountId: AccountId, kind: Kind) => TableOf[Kind] | undefined
  /** The account's table of a kind, created if missing. */
  readonly open: <Kind extends ListedKind>(accountId: AccountId, kind: Kind) => TableOf[Kind]
  /** The account's current tables by kind; undefined if it has none. */
  readonly ofAccount: (accountId: AccountId) => Readonly<Partial<Record<ListedKind, Table>>> | undefined
  readonly all: () => Iterable<Table>
  /** An actor's place; -1 if there is none. Places are unique within a kind. */
  readonly find: (kind: ListedKind, id: string) => number
  readonly at: <Kind extends ListedKind>(kind: Kind, place: number) => Row<TableOf[Kind]> | undefined
  /** Makes the row findable by id. Returns its place. */
  readonly index: (table: Table, row: number) => number
  /** Makes the rows of all loaded tables findable; called before anything else is indexed. */
  readonly indexAll: (visit: (table: Table, row: number, place: number) => void) => void
  /** Loads a table; its rows are found once they are indexed. */
  readonly load: (number: number, kind: ListedKind, accountId: AccountId, stored: StoredTable) => Table
  /** A number that no table has used. */
  readonly newNumber: () => number
  /** Reserves a number used by something else. */
  readonly takeNumber: (number: number) => void
  /** Forgets the account's tables and returns them, except those that a Sandbox reset keeps. */
  readonly drop: (accountId: AccountId) => readonly Table[]
}

export type Row<Of extends Table = Table> = { readonly table: Of; readonly row: number }

/** The id of a row's actor. */
export const idOf = ({ table, row }: Row): string =>
  idAt(idPrefixOf(table.kind), viewsAt(table.rows, row).id, row & table.rows.schema.mask)

/** Bounds segment numbers, which are not reused after a segment is gone. */
const segmentsMax = 2 ** 20

/** Empty tables. The seed is the store's, for all hashes. */
export const newTables = (seed: number): Tables => {
  const accounts = new Map<AccountId, Partial<Record<ListedKind, Table>>>()
  const all = new Set<Table>()
  let lastNumber = 0

  const directories = Object.fromEntries(
    listedKinds.map((kind) => [kind, newDirectory(kind, 0)]),
  ) as unknown as Record<ListedKind, Directory>

  const enter = <Kind extends ListedKind>(
    number: number,
    kind: Kind,
    accountId: AccountId,
    stored: StoredTable | null,
  ): TableOf[Kind] => {
    const table: TableOf[Kind] = openTable(kind, accountId, number, seed, stored)
    const own = accounts.get(accountId)
    if (own === undefined) accounts.set(accountId, { [kind]: table })
    else own[kind] = table
    all.add(table)
    takeNumber(number)
    return table
  }

  const newNumber = (): number => ++lastNumber
  const takeNumber = (number: number): void => {
    lastNumber = Math.max(lastNumber, number)
  }

  return {
    of: (accountId, kind) => accounts.get(accountId)?.[kind] as TableOf[typeof kind] | undefined,
    open: (accountId, kind) =>
      (accounts.get(accountId)?.[kind] as TableOf[typeof kind] | undefined) ??
      enter(newNumber(), kind, accountId, null),
    ofAccount: (accountId) => accounts.get(accountId),
    all: () => all,
    find: (kind, id) => directories[kind].find(id),
    at: (kind, place) => directories[kind].at(place) as Row<TableOf[typeof kind]> | undefined,
    index: (table, row) => directories[table.kind].add(table, row),
    indexAll: (visit) => {
      for (const kind of listedKinds) {
        const own = [...all].filter((table) => table.kind === kind)
        const rows = own.reduce((sum, table) => sum + table.rows.count, 0)
        directories[kind] = newDirectory(kind, rows)
        for (const table of own)
          for (let row = 0; row < table.rows.count; row++)
            visit(table, row, directories[kind].add(table, row))
      }
    },
    load: enter,
    newNumber,
    takeNumber,
    drop: (accountId) => {
      const own: Partial<Record<ListedKind, Table>> = accounts.get(accountId) ?? {}
      const dropped = Object.values(own).filter(({ kind }) => !isKeptByReset(kind))
      for (const { kind } of dropped) delete own[kind]
      for (const table of dropped) {
        table.isDropped = true
        all.delete(table)
        directories[table.kind].forget(table)
      }
      return dropped
    },
  }
}

/**
 * The rows of one kind over all accounts. A place is a segment's number in order of creation and the row's position in
 * it.
 */
type Directory = {
  readonly find: (id: string) => number
  readonly at: (place: number) => Row | undefined
  readonly add: (table: Table, row: number) => number
  readonly forget: (table: Table) => void
}

const newDirectory = (kind: ListedKind, expected: number): Directory => {
  const { bits, mask } = rowSchemas[kind]
  const prefix = idPrefixOf(kind)
  const homes: ({ readonly table: Table; readonly segment: number } | undefined)[] = []
  /** The numbers of a table's segments. */
  const numbers = new Map<Table, number[]>()

  const idsAt = (place: number): Uint32Array | undefined => {
    const home = homes[place >>> bits]
    if (home === undefined) return undefined
    const { table, segment } = home
    return (segment << bits) + (place & mask) < table.rows.count
      ? table.rows.segments[segment]!.views.id
      : undefined
  }

  const index = newHashIndex((place) => {
    const ids = idsAt(place)
    return ids === undefined ? null : hashAt(ids, place & mask)
  }, expected)

  const numberOf = (table: Table, segment: number): number => {
    let own = numbers.get(table)
    if (own === undefined) {
      own = []
      numbers.set(table, own)
    }
    if (own[segment] === undefined) {
      own[segment] = homes.push({ table, segment }) - 1
      assert(homes.length <= segmentsMax, 'a place is a number of 32 bits')
    }
    return own[segment]
  }

  const find = (id: string): number => {
    if (id === lastId) return lastPlace
    const packed = packId(prefix, id)
    if (packed === null) return -1
    lastId = id
    lastPlace = findHashed(index, hashAt(packed, 0), (place) => {
      const ids = idsAt(place)
      return ids !== undefined && isIdAt(ids, place & mask, packed)
    })
    return lastPlace
  }
  // A turn asks for the same id many times.
  let lastId = ''
  let lastPlace = -1

  return {
    find,
    at: (place) => {
      const home = homes[place >>> bits]
      return home && { table: home.table, row: (home.segment << bits) + (place & mask) }
    },
    add: (table, row) => {
      const place = numberOf(table, row >>> bits) * (mask + 1) + (row & mask)
      addHashed(index, hashAt(viewsAt(table.rows, row).id, row & mask), place)
      lastId = ''
      return place
    },
    forget: (table) => {
      for (const number of numbers.get(table) ?? []) homes[number] = undefined
      numbers.delete(table)
      lastId = ''
    },
  }
}
