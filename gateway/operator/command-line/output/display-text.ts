// Output for people: tables, lines of members, progress, and the width and colours of the terminal.
import { harmless } from '../../../observability/pretty-line.ts'

/** Formats a value for people, in one line. */
export const displayText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.map(displayText).join(' ') || '-'
  if (typeof value !== 'object') return harmless(String(value)).replaceAll('\n', '\\n')
  return (
    Object.entries(value)
      .map(([name, member]) => `${name}=${displayText(member)}`)
      .join(' ') || '-'
  )
}
