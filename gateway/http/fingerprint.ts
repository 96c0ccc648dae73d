import { hash } from 'node:crypto'

/**
 * Fingerprints the meaning of a request: `"1000"` and `1000` are the same, and so are a default given and left out. Null counts as
 * left out, so that a field which is added later does not change the requests of before.
 */
export const fingerprintOf = (verb: string, path: string, input: unknown): string =>
  hash('sha256', `${verb} ${path}\n${JSON.stringify(withoutNulls(input))}`, 'base64url')

const withoutNulls = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const kept: Record<string, unknown> = {}
  const members = value as Record<string, unknown>
  for (const name in members) if (members[name] !== null) kept[name] = withoutNulls(members[name])
  return kept
}
