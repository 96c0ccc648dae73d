import type { SegmentPaging } from '../../persistence/base/columns.ts'
import { type Keys, newKeys } from '../../persistence/base/keys/keys.ts'
import { newPager } from '../../persistence/base/pager.ts'

const missing = (key: number): never => {
  throw new Error(`nothing is stored at ${key}`)
}

/** Columns without a store: nothing leaves memory. */
export const inMemory = (): SegmentPaging => ({ pager: newPager(Number.POSITIVE_INFINITY, missing) })

/** Keys without a store. */
export const keysInMemory = (seed = 0): Keys => newKeys(seed, inMemory(), () => 1)

/** Keys of a snapshot that has none. */
export const noKeys = { recent: null, dropped: [], sealed: null, runs: [], replaced: [] } as const
