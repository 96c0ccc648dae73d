/** The largest and smallest font size, in points. */
export type Sizes = { readonly max: number; readonly min: number }

/** The width of a line in millimetres per point of font size. */
export type WidthOf = (text: string) => number

export type FittedLine = { readonly points: number; readonly text: string }

export type FittedBlock = { readonly points: number; readonly lines: readonly string[] }

type Room = { readonly width: number; readonly height: number }

/** Fits a line into a width: by a smaller size, and if that is not enough, by an ellipsis before its tail. */
export const fitLine = (
  text: string,
  tail: string,
  width: number,
  sizes: Sizes,
  widthOf: WidthOf,
): FittedLine => {
  const points = Math.min(sizes.max, roundDown(width / widthOf(text + tail)))
  if (points >= sizes.min) return { points, text: text + tail }
  const fits = (start: string): boolean => widthOf(`${start}…${tail}`) * sizes.min <= width
  return { points: sizes.min, text: `${longestStart(text, fits).trimEnd()}…${tail}` }
}

/**
 * Fits lines into a box, broken between words: by a smaller size, then by joining paragraphs, then by cutting with an ellipsis.
 */
export const fitBlock = (
  paragraphs: readonly string[],
  { width, height }: Room,
  sizes: Sizes,
  widthOf: WidthOf,
): FittedBlock => {
  const linesOf = (paragraphs: readonly string[], points: number): readonly string[] =>
    paragraphs.flatMap((paragraph) => wrap(paragraph, width / points, widthOf))
  const separate = firstThatFits((points) => linesOf(paragraphs, points), height, sizes)
  if (separate !== null) return separate
  const points = sizes.min
  const lines = linesOf([paragraphs.join(' / ')], points)
  const count = rowsIn(height, points)
  if (lines.length <= count) return { points, lines }
  const last = longestStart(lines[count - 1]!, (start) => widthOf(`${start}…`) * points <= width)
  return { points, lines: [...lines.slice(0, count - 1), `${last.trimEnd()}…`] }
}

/** Fits a code that is copied from the print: all of it, broken anywhere, or null, because a part would be useless. */
export const fitCode = (
  code: string,
  { width, height }: Room,
  sizes: Sizes,
  widthOf: WidthOf,
): FittedBlock | null => firstThatFits((points) => pieces(code, width / points, widthOf), height, sizes)

const firstThatFits = (
  linesAt: (points: number) => readonly string[],
  height: number,
  sizes: Sizes,
): FittedBlock | null => {
  for (let points = sizes.max; points >= sizes.min; points -= 0.5) {
    const lines = linesAt(points)
    if (lines.length <= rowsIn(height, points)) return { points, lines }
  }
  return null
}

/** The distance of two baselines, in millimetres. */
export const lineHeight = (points: number): number => points * 0.42

const rowsIn = (height: number, points: number): number => Math.floor(height / lineHeight(points))

/**
 * Measures words one by one, which is faster than whole lines. Kerning never widens a space, so a line is at most as wide as the
 * sum.
 */
const wrap = (paragraph: string, limit: number, widthOf: WidthOf): readonly string[] => {
  const lines: string[] = []
  const space = widthOf(' ')
  let line: string[] = []
  let used = 0
  const endLine = (): void => {
    if (line.length > 0) lines.push(line.join(' '))
    line = []
    used = 0
  }
  for (const token of paragraph.split(' ')) {
    const width = widthOf(token)
    if (used + width > limit) endLine()
    const parts = width > limit ? pieces(token, limit, widthOf) : [token]
    lines.push(...parts.slice(0, -1))
    line.push(parts.at(-1)!)
    used += (parts.length > 1 ? widthOf(parts.at(-1)!) : width) + space
  }
  endLine()
  return lines
}

/** Never breaks beside a space: it would be lost when the lines are copied. */
const pieces = (text: string, limit: number, widthOf: WidthOf): readonly string[] => {
  const parts: string[] = []
  let rest = text
  while (rest.length > 1 && widthOf(rest) > limit) {
    let end = longestStart(rest, (start) => widthOf(start) <= limit).length
    while (end > 1 && (rest[end - 1] === ' ' || rest[end] === ' ')) end -= 1
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest]
}

/** A binary search, because measuring takes time. Returns at least one character, or wrapping would never end. */
const longestStart = (text: string, fits: (start: string) => boolean): string => {
  let [low, high] = [1, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}

const roundDown = (points: number): number => Math.floor(points * 100) / 100
