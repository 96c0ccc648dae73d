import { isUtf8 } from 'node:buffer'

export type ReadJson =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly reason: string }

/**
 * A request body as a JSON object (RFC 8259): strict UTF-8 without a byte order mark, at most 32 levels and 1000 keys.
 * Refuses what JSON.parse takes and others cannot represent: numbers beyond a double, lone surrogates, U+0000, and the
 * key `__proto__`. Of a repeated key the last value counts, everywhere in the service.
 */
export const readJson = (body: Buffer): ReadJson => {
  if (!isUtf8(body)) return refused('the body is not UTF-8')
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The message of the parser quotes the body, which can hold personal data.
    return refused('the body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused('the body is not a JSON object')
  }
  // Only an escape can bring a character that the UTF-8 of the body could not.
  const escapes = text.includes('\\u')
  keysLeft = keysMax
  const reason = faultOf(value, escapes, 1)
  return reason === null ? { ok: true, value: value as Record<string, unknown> } : refused(reason)
}

const depthMax = 32
const keysMax = 1000

/** Of the one walk that is under way: it is synchronous. */
let keysLeft = 0

/**
 * The first thing in an object or array that is refused. A walk over the parsed value costs less than a scan of the
 * bytes before it would, and the parser itself takes any depth.
 */
const faultOf = (container: object, escapes: boolean, depth: number): string | null => {
  if (depth > depthMax) return `the body has more than ${depthMax} levels`
  if (Array.isArray(container)) {
    for (const item of container) {
      const reason = faultOfValue(item, escapes, depth)
      if (reason !== null) return reason
    }
    return null
  }
  for (const key in container) {
    keysLeft -= 1
    if (keysLeft < 0) return `the body has more than ${keysMax} keys`
    if (key === '__proto__') return 'a key of the body is __proto__'
    const reason =
      (escapes ? faultOfText(key) : null) ??
      faultOfValue((container as Record<string, unknown>)[key], escapes, depth)
    if (reason !== null) return reason
  }
  return null
}

const faultOfValue = (value: unknown, escapes: boolean, depth: number): string | null => {
  if (typeof value === 'string') return escapes ? faultOfText(value) : null
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'a number of the body is too large'
  return typeof value === 'object' && value !== null ? faultOf(value, escapes, depth + 1) : null
}

const faultOfText = (text: string): string | null => {
  if (!isWellFormed(text)) return 'a string of the body has half a surrogate pair'
  return text.includes('\0') ? 'a string of the body has the character U+0000' : null
}

/** In Node 20, though not in the ES2023 that the compiler knows. */
const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

const refused = (reason: string): ReadJson => ({ ok: false, reason })
