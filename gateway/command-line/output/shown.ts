import { harmless } from '../../observability/pretty-line.ts'

/** A value as people read it, in one line. */
export const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.map(shown).join(' ') || '-'
  if (typeof value !== 'object') return harmless(String(value)).replaceAll('\n', '\\n')
  return (
    Object.entries(value)
      .map(([name, member]) => `${name}=${shown(member)}`)
      .join(' ') || '-'
  )
}
