import { append, type Columns, schema, viewsAt } from './columns.ts'
import { hash32 } from './hash.ts'
import { newHashIndex } from './hash-index.ts'

/** Rows of a table by keys of theirs: only by the hash, so whoever asks looks at the state. */
export type Lookups = {
  readonly put: (key: string, row: number) => void
  readonly has: (key: string, row: number) => boolean
  /** The rows that may go by the key, in order of birth. */
  readonly find: (key: string) => readonly number[]
}

export const lookupSchema = schema(4096, (take) => ({ hash: take.uint32('hash'), row: take.uint32('row') }))
type LookupViews = { readonly hash: Uint32Array; readonly row: Uint32Array }

export const newLookups = (seed: number, pairs: Columns<LookupViews>): Lookups => {
  const { mask } = lookupSchema
  const hashOf = (pair: number): number => viewsAt(pairs, pair).hash[pair & mask]!
  const rowOf = (pair: number): number => viewsAt(pairs, pair).row[pair & mask]!
  const index = newHashIndex(hashOf, pairs.count)
  for (let pair = 0; pair < pairs.count; pair++) index.add(hashOf(pair), pair)

  return {
    put: (key, row) => {
      const pair = append(pairs)
      const views = viewsAt(pairs, pair)
      views.hash[pair & mask] = hash32(seed, key)
      views.row[pair & mask] = row
      index.add(hashOf(pair), pair)
    },
    has: (key, row) => {
      const hash = hash32(seed, key)
      return index.find(hash, (pair) => rowOf(pair) === row && hashOf(pair) === hash) !== -1
    },
    find: (key) => {
      const hash = hash32(seed, key)
      const rows: number[] = []
      index.find(hash, (pair) => {
        if (hashOf(pair) === hash) rows.push(rowOf(pair))
        return false
      })
      return rows.sort((a, b) => a - b)
    },
  }
}
