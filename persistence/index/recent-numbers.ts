import { addHashed, findHashed, type HashIndex, newHashIndex } from '../base/hash-index.ts'

/**
 * Finds rows of late by hash, so that what comes again soon gets the number that it had. What comes again after very many others gets
 * another number: a search looks at all of them. Which rows are found follows from how many there are, so it is the same
 * after a restart.
 */
export type RecentNumbers = {
  readonly hashOf: (row: number) => number
  /** The rows of a part, which ends at a multiple of `rowsPerPart`, and of the part before it. */
  readonly parts: Map<number, HashIndex>
}

const rowsPerPart = 32_768

/** Nothing is read before something is looked for. */
export const newRecentNumbers = (hashOf: RecentNumbers['hashOf']): RecentNumbers => ({
  hashOf,
  parts: new Map(),
})

/** A row of late with this hash that is the one meant; -1 where there is none. */
export const findRecent = (
  recent: RecentNumbers,
  count: number,
  hash: number,
  isMeant: (row: number) => boolean,
): number => {
  const last = Math.floor(count / rowsPerPart)
  for (let part = last; part >= Math.max(0, last - 1); part--) {
    const found = findHashed(partAt(recent, count, part), hash, isMeant)
    if (found !== -1) return found
  }
  return -1
}

/** Makes a new row, the last of `count`, findable. */
export const addRecentNumber = (recent: RecentNumbers, count: number, hash: number): void => {
  const row = count - 1
  const part = Math.floor(row / rowsPerPart)
  const known = recent.parts.get(part)
  if (known !== undefined) addHashed(known, hash, row)
  recent.parts.delete(part - 2)
}

/** The index of a part, made from its rows where there is none yet. */
const partAt = (recent: RecentNumbers, count: number, part: number): HashIndex => {
  const known = recent.parts.get(part)
  if (known !== undefined) return known
  const index = newHashIndex(recent.hashOf)
  for (let row = part * rowsPerPart; row < Math.min(count, (part + 1) * rowsPerPart); row++)
    addHashed(index, recent.hashOf(row), row)
  recent.parts.set(part, index)
  return index
}
