import type { Figures } from './figures.ts'
import { type GroupedRange, sumOfRows } from './grouped-amounts.ts'
import type { SegmentRows } from './segment-rows.ts'

/**
 * Counts and sums by group over any number of rows. Exact: doubles below 2^52 plus a count of carries. It also
 * remembers which groups are wanted.
 */
export type GroupSums = {
  readonly addFigures: (figures: Figures) => void
  /** Adds rows of one segment, in any order, all of wanted groups. */
  readonly addRows: (
    figures: Figures,
    codes: Uint16Array,
    columns: readonly Float64Array[],
    rows: SegmentRows,
    count: number,
  ) => void
  /** Adds a range of a run's amounts, all of wanted groups. */
  readonly addGrouped: (figures: Figures, range: GroupedRange) => void
  /** How many of a segment's rows belong to wanted groups. */
  readonly countOf: (figures: Figures) => number
  readonly wants: (code: number) => boolean
  /** Whether all of a segment's rows belong to wanted groups. */
  readonly wantsAll: (figures: Figures) => boolean
  /** Keeps those of the first `count` rows in wanted groups. Returns how many. */
  readonly filterWanted: (codes: Uint16Array, rows: SegmentRows, count: number) => number
  readonly groups: () => readonly GroupSum[]
}

export type GroupSum = { readonly code: number; readonly count: number; readonly sums: readonly bigint[] }

const carryAt = 2 ** 52

/** Empty sums over the groups whose code fits. */
export const newGroupSums = (fits: (code: number) => boolean, sums: number): GroupSums => {
  const width = 1 + sums
  /** By code: 0 or undefined if not asked yet, 1 if not wanted, otherwise the group's place + 2. */
  const places: number[] = []
  const codes: number[] = []
  let values: Float64Array = new Float64Array(16 * width)
  let carries: Float64Array = new Float64Array(16 * width)

  const placeOf = (code: number): number => {
    let place = places[code]
    if (!place) {
      while (places.length < code) places.push(0)
      place = fits(code) ? codes.push(code) + 1 : 1
      places[code] = place
      if (codes.length * width > values.length) {
        values = larger(values)
        carries = larger(carries)
      }
    }
    return place - 2
  }

  const carry = (at: number): void => {
    if (values[at]! < carryAt) return
    values[at]! -= carryAt
    carries[at]! += 1
  }

  const addFigures = (figures: Figures): void => {
    for (let n = 0; n < figures.codes.length; n++) {
      const place = placeOf(figures.codes[n]!)
      if (place === -1) continue
      for (let m = 0; m < width; m++) {
        values[place * width + m]! += figures.values[n * width + m]!
        carry(place * width + m)
      }
    }
  }

  const addRows: GroupSums['addRows'] = (figures, codeOf, columns, rows, count) => {
    sortByCode(codeOf, rows, count)
    for (let start = 0, end = 0; start < count; start = end) {
      const code = codeOf[sorted[start]!]!
      while (end < count && codeOf[sorted[end]!] === code) end += 1
      const at = placeOf(code) * width
      values[at]! += end - start
      columns.forEach((column, m) => {
        // Whole columns are zero for most groups: unpaid charges have no fee either.
        if (!figures.isExact || !isZero(figures, code, m))
          addColumn(column, at + 1 + m, start, end, figures.isExact)
      })
    }
    for (let at = 0; at < codes.length * width; at++) carry(at)
  }

  const addGrouped: GroupSums['addGrouped'] = ({ codes, values: all }, { amounts, from, to }) => {
    for (let n = 0; n < codes.length; n++) {
      if (from[n] === to[n]) continue
      const at = placeOf(codes[n]!) * width
      values[at]! += to[n]! - from[n]!
      for (let m = 0; m < sums; m++) {
        if (all[n * width + 1 + m] === 0) continue
        values[at + 1 + m]! += sumOfRows(amounts.groups[n]!, m, from[n]!, to[n]!)
        carry(at + 1 + m)
      }
    }
  }

  const isZero = (figures: Figures, code: number, column: number): boolean => {
    for (let n = 0; n < figures.codes.length; n++)
      if (figures.codes[n] === code) return figures.values[n * width + 1 + column] === 0
    return false
  }

  const addColumn = (
    column: Float64Array,
    at: number,
    start: number,
    end: number,
    isExact: boolean,
  ): void => {
    let sum = 0
    if (isExact) for (let n = start; n < end; n++) sum += column[sorted[n]!]!
    else for (let n = start; n < end; n++) addLarge(at, column[sorted[n]!]!)
    values[at]! += sum
  }

  /** Adds a safe integer, which alone may be near 2^53. */
  const addLarge = (at: number, cents: number): void => {
    const part = cents >= carryAt ? carryAt : 0
    if (part > 0) carries[at]! += 1
    values[at]! += cents - part
    carry(at)
  }

  return {
    addFigures,
    addGrouped,
    countOf: (figures) => {
      let count = 0
      for (let n = 0; n < figures.codes.length; n++)
        if (placeOf(figures.codes[n]!) !== -1) count += figures.values[n * width]!
      return count
    },
    wants: (code) => placeOf(code) !== -1,
    wantsAll: (figures) =>
      figures.codes.every((code, n) => placeOf(code) !== -1 || figures.values[n * width] === 0),
    filterWanted: (codeOf, rows, count) => {
      let kept = 0
      for (let n = 0; n < count; n++) {
        const row = rows[n]!
        const code = codeOf[row]!
        rows[kept] = row
        if (!places[code]) placeOf(code)
        if (places[code]! > 1) kept += 1
      }
      return kept
    },
    addRows,
    groups: () =>
      codes.flatMap((code, place) => {
        const at = place * width
        const count = values[at]!
        if (count === 0) return []
        const exact = Array.from(
          { length: sums },
          (_, m) => BigInt(carries[at + 1 + m]!) * BigInt(carryAt) + BigInt(values[at + 1 + m]!),
        )
        return { code, count, sums: exact }
      }),
  }
}

/** Sorts rows by code into `sorted`, by counting: rows of the same few codes end up together. */
const sortByCode = (codeOf: Uint16Array, rows: SegmentRows, count: number): void => {
  const present: number[] = []
  for (let n = 0; n < count; n++) {
    const code = codeOf[rows[n]!]!
    if (counts[code]! === 0) present.push(code)
    counts[code]! += 1
  }
  let start = 0
  for (const code of present) {
    start += counts[code]!
    counts[code] = start - counts[code]!
  }
  for (let n = 0; n < count; n++) {
    const code = codeOf[rows[n]!]!
    sorted[counts[code]!] = rows[n]!
    counts[code]! += 1
  }
  for (const code of present) counts[code] = 0
}

// The rows of the segment being added.
const sorted = new Uint16Array(65_536)
const counts = new Uint32Array(65_536)

const larger = (values: Float64Array): Float64Array => {
  const twice = new Float64Array(2 * values.length)
  twice.set(values)
  return twice
}
