import type { BloomFilter } from '../base/bloom-filter.ts'
import type { Derived } from '../base/pager.ts'

/**
 * The filters of 64 segments of payers together, bit by bit: for each bit of a filter, which of the segments have it. They are stored in pieces of a
 * page, made at the first search after all of the segments are stored, so that a search reads some pages for a quarter of a million payers instead of
 * every filter.
 */
export type TextFilters = {
  /** Those of segments that belong to no group yet. */
  readonly alone: Derived<BloomFilter>[]
  readonly groups: FilterGroup[]
}

export type FilterGroup = {
  /** Which stored segments it was made of. */
  readonly mark: number
  /** Whether a piece of it was missing. */
  isIncomplete: boolean
  readonly pieces: Derived<FilterPiece>[]
}

/** The mark, a number that is not used, and two numbers for each bit, with the segments that have it. */
export type FilterPiece = Uint32Array

/** No filters yet. */
export const newTextFilters = (): TextFilters => ({ alone: [], groups: [] })
