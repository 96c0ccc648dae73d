import { append, type Columns, schema, type Take, viewsAt } from './columns.ts'
import { hash32 } from './hash.ts'
import { newHashIndex } from './hash-index.ts'

/** Rows of a table by keys of theirs: only by the hash, so whoever asks looks at the state. */
export type Lookups = {
  readonly put: (key: string, row: number) => void
  readonly has: (key: string, row: number) => boolean
  /** The rows that may go by the key, in the order in which they were put. */
  readonly find: (key: string) => readonly number[]
}

const views = (take: Take) => ({
  hash: take.uint32('hash'),
  row: take.uint32('row'),
  /** The pair of the same hash before this one, as a number from 1; 0 for the first. */
  before: take.uint32('before'),
})
export const lookupSchema = schema(4096, views)

export const newLookups = (seed: number, pairs: Columns<ReturnType<typeof views>>): Lookups => {
  const { mask } = lookupSchema
  const hashOf = (pair: number): number => viewsAt(pairs, pair).hash[pair & mask]!
  /** The newest pair of each hash. */
  const index = newHashIndex(hashOf, pairs.count)

  const newest = (hash: number): number => index.find(hash, (pair) => hashOf(pair) === hash)

  const enter = (hash: number, pair: number, before: number): void => {
    if (before === -1) index.add(hash, pair)
    else index.replace(hash, before, pair)
  }

  const rowsOf = function* (key: string): Iterable<number> {
    for (let pair = newest(hash32(seed, key)); pair !== -1; ) {
      const { row, before } = viewsAt(pairs, pair)
      yield row[pair & mask]!
      pair = before[pair & mask]! - 1
    }
  }

  for (let pair = 0; pair < pairs.count; pair++)
    enter(hashOf(pair), pair, viewsAt(pairs, pair).before[pair & mask]! - 1)

  return {
    put: (key, row) => {
      const hash = hash32(seed, key)
      const before = newest(hash)
      const pair = append(pairs)
      const own = viewsAt(pairs, pair)
      own.hash[pair & mask] = hash
      own.row[pair & mask] = row
      own.before[pair & mask] = before + 1
      enter(hash, pair, before)
    },
    has: (key, row) => {
      for (const other of rowsOf(key)) if (other === row) return true
      return false
    },
    find: (key) => [...rowsOf(key)].reverse(),
  }
}
