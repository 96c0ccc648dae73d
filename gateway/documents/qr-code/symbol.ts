/** A symbol before its data: under the mask, every module that data will fill is a zero. */
export type EmptySymbol = {
  readonly size: number
  /** One per module, row by row; 1 if it is dark. */
  readonly dark: Uint8Array
  /** The modules for data, in the order in which data fills them. */
  readonly free: readonly number[]
}

/** The symbol of a version with zeros for data (ISO/IEC 18004, 6.3 and 7.7 to 7.10). */
export const emptySymbol = (version: number): EmptySymbol => {
  const canvas = blank(17 + 4 * version)
  drawTiming(canvas)
  drawFinders(canvas)
  drawAlignment(canvas, version)
  drawFormat(canvas)
  if (version >= 7) drawVersion(canvas, version)
  const free = dataModules(canvas)
  for (const module of free) canvas.dark[module] = masks(module % canvas.size) ? 1 : 0
  return { size: canvas.size, dark: canvas.dark, free }
}

/**
 * Always mask 010. A reader takes the mask from the format information and accepts any. Scoring all eight for the
 * evenest one (7.8.3) would cost more than the rest of the code, and over BR Codes this mask scores best anyway.
 */
const mask = 0b010
const masks = (x: number): boolean => x % 3 === 0

type Canvas = { readonly size: number; readonly dark: Uint8Array; readonly taken: Uint8Array }

const blank = (size: number): Canvas => ({
  size,
  dark: new Uint8Array(size * size),
  taken: new Uint8Array(size * size),
})

const set = ({ size, dark, taken }: Canvas, x: number, y: number, isDark: boolean): void => {
  if (x < 0 || y < 0 || x >= size || y >= size) return
  dark[y * size + x] = isDark ? 1 : 0
  taken[y * size + x] = 1
}

const drawTiming = (canvas: Canvas): void => {
  for (let i = 0; i < canvas.size; i++) {
    set(canvas, i, 6, i % 2 === 0)
    set(canvas, 6, i, i % 2 === 0)
  }
}

const drawFinders = (canvas: Canvas): void => {
  const far = canvas.size - 4
  for (const [x, y] of [
    [3, 3],
    [far, 3],
    [3, far],
  ] as const)
    drawRings(canvas, x, y, [true, true, false, true, false])
}

const drawAlignment = (canvas: Canvas, version: number): void => {
  const centres = alignmentCentres(version)
  const far = centres.at(-1)
  for (const y of centres) {
    for (const x of centres) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === far) || (x === far && y === 6)
      if (!isFinder) drawRings(canvas, x, y, [true, false, true])
    }
  }
}

/** Evenly spaced from the far end in even steps; the first gap takes the remainder (annex E). */
const alignmentCentres = (version: number): readonly number[] => {
  if (version === 1) return []
  const gaps = Math.floor(version / 7) + 1
  const step = version === 32 ? 26 : Math.ceil((4 * version + 4) / gaps / 2) * 2
  const far = 10 + 4 * version
  return [6, ...Array.from({ length: gaps }, (_, i) => far - (gaps - 1 - i) * step)]
}

/** Draws a square of rings, from its centre outwards. */
const drawRings = (canvas: Canvas, x: number, y: number, rings: readonly boolean[]): void => {
  const radius = rings.length - 1
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      set(canvas, x + dx, y + dy, rings[Math.max(Math.abs(dx), Math.abs(dy))]!)
    }
  }
}

/** Level M (00) and the mask, twice: around the upper left finder, and split between the other two (7.9.1). */
const drawFormat = (canvas: Canvas): void => {
  const last = canvas.size - 1
  const format = withCheckBits(mask, 10, 0b101_0011_0111) ^ 0b101_0100_0001_0010
  for (let i = 0; i < 15; i++) {
    const isDark = ((format >> i) & 1) === 1
    set(canvas, 8, i < 6 ? i : i < 8 ? i + 1 : last - 14 + i, isDark)
    set(canvas, i < 8 ? last - i : i < 9 ? 7 : 14 - i, 8, isDark)
  }
  set(canvas, 8, last - 7, true)
}

/** Beside the two far finders, from version 7 on (7.10). */
const drawVersion = (canvas: Canvas, version: number): void => {
  const codeword = withCheckBits(version, 12, 0b1_1111_0010_0101)
  for (let i = 0; i < 18; i++) {
    const near = Math.floor(i / 3)
    const far = canvas.size - 11 + (i % 3)
    set(canvas, near, far, ((codeword >> i) & 1) === 1)
    set(canvas, far, near, ((codeword >> i) & 1) === 1)
  }
}

/** A value followed by its remainder on division by a polynomial over bits (annexes C and D). */
const withCheckBits = (value: number, degree: number, generator: number): number => {
  let remainder = value << degree
  while (remainder >> degree !== 0) remainder ^= generator << (Math.clz32(generator) - Math.clz32(remainder))
  return (value << degree) | remainder
}

/** Pairs of columns from the right, up and down in turn, skipping taken modules (7.7.3). */
const dataModules = ({ size, taken }: Canvas): readonly number[] => {
  const free: number[] = []
  let upwards = true
  for (let column = size - 1; column > 0; column -= 2, upwards = !upwards) {
    const right = column <= 6 ? column - 1 : column // The timing pattern's column belongs to no pair.
    for (let i = 0; i < size; i++) {
      const row = (upwards ? size - 1 - i : i) * size
      for (const module of [row + right, row + right - 1]) if (!taken[module]) free.push(module)
    }
  }
  return free
}
