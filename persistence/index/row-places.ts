import type { ListedKind } from '../../engine/kernel/registry.ts'
import { idPrefixOf, listedKinds } from '../../engine/registry.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { BloomFilter } from '../base/bloom-filter.ts'
import { viewsOf } from '../base/columns.ts'
import { addHashed, findHashed, newHashIndex, removeHashed } from '../base/hash-index.ts'
import { hashAt, idMsAt, isIdAt, type PackedId, packId } from '../base/packed-id.ts'
import { type Derived, discard, newDerived } from '../base/pager.ts'
import { rowSchemas } from './rows.ts'
import { mayHaveId, storedFilter } from './segment-filters.ts'
import type { TableOf } from './table.ts'
import type { Row, Table } from './table-type.ts'

/**
 * Where the actors of all accounts are. A place is unique within its kind: a segment's number in order of creation and the row's position in
 * it. Ids of segments in memory are found by hash; of the others by time, which ids begin with: a segment knows its first and last.
 */
export type RowPlaces = {
  /** An actor's place; -1 if there is none. */
  readonly find: (kind: ListedKind, id: string) => number
  readonly at: <Kind extends ListedKind>(kind: Kind, place: number) => Row<TableOf[Kind]> | undefined
  /** The place of a row. */
  readonly placeOf: (table: Table, row: number) => number
  /** Makes a new row findable by id. Returns its place. */
  readonly index: (table: Table, row: number) => number
}

/** No places yet. */
export const newRowPlaces = () => {
  const kinds = Object.fromEntries(listedKinds.map((kind) => [kind, newPlacesOf(kind)])) as unknown as Record<
    ListedKind,
    PlacesOfKind
  >
  return {
    places: {
      find: (kind, id) => kinds[kind].find(id),
      at: (kind, place) => kinds[kind].at(place) as Row<TableOf[typeof kind]> | undefined,
      placeOf: (table: Table, row: number): number => kinds[table.kind].placeOf(table, row),
      index: (table, row) => kinds[table.kind].add(table, row),
    } satisfies RowPlaces,
    /** Makes the rows of a loaded table findable. */
    load: (table: Table): void => kinds[table.kind].load(table),
    /** Call before a segment leaves memory. */
    leave: (table: Table, segment: number): void => kinds[table.kind].leave(table, segment),
    forget: (table: Table): void => kinds[table.kind].forget(table),
  }
}

type PlacesOfKind = ReturnType<typeof newPlacesOf>

type Home = {
  readonly table: Table
  readonly segment: number
  /** Whether its ids are found by hash. */
  isIndexed: boolean
  readonly filter: Derived<BloomFilter>
}

/** Bounds segment numbers, which are not reused after a segment is gone. */
const segmentsMax = 2 ** 20

const newPlacesOf = (kind: ListedKind) => {
  const { bits, mask } = rowSchemas[kind]
  const prefix = idPrefixOf(kind)
  const homes: (Home | undefined)[] = []
  /** The numbers of a table's segments. */
  const numbers = new Map<Table, number[]>()
  const times = newRanges()

  const idsAt = (place: number): Uint32Array | undefined => {
    const home = homes[place >>> bits]
    if (home === undefined) return undefined
    const { table, segment } = home
    return (segment << bits) + (place & mask) < table.rows.count ? viewsOf(table.rows, segment).id : undefined
  }

  const index = newHashIndex((place) => {
    if (homes[place >>> bits]?.isIndexed !== true) return null
    const ids = idsAt(place)
    return ids === undefined ? null : hashAt(ids, place & mask)
  })

  const numberOf = (table: Table, segment: number): number => {
    let own = numbers.get(table)
    if (own === undefined) {
      own = []
      numbers.set(table, own)
    }
    if (own[segment] === undefined) {
      own[segment] = homes.push({ table, segment, isIndexed: false, filter: newDerived() }) - 1
      assert(homes.length <= segmentsMax, 'a place is a number of 32 bits')
    }
    return own[segment]
  }

  const rowsIn = ({ table: { rows }, segment }: Home): number =>
    Math.min(mask + 1, rows.count - (segment << bits))

  /** Indexes all rows of a segment. */
  const enter = (number: number): void => {
    const home = homes[number]!
    const ids = viewsOf(home.table.rows, home.segment).id
    // First: the index asks for hashes while it grows.
    home.isIndexed = true
    for (let n = 0; n < rowsIn(home); n++) addHashed(index, hashAt(ids, n), number * (mask + 1) + n)
    // New ids may come.
    discard(home.table.rows.paging.pager, home.filter)
    times.clear(number)
  }

  const showTimes = (number: number, { table, segment }: Home): void => {
    const { minIdMs, maxIdMs } = table.segmentStats[segment]!
    times.set(number, minIdMs, maxIdMs)
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
    if (lastPlace === -1) lastPlace = findByTime(packed)
    return lastPlace
  }
  // A turn asks for the same id many times.
  let lastId = ''
  let lastPlace = -1

  const findByTime = (packed: PackedId): number => {
    const candidates = times.around(idMsAt(packed, 0))
    const asksFilters = candidates.length > fewCandidates
    for (const number of candidates) {
      const home = homes[number]!
      const filter = asksFilters ? storedFilter(home.table.rows, home.segment, 1, home.filter) : null
      if (filter !== null && !mayHaveId(filter, packed)) continue
      const ids = viewsOf(home.table.rows, home.segment).id
      for (let n = rowsIn(home) - 1; n >= 0; n--) if (isIdAt(ids, n, packed)) return number * (mask + 1) + n
    }
    return -1
  }

  return {
    find,
    at: (place: number): Row | undefined => {
      const home = homes[place >>> bits]
      return home && { table: home.table, row: (home.segment << bits) + (place & mask) }
    },
    placeOf: (table: Table, row: number): number => numberOf(table, row >>> bits) * (mask + 1) + (row & mask),
    add: (table: Table, row: number): number => {
      const number = numberOf(table, row >>> bits)
      const place = number * (mask + 1) + (row & mask)
      if (homes[number]!.isIndexed)
        addHashed(index, hashAt(viewsOf(table.rows, row >>> bits).id, row & mask), place)
      else enter(number)
      lastId = ''
      return place
    },
    load: (table: Table): void => {
      table.rows.segments.forEach(({ bytes }, segment) => {
        const number = numberOf(table, segment)
        if (bytes === null) showTimes(number, homes[number]!)
        else enter(number)
      })
    },
    leave: (table: Table, segment: number): void => {
      const number = numberOf(table, segment)
      const home = homes[number]!
      if (!home.isIndexed) return
      const ids = viewsOf(table.rows, segment).id
      for (let n = 0; n < rowsIn(home); n++) removeHashed(index, hashAt(ids, n), number * (mask + 1) + n)
      home.isIndexed = false
      showTimes(number, home)
    },
    forget: (table: Table): void => {
      for (const number of numbers.get(table) ?? []) {
        homes[number] = undefined
        times.clear(number)
      }
      numbers.delete(table)
      lastId = ''
    },
  }
}

/** Up to so many segments are read for an id without a look at their filters. */
const fewCandidates = 2

/** Ranges of times by number, in blocks, so that most are not looked at. */
const newRanges = () => {
  const mins: number[] = []
  const maxes: number[] = []
  const blockMins: number[] = []
  const blockMaxes: number[] = []
  let end = Number.NEGATIVE_INFINITY

  const set = (number: number, from: number, to: number): void => {
    while (mins.length <= number) {
      mins.push(Number.POSITIVE_INFINITY)
      maxes.push(Number.NEGATIVE_INFINITY)
    }
    mins[number] = from
    maxes[number] = to
    const block = number >>> blockBits
    const first = block << blockBits
    blockMins[block] = Math.min(...mins.slice(first, first + blockSize))
    blockMaxes[block] = Math.max(...maxes.slice(first, first + blockSize))
    end = Math.max(end, to)
  }

  return {
    set,
    clear: (number: number) => {
      if (number < mins.length) set(number, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
    },
    /** The numbers of ranges with this time, the last first. */
    around: (atMs: number): readonly number[] => {
      // New ids are of a later time than anything on disk.
      if (atMs > end) return none
      const found: number[] = []
      for (let block = blockMins.length - 1; block >= 0; block--) {
        if (!(blockMins[block]! <= atMs && atMs <= blockMaxes[block]!)) continue
        for (let n = Math.min(mins.length, (block + 1) << blockBits) - 1; n >= block << blockBits; n--)
          if (mins[n]! <= atMs && atMs <= maxes[n]!) found.push(n)
      }
      return found
    },
  }
}

const none: readonly number[] = []
const blockBits = 6
const blockSize = 2 ** blockBits
