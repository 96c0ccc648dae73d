import { isDeepStrictEqual } from 'node:util'

/** Where two values differ first, and how; null where they do not. */
export const differenceOf = (found: unknown, expected: unknown, where = ''): string | null => {
  if (isDeepStrictEqual(found, expected)) return null
  if (isObject(found) && isObject(expected))
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const inside = differenceOf(found[name], expected[name], `${where}.${name}`)
      if (inside !== null) return inside
    }
  return `${where} is ${textOf(found)}, the oracle says ${textOf(expected)}`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Also of sums beyond what JSON has. */
export const textOf = (value: unknown): string =>
  (
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? String(value)
  ).slice(0, 1500)
