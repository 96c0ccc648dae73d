import { append, type Columns, schema, type Take, viewsAt } from '../../base/columns.ts'
import { addHashed, findHashed, type HashIndex, newHashIndex, replaceHashed } from '../../base/hash-index.ts'

/** The keys of late: records in the order they were written, and an index of them. */
export type RecentKeys = {
  readonly records: Columns<RecordViews>
  /** The newest record of each hash, which leads to the earlier ones. */
  readonly index: HashIndex
}

const recordViews = (take: Take) => ({
  hash: take.uint32('hash'),
  /** A number from 1, the row's; see `keyRow`. */
  row: take.uint32('row'),
  /** The previous record with the same hash, as a number from 1; 0 for the first. */
  before: take.uint32('before'),
  /** More bits of the hash: a number below 255; see `listedMore`. */
  more: take.uint8('more'),
})
type RecordViews = ReturnType<typeof recordViews>
export const recentKeySchema = schema(16_384, recordViews)
const { mask } = recentKeySchema

/** A row under a key, or one that is no longer. */
export const keyRow = (row: number, isGone: boolean): number => (isGone ? row + goneFrom : row)
export const goneFrom = 2 ** 31

/** In the place of more bits of a hash: a record of a list, which no filter has. */
export const listedMore = 255

/** Indexes stored records. */
export const newRecentKeys = (records: Columns<RecordViews>): RecentKeys => {
  const hashOf = (record: number): number => viewsAt(records, record).hash[record & mask]!
  const recent = { records, index: newHashIndex(hashOf, records.count) }
  for (let n = 0; n < records.count; n++)
    enter(recent, hashOf(n), n, viewsAt(records, n).before[n & mask]! - 1)
  return recent
}

/** Adds a record. */
export const addKey = (recent: RecentKeys, hash: number, more: number, row: number): void => {
  const { records } = recent
  const last = newest(recent, hash)
  const record = append(records)
  const views = viewsAt(records, record)
  views.hash[record & mask] = hash
  views.more[record & mask] = more
  views.row[record & mask] = row
  views.before[record & mask] = last + 1
  enter(recent, hash, record, last)
}

/** Visits the rows of records with this hash, the newest first, until a visit returns false. */
export const visitRecent = (
  recent: RecentKeys,
  hash: number,
  more: number,
  visit: (row: number) => unknown,
): void => {
  const { records } = recent
  for (let record = newest(recent, hash); record !== -1; ) {
    const views = viewsAt(records, record)
    if (views.more[record & mask] === more && visit(views.row[record & mask]!) === false) return
    record = views.before[record & mask]! - 1
  }
}

const newest = ({ records, index }: RecentKeys, hash: number): number =>
  findHashed(index, hash, (record) => viewsAt(records, record).hash[record & mask] === hash)

const enter = ({ index }: RecentKeys, hash: number, record: number, last: number): void => {
  if (last === -1) addHashed(index, hash, record)
  else replaceHashed(index, hash, last, record)
}

/** The records in order of hash, those of one hash from the newest on. */
export const sortedKeys = ({ records }: RecentKeys): KeyRecords => {
  const { count } = records
  const order = new Float64Array(count)
  // Hash and age in one double, which sorts without a comparison function.
  for (let n = 0; n < count; n++)
    order[n] = viewsAt(records, n).hash[n & mask]! * numbersMax + (numbersMax - 1 - n)
  order.sort()
  const sorted = newKeyRecords(count)
  for (let n = 0; n < count; n++) {
    const record = numbersMax - 1 - (order[n]! % numbersMax)
    const views = viewsAt(records, record)
    const at = record & mask
    sorted.hash[n] = views.hash[at]!
    sorted.more[n] = views.more[at]!
    sorted.row[n] = views.row[at]!
  }
  return sorted
}

const numbersMax = 2 ** 21

/** How many records have a place in the filter of their run. */
export const filteredRecords = ({ more }: KeyRecords): number => {
  let filtered = 0
  for (const bits of more) if (bits !== listedMore) filtered += 1
  return filtered
}

/** Records as columns. */
export type KeyRecords = {
  readonly hash: Uint32Array
  readonly row: Uint32Array
  readonly more: Uint8Array
}

/** Room for records. */
export const newKeyRecords = (count: number): KeyRecords => ({
  hash: new Uint32Array(count),
  row: new Uint32Array(count),
  more: new Uint8Array(count),
})
