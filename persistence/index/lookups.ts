import { append, type Columns, schema, type Take, viewsAt } from '../base/columns.ts'
import { hash32, hash53 } from '../base/hash.ts'
import { addHashed, findHashed, type HashIndex, newHashIndex, replaceHashed } from '../base/hash-index.ts'

/** Rows of a table by lookup key. Only hashes are stored, so callers check the state, or that both hashes are the key's. */
export type Lookups = {
  readonly seed: number
  readonly pairs: Columns<PairViews>
  /** The newest pair of each hash, which leads to the earlier ones. */
  readonly index: HashIndex
}

const pairViews = (take: Take) => ({
  /** 53 bits of the key, by other mixing than the 32 by which it is found. */
  check: take.float64('check'),
  hash: take.uint32('hash'),
  row: take.uint32('row'),
  /** The previous pair with the same hash, as a number from 1; 0 for the first. */
  before: take.uint32('before'),
})
type PairViews = ReturnType<typeof pairViews>
export const lookupSchema = schema(4096, pairViews)
const { mask } = lookupSchema

/** Indexes the stored pairs. */
export const newLookups = (seed: number, pairs: Columns<PairViews>): Lookups => {
  const hashOf = (pair: number): number => viewsAt(pairs, pair).hash[pair & mask]!
  const lookups = { seed, pairs, index: newHashIndex(hashOf, pairs.count) }
  for (let pair = 0; pair < pairs.count; pair++) enter(lookups, hashOf(pair), pair, before(pairs, pair))
  return lookups
}

/** Adds a row under a key. */
export const putLookup = (lookups: Lookups, key: string, row: number): void => {
  const { seed, pairs } = lookups
  const hash = hash32(seed, key)
  const last = newest(lookups, hash)
  const pair = append(pairs)
  const views = viewsAt(pairs, pair)
  views.check[pair & mask] = hash53(seed, key)
  views.hash[pair & mask] = hash
  views.row[pair & mask] = row
  views.before[pair & mask] = last + 1
  enter(lookups, hash, pair, last)
}

/** Whether the row may already be under this key. */
export const hasLookup = (lookups: Lookups, key: string, row: number): boolean => {
  const { seed, pairs } = lookups
  for (let pair = newest(lookups, hash32(seed, key)); pair !== -1; pair = before(pairs, pair))
    if (rowAt(pairs, pair) === row) return true
  return false
}

/** The rows that may have the key, in the order they were added. */
export const findLookup = (lookups: Lookups, key: string): readonly number[] => {
  const { seed, pairs } = lookups
  const rows: number[] = []
  for (let pair = newest(lookups, hash32(seed, key)); pair !== -1; pair = before(pairs, pair))
    rows.push(rowAt(pairs, pair))
  return rows.reverse()
}

/**
 * The first row that was added under the key, by both of its hashes; -1 if there is none. 85 bits distinguish the
 * keys of an account: among a hundred million keys, some two collide with a probability of 10⁻¹⁰.
 */
export const firstLookup = (lookups: Lookups, key: string): number => {
  const { seed, pairs } = lookups
  const check = hash53(seed, key)
  let first = -1
  for (let pair = newest(lookups, hash32(seed, key)); pair !== -1; pair = before(pairs, pair))
    if (viewsAt(pairs, pair).check[pair & mask] === check) first = rowAt(pairs, pair)
  return first
}

const rowAt = (pairs: Lookups['pairs'], pair: number): number => viewsAt(pairs, pair).row[pair & mask]!

/** The pair that was added before this one under the same hash; -1 for the first. */
const before = (pairs: Lookups['pairs'], pair: number): number =>
  viewsAt(pairs, pair).before[pair & mask]! - 1

const newest = ({ pairs, index }: Pick<Lookups, 'pairs' | 'index'>, hash: number): number =>
  findHashed(index, hash, (pair) => viewsAt(pairs, pair).hash[pair & mask] === hash)

const enter = ({ index }: Lookups, hash: number, pair: number, last: number): void => {
  if (last === -1) addHashed(index, hash, pair)
  else replaceHashed(index, hash, last, pair)
}
