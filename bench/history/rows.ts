import { type SeedRow, seedRows } from '../lists/rows.ts'
import type { SliceOfShard } from './slice.ts'

export const years = 2

/**
 * The rows of a company over two years. There is a person for every fourth row, and the smaller a person's number the more
 * often they pay: half of the rows are of a quarter of the people.
 */
export const historyRows = (
  index: number,
  { rowsEach, seed, endMs }: Pick<SliceOfShard, 'rowsEach' | 'seed' | 'endMs'>,
): Generator<SeedRow> => {
  const people = Math.ceil(rowsEach / 4)
  return seedRows(rowsEach, seed + index, endMs, {
    years,
    payerOf: (random) => Math.floor(people * random() ** 2),
  })
}
