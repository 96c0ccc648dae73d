import { styleText } from 'node:util'

/** Where output goes: how wide a line may be, and whether it may have colours. */
export type Terminal = { readonly columns: number; readonly hasColors: boolean }

/** Lines are kept readable, and within the width of a narrow terminal; a pipe or file has neither width nor colours. */
export const standardOutput = (): Terminal => {
  const { isTTY, columns } = process.stdout
  return isTTY
    ? { columns: Math.min(columns, columnsMax), hasColors: process.stdout.hasColors() }
    : { columns: columnsMax, hasColors: false }
}

const columnsMax = 100

export type Style = Parameters<typeof styleText>[0]

/** Styles a text, if the terminal has colours. */
export const paint = ({ hasColors }: Pick<Terminal, 'hasColors'>, style: Style, text: string): string =>
  // The caller has already checked the terminal, with `NO_COLOR` and `FORCE_COLOR`.
  hasColors ? styleText(style, text, { validateStream: false }) : text

/** Colours a text that is a status; other texts stay plain. */
export const paintStatus = (terminal: Pick<Terminal, 'hasColors'>, text: string): string => {
  const style = statusStyles.get(text)
  return style === undefined ? text : paint(terminal, style, text)
}

const statusStyles: ReadonlyMap<string, Style> = new Map([
  ...['ACTIVE', 'ENABLED', 'SUCCEEDED', 'ALIVE'].map((status) => [status, 'green'] as const),
  ...['PENDING', 'RETRYING', 'EXPIRING', 'DRAINING', 'ADVANCING'].map(
    (status) => [status, 'yellow'] as const,
  ),
  ...['EXHAUSTED', 'REVOKED', 'EXPIRED', 'SUSPENDED', 'SILENT', 'GONE'].map(
    (status) => [status, 'red'] as const,
  ),
  ...['CANCELLED', 'DISABLED', 'DELETED', 'IDLE'].map((status) => [status, 'gray'] as const),
])
