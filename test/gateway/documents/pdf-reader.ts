import { inflateSync } from 'node:zlib'

/** Millimetres from the upper left corner of an A4 page. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** A text and the upright box around its letters. */
export type Text = Box & {
  readonly text: string
  readonly points: number
  /** Degrees, counter-clockwise. */
  readonly angle: number
}

export type Drawing = {
  readonly texts: readonly Text[]
  readonly fills: readonly { readonly boxes: readonly Box[]; readonly color: 'white' | 'other' }[]
  /** Rectangles that only have an edge. */
  readonly outlines: readonly Box[]
  /** What came one after the other. */
  readonly order: readonly ('text' | 'fill' | 'stroke')[]
}

type WidthOf = (text: string, font: string, points: number) => number

/**
 * What the one page of a PDF shows, from the operators of its content stream (ISO 32000-1, 8 and 9): no more of them than
 * a page of ours has, and an unknown one throws.
 */
export const drawingOf = (pdf: Buffer, widthOf: WidthOf): Drawing => {
  const fonts = fontsOf(pdf.toString('latin1'))
  const drawing = {
    texts: [] as Text[],
    fills: [] as Drawing['fills'][number][],
    outlines: [] as Box[],
    order: [] as Drawing['order'][number][],
  }
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], color: 'other' }
  const saved: State[] = []
  let path: Box[] = []
  let text = { x: 0, y: 0, font: '', points: 0 }
  let operands: string[] = []
  const numbers = (): number[] => operands.map(Number)

  const operators: Record<string, () => void> = {
    q: () => saved.push(state),
    Q: () => {
      state = saved.pop()!
    },
    cm: () => {
      state = { ...state, matrix: times(numbers() as [...Matrix], state.matrix) }
    },
    re: () => {
      const [x, y, width, height] = numbers() as [number, number, number, number]
      path.push(boxAround(state.matrix, x, y, x + width, y + height))
    },
    f: () => {
      drawing.fills.push({ boxes: path, color: state.color })
      drawing.order.push('fill')
      path = []
    },
    S: () => {
      drawing.outlines.push(...path)
      drawing.order.push('stroke')
      path = []
    },
    scn: () => {
      state = { ...state, color: numbers().every((part) => part === 1) ? 'white' : 'other' }
    },
    Tm: () => {
      text = { ...text, x: Number(operands[4]), y: Number(operands[5]) }
    },
    Tf: () => {
      text = { ...text, font: fonts.get(operands[0]!)!, points: Number(operands[1]) }
    },
    TJ: () => {
      const shown = lettersOf(operands)
      const { x, y, points } = text
      const width = widthOf(shown, text.font, points)
      const [a, b] = state.matrix
      const descent = /^[A-Z –]+$/.test(shown) ? 0 : 0.21
      drawing.texts.push({
        ...boxAround(state.matrix, x, y - descent * points, x + width, y + 0.72 * points),
        text: shown,
        points,
        angle: (Math.atan2(b, a) * 180) / Math.PI,
      })
      drawing.order.push('text')
    },
  }
  const silent = new Set(['w', 'd', 'm', 'l', 'cs', 'CS', 'SCN', 'BT', 'ET'])
  for (const [token] of contentOf(pdf).matchAll(/<[0-9a-f]*>|[[\]]|\/\w+|-?[\d.]+|[A-Za-z]+/g)) {
    if (!/^[A-Za-z]/.test(token)) {
      operands.push(token)
      continue
    }
    if (!silent.has(token)) {
      const operator = operators[token]
      if (operator === undefined) throw new Error(`unknown operator ${token}`)
      operator()
    }
    operands = []
  }
  return drawing
}

/** Whether two boxes share more than an edge. */
export const overlaps = (a: Box, b: Box): boolean =>
  a.x + a.width > b.x + slack &&
  b.x + b.width > a.x + slack &&
  a.y + a.height > b.y + slack &&
  b.y + b.height > a.y + slack

export const isWithin = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x - slack &&
  inner.y >= outer.y - slack &&
  inner.x + inner.width <= outer.x + outer.width + slack &&
  inner.y + inner.height <= outer.y + outer.height + slack

/** Millimetres: files have six decimals of a point. */
const slack = 0.001

type Matrix = readonly [number, number, number, number, number, number]
type State = { readonly matrix: Matrix; readonly color: 'white' | 'other' }

const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
]

const boxAround = ([a, b, c, d, e, f]: Matrix, x0: number, y0: number, x1: number, y1: number): Box => {
  const corners = [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ] as const
  const xs = corners.map(([x, y]) => ((a * x + c * y + e) * 25.4) / 72)
  const ys = corners.map(([x, y]) => 297 - ((b * x + d * y + f) * 25.4) / 72)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}

const lettersOf = (operands: readonly string[]): string => {
  const hex = operands.filter((operand) => operand.startsWith('<')).map((operand) => operand.slice(1, -1))
  if (hex.some((digits) => digits.length % 2 !== 0)) throw new Error('half a byte')
  const bytes = Buffer.from(hex.join(''), 'hex')
  return Array.from(bytes, (byte) => winAnsi[byte - 0x80] ?? String.fromCharCode(byte)).join('')
}

/** 0x80 to 0x9f; the others are as in ISO 8859-1. The TextDecoder of Node 20 takes these for it too. */
export const winAnsi = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ']

const contentOf = (pdf: Buffer): string => {
  const text = pdf.toString('latin1')
  const streams = [...text.matchAll(/\/Length (\d+)\n\/Filter \/FlateDecode\n>>\nstream\n/g)]
  if (streams.length !== 1) throw new Error(`${streams.length} streams in the place of one`)
  const start = streams[0]!.index + streams[0]![0].length
  return inflateSync(pdf.subarray(start, start + Number(streams[0]![1]))).toString('latin1')
}

/** Names in the page's resources to names of fonts. */
const fontsOf = (text: string): ReadonlyMap<string, string> => {
  const fonts = new Map<string, string>()
  for (const [, name, object] of text.matchAll(/(\/F\d+) (\d+) 0 R/g)) {
    const [, font] = new RegExp(`\\n${object} 0 obj\\n<<[^>]*/BaseFont /([\\w-]+)`).exec(text)!
    fonts.set(name!, font!)
  }
  return fonts
}
