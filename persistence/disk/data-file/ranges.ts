/** The ascending ranges that numbers form: 7, 9, 8 form 7 to 9. */
export const rangesOf = (numbers: readonly number[]): readonly (readonly [first: number, last: number])[] => {
  const ranges: [number, number][] = []
  for (const each of [...new Set(numbers)].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range !== undefined && each === range[1] + 1) range[1] = each
    else ranges.push([each, each])
  }
  return ranges
}
