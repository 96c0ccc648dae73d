import { isUtf8 } from 'node:buffer'
import { bounds } from '../base/bounds.ts'
import type { Text } from '../problems/messages/text.ts'
import { jsonFault } from './json-fault.ts'

export type ReadJson =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly reason: Text }

/**
 * Reads a request body as a JSON object (RFC 8259): strict UTF-8 without a byte order mark, at most 32 levels and 1,000 keys.
 * Refuses what JSON.parse accepts but others cannot represent: numbers beyond a double, lone surrogates, U+0000, and the key
 * `__proto__`. If a key is repeated, its last value counts, everywhere in the service.
 */
export const readJson = (body: Buffer): ReadJson => {
  if (!isUtf8(body)) return refused(beginsWithMark(body) ? markFault : (say) => say.details.bodyNotUtf8)
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (beginsWithMark(body)) return refused(markFault)
    // The parser's own message quotes the body, which can hold personal data, and only sometimes names a place.
    const { line, column } = jsonFault(text)!
    return refused((say) => say.details.jsonFault(line, column))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused((say) => say.details.bodyNotAnObject)
  }
  // Only escapes can produce characters that the UTF-8 of the body cannot contain.
  const escapes = text.includes('\\u')
  keysLeft = bounds.jsonKeysMax
  const reason = faultOf(value, escapes, 1)
  return reason === null ? { ok: true, value: value as Record<string, unknown> } : refused(reason)
}

/** A single counter is enough: a walk is synchronous, so only one is under way. */
let keysLeft = 0

/**
 * The first fault in an object or array. Walking the parsed value costs less than scanning the bytes beforehand, and the parser
 * itself handles any depth.
 */
const faultOf = (container: object, escapes: boolean, depth: number): Text | null => {
  if (depth > bounds.jsonDepthMax) return (say) => say.details.tooManyLevels(bounds.jsonDepthMax)
  if (Array.isArray(container)) {
    for (const item of container) {
      const reason = faultOfValue(item, escapes, depth)
      if (reason !== null) return reason
    }
    return null
  }
  for (const key in container) {
    keysLeft -= 1
    if (keysLeft < 0) return (say) => say.details.tooManyKeys(bounds.jsonKeysMax)
    if (key === '__proto__') return (say) => say.details.protoKey
    const reason =
      (escapes ? faultOfText(key) : null) ??
      faultOfValue((container as Record<string, unknown>)[key], escapes, depth)
    if (reason !== null) return reason
  }
  return null
}

const faultOfValue = (value: unknown, escapes: boolean, depth: number): Text | null => {
  if (typeof value === 'string') return escapes ? faultOfText(value) : null
  if (typeof value === 'number') return Number.isFinite(value) ? null : (say) => say.details.numberTooLarge
  return typeof value === 'object' && value !== null ? faultOf(value, escapes, depth + 1) : null
}

const faultOfText = (text: string): Text | null => {
  if (!isWellFormed(text)) return (say) => say.details.halfSurrogate
  return text.includes('\0') ? (say) => say.details.nulCharacter : null
}

/** Exists in Node 20, but not in the ES2023 types of the compiler. */
const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

/** U+FEFF in UTF-8 and in both orders of UTF-16, which editors and PowerShell write without showing it. */
const beginsWithMark = (body: Buffer): boolean => /^(?:efbbbf|fffe|feff)/.test(body.toString('hex', 0, 3))

const markFault: Text = (say) => say.details.byteOrderMark

const refused = (reason: Text): ReadJson => ({ ok: false, reason })
