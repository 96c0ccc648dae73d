import { displayText } from './display-text.ts'
import { type TableRow, tableLines, wrap } from './table.ts'
import { tableOf } from './tables.ts'
import { paint, paintStatus, standardOutput, type Terminal } from './terminal.ts'

/** Prints the answer of an operation: as JSON if that was asked for, otherwise as text for people. */
export const print = (result: TableRow, json: boolean): void => {
  if (json) console.log(JSON.stringify(result))
  else for (const line of resultLines(result, standardOutput())) console.log(line)
}

/** Formats a list as a table, and anything else as one member per line. */
export const resultLines = (result: TableRow, terminal: Terminal): readonly string[] =>
  Array.isArray(result.data)
    ? listLines(result as TableRow & { readonly data: readonly TableRow[] }, terminal)
    : memberLines(result, terminal, '')

const listLines = (
  { data, total }: TableRow & { readonly data: readonly TableRow[] },
  terminal: Terminal,
): readonly string[] => {
  if (data.length === 0) return ['none']
  const lines = tableLines(tableOf(data), data, terminal)
  return typeof total === 'number' && total > data.length ? [...lines, `${data.length} of ${total}`] : lines
}

const memberLines = (members: TableRow, terminal: Terminal, indent: string): readonly string[] => {
  const entries = Object.entries(members).filter(([name]) => name !== 'object')
  const width = Math.max(...entries.map(([name]) => name.length)) + 2
  return entries.flatMap(([name, value]) => {
    const title = paint(terminal, 'bold', name)
    if (isTable(value))
      return ['', indent + title, ...tableLines(tableOf(value), value, terminal).map((line) => indent + line)]
    if (isGroup(value)) return [indent + title, ...memberLines(value, terminal, `${indent}  `)]
    const [first = '', ...more] = wrap(displayText(value), terminal.columns - indent.length - width)
    const padding = ' '.repeat(width - name.length)
    return [
      `${indent}${title}${padding}${paintStatus(terminal, first)}`,
      ...more.map((line) => indent + ' '.repeat(width) + line),
    ]
  })
}

const isTable = (value: unknown): value is readonly TableRow[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)

/** A group of plain values is printed in one line if that line is short. */
const isGroup = (value: unknown): value is TableRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && displayText(value).length > 60
