import { hash } from 'node:crypto'

/**
 * Fingerprints the meaning of a request: `"1000"` and `1000` are the same, and so is a default, given or left out.
 * Null counts as left out, so that a field added later does not change earlier fingerprints. 132 bits of SHA-256,
 * in base64url.
 */
export const fingerprintOf = (verb: string, path: string, input: unknown): string =>
  digestOf(verb, path, input).slice(0, fingerprintChars)

/** The whole SHA-256 of the meaning, in base64url. */
export const digestOf = (verb: string, path: string, input: unknown): string =>
  hash('sha256', `${verb} ${path}\n${meaningOf(input)}`, 'base64url')

const fingerprintChars = 22

/** A text unique to this value. Strings are prefixed with their length, so nothing in them needs escaping. */
const meaningOf = (value: unknown): string => {
  if (typeof value === 'string') return `${value.length}"${value}`
  if (typeof value !== 'object' || value === null) return `${value};`
  if (Array.isArray(value)) return `[${value.map(meaningOf).join('')}]`
  let members = '{'
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== null && member !== undefined) members += `${name.length}:${name}${meaningOf(member)}`
  }
  return `${members}}`
}
