import type { Work } from '../../engine/kernel/work.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'

/**
 * Ranks rows when only some ranks are wanted. Rows that cannot come before rank `end` are dropped on the way, so
 * pages near the front are cheap.
 */
export type Ranking = {
  /** Whether a row with this key can have a wanted rank. */
  readonly takes: (key: number) => boolean
  /** Adds a row, in any order. Rows are ranked by ascending key; `compareTies` orders equal ones. */
  readonly add: (key: number, row: number) => void
  /** Makes room for this many calls of `add`. */
  readonly makeRoom: (rows: number) => Work<void>
  /** The rows from one rank to another (exclusive), in order. `end` must not exceed `endMax`. */
  readonly take: (start: number, end: number) => Work<readonly number[]>
}

const roomMin = 8192

/** An empty ranking of the first `endMax` rows. */
export const newRanking = (
  endMax: number,
  compareTies: (rowA: number, rowB: number) => number,
  slice: TimeSlice,
): Ranking => {
  let keys = new Float64Array(roomMin)
  let rows = new Uint32Array(roomMin)
  let count = 0
  /** No row with a larger key can come before `endMax`. */
  let keyMax = Number.POSITIVE_INFINITY

  const add = (key: number, row: number): void => {
    if (key > keyMax) return
    keys[count] = key
    rows[count] = row
    count += 1
  }

  const makeRoom = function* (more: number): Work<void> {
    if (count + more <= keys.length) return
    if (count >= 2 * endMax && endMax > 0) {
      yield* place(0, count - 1, endMax - 1)
      count = endMax
      keyMax = keys[endMax - 1]!
    }
    if (count + more <= keys.length) return
    const otherKeys = new Float64Array(2 * (count + more))
    const otherRows = new Uint32Array(2 * (count + more))
    otherKeys.set(keys)
    otherRows.set(rows)
    keys = otherKeys
    rows = otherRows
  }

  const compare = (a: number, b: number): number => keys[a]! - keys[b]! || compareTies(rows[a]!, rows[b]!)

  const swap = (a: number, b: number): void => {
    const key = keys[a]!
    keys[a] = keys[b]!
    keys[b] = key
    const row = rows[a]!
    rows[a] = rows[b]!
    rows[b] = row
  }

  /** Moves the row of this rank to its place, smaller ones before it and larger ones after (Hoare's selection). */
  const place = function* (first: number, last: number, rank: number): Work<void> {
    let low = first
    let high = last
    let steps = 0
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(middle, low) < 0) swap(middle, low)
      if (compare(high, low) < 0) swap(high, low)
      if (compare(high, middle) < 0) swap(high, middle)
      const key = keys[middle]!
      const row = rows[middle]!
      let a = low
      let b = high
      while (a <= b) {
        while (keys[a]! < key || (keys[a] === key && compareTies(rows[a]!, row) < 0)) a++
        while (keys[b]! > key || (keys[b] === key && compareTies(rows[b]!, row) > 0)) b--
        if (a <= b) {
          swap(a, b)
          a += 1
          b -= 1
        }
        if ((++steps & 2047) === 0) yield* yieldIfDue(slice)
      }
      if (rank <= b) high = b
      else if (rank >= a) low = a
      else return
    }
  }

  const take = function* (start: number, end: number): Work<readonly number[]> {
    const stop = Math.min(end, count)
    if (start >= stop) return []
    yield* place(0, count - 1, start)
    yield* place(start, count - 1, stop - 1)
    return Array.from({ length: stop - start }, (_, n) => start + n)
      .sort(compare)
      .map((at) => rows[at]!)
  }

  return { takes: (key) => key <= keyMax, add, makeRoom, take }
}
