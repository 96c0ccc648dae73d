import { paint, paintStatus, type Terminal } from './terminal.ts'

export type TableRow = Readonly<Record<string, unknown>>

export type Column = {
  readonly title: string
  readonly text: (row: TableRow) => string
  /** Takes the width that other columns leave, and wraps. */
  readonly wraps?: boolean
}

/** A line below each row, for what does not fit into a column. */
export type TerminalTable = {
  readonly columns: readonly Column[]
  readonly below?: (row: TableRow) => string
}

/**
 * Formats a table; a row is a block of lines where the terminal is too narrow for its columns. Texts are never cut, because ids are copied
 * from here.
 */
export const tableLines = (
  table: TerminalTable,
  rows: readonly TableRow[],
  terminal: Terminal,
): readonly string[] => {
  const { columns } = table
  const widths = widthsOf(columns, rows, terminal.columns)
  const width = widths.reduce((sum, width) => sum + width, gap.length * (columns.length - 1))
  if (width > terminal.columns) return stackedLines(table, rows, terminal)
  const line = (cells: readonly string[], show: (cell: string) => string): string =>
    cells
      .map((cell, column) => show(cell) + ' '.repeat(Math.max(0, widths[column]! - lengthOf(cell))))
      .join(gap)
      .trimEnd()
  const head = line(
    columns.map(({ title }) => title),
    (title) => paint(terminal, 'bold', title),
  )
  const body = rows.flatMap((row) => [
    ...inLines(columns.map(({ text }, column) => wrap(text(row), widths[column]!))).map((cells) =>
      line(cells, (cell) => paintStatus(terminal, cell)),
    ),
    ...linesBelow(table, row, terminal),
  ])
  return [head, ...body]
}

/** A block of lines for each row, one for each of its values. */
const stackedLines = (
  table: TerminalTable,
  rows: readonly TableRow[],
  terminal: Terminal,
): readonly string[] => {
  const { columns } = table
  const titleWidth = Math.max(...columns.map(({ title }) => lengthOf(title)))
  const room = terminal.columns - titleWidth - gap.length
  return rows.flatMap((row, n) => [
    ...(n === 0 ? [] : ['']),
    ...columns.flatMap(({ title, text }) =>
      wrap(text(row), room).map((line, n) => {
        const shown = n === 0 ? title : ''
        const margin = ' '.repeat(titleWidth - lengthOf(shown))
        return (paint(terminal, 'bold', shown) + margin + gap + paintStatus(terminal, line)).trimEnd()
      }),
    ),
    ...linesBelow(table, row, terminal),
  ])
}

/** What does not fit into a column, below its row. */
const linesBelow = ({ below }: TerminalTable, row: TableRow, terminal: Terminal): readonly string[] =>
  below === undefined
    ? []
    : wrap(below(row), terminal.columns - indent.length).map((text) => paint(terminal, 'gray', indent + text))

const gap = '  '
const indent = '  '

/** Wrapping columns share the remaining width; none is narrower than its title and a short word. */
const widthsOf = (columns: readonly Column[], rows: readonly TableRow[], room: number): readonly number[] => {
  const natural = columns.map(({ title, text }) =>
    Math.max(lengthOf(title), ...rows.map((row) => lengthOf(text(row)))),
  )
  const excess = natural.reduce((sum, width) => sum + width, gap.length * (columns.length - 1)) - room
  if (excess <= 0) return natural
  const wrapping = columns.filter(({ wraps }) => wraps).length
  return natural.map((width, column) =>
    columns[column]!.wraps ? Math.max(12, width - Math.ceil(excess / wrapping)) : width,
  )
}

/** Lays out wrapped cells side by side. */
const inLines = (cells: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.max(...cells.map((lines) => lines.length)) }, (_, line) =>
    cells.map((lines) => lines[line] ?? ''),
  )

/** Wraps a text at spaces; a word is broken only if it is longer than a line. */
export const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = []
  for (let rest = text; ; ) {
    if (lengthOf(rest) <= width) return [...lines, rest]
    const head = [...rest].slice(0, width + 1).join('')
    const space = head.lastIndexOf(' ')
    const end = space > 0 ? space : [...rest].slice(0, width).join('').length
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
}

/** The length in code points, which is close enough to the width on a terminal. */
export const lengthOf = (text: string): number => [...text].length
