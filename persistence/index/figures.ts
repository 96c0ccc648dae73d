/** A segment's counts and sums by group code: queries about groups can skip the whole segment. */
export type Figures = {
  readonly codes: number[]
  /** Per code its count, then its sums. */
  values: Float64Array
  /** Whether the sums are exact as doubles: true unless a row has more than any charge can have. */
  isExact: boolean
}

/** A charge has at most twelve digits (decisions, section 1): 4096 of them add up to less than 2^52. */
const centsMax = 999_999_999_999

/** Figures of an empty segment. */
export const newFigures = (): Figures => ({ codes: [], values: new Float64Array(8), isExact: true })

/** Counts a row in (`sign` 1) or, before it changes, out (-1). */
export const countRow = (
  figures: Figures,
  code: number,
  sign: 1 | -1,
  sums: readonly Float64Array[],
  row: number,
): void => {
  const at = placeOf(figures, code, sums.length)
  const { values } = figures
  values[at]! += sign
  for (let n = 0; n < sums.length; n++) {
    const cents = sums[n]![row]!
    values[at + 1 + n]! += sign * cents
    if (cents > centsMax) figures.isExact = false
  }
}

/** The index of a code's count in the values. */
const placeOf = (figures: Figures, code: number, sums: number): number => {
  const { codes } = figures
  const width = 1 + sums
  for (let n = 0; n < codes.length; n++) if (codes[n] === code) return n * width
  const at = (codes.push(code) - 1) * width
  if (at + width > figures.values.length) {
    const larger = new Float64Array(2 * (at + width))
    larger.set(figures.values)
    figures.values = larger
  }
  return at
}
