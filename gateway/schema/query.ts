import { bounds } from '../base/bounds.ts'
import type { Text } from '../problems/messages/text.ts'
import type { FieldError } from '../problems/problem.ts'

export type ReadQuery =
  | { readonly ok: true; readonly values: Record<string, string[]> }
  | { readonly ok: false; readonly problems: readonly FieldError[] }

/**
 * Parses a query without its question mark: `application/x-www-form-urlencoded`, but stricter. Percent sequences must be complete
 * and valid UTF-8, and control characters are refused. A parameter without a value counts as absent (decisions, section 6), and
 * so does an empty part. Values of a repeated name keep their order; whether a name may be repeated is for the caller to decide.
 */
export const readQuery = (raw: string): ReadQuery => {
  const values: Record<string, string[]> = Object.create(null)
  if (raw === '') return { ok: true, values }
  const problems: FieldError[] = []
  for (const part of raw.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodeForm(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decodeForm(part.slice(equals + 1))
    const field = `query.${name}`
    if (name === null || name === '') problems.push(problem('query', (say) => say.parameterWithoutName))
    else if (value === null) problems.push(problem(field, (say) => say.parameterNotText(field)))
    else if (value === '') continue
    else if (values[name] === undefined) values[name] = [value]
    else values[name].push(value)
    if (problems.length === bounds.queryProblemsMax) break
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems }
}

/**
 * The segments of a path, each decoded once, so that later code never sees a `%`. Null for a path that other programs might read
 * differently: with empty segments, `.`, `..`, or a `/`, `\` or control character inside a segment.
 */
export const readPathSegments = (path: string): string[] | null => {
  if (path.charCodeAt(0) !== slash) return null
  const segments: string[] = []
  let start = 1
  let encoded = false
  for (let at = 1; at <= path.length; at++) {
    const code = at === path.length ? slash : path.charCodeAt(at)
    if (code === slash) {
      const raw = path.slice(start, at)
      const segment = encoded ? decodeSegment(raw) : raw
      if (segment === null || segment === '' || segment === '.' || segment === '..') return null
      segments.push(segment)
      start = at + 1
      encoded = false
    } else if (code === percent) encoded = true
    else if (!isUrlCode(code) || code === backslash) return null
  }
  return segments
}

const slash = '/'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const percent = '%'.charCodeAt(0)
const hash = '#'.charCodeAt(0)

const problem = (field: string, message: Text): FieldError => ({ field, code: 'INVALID_FORMAT', message })

/** Null if it cannot be decoded to text. */
const decodeForm = (raw: string): string | null => {
  for (let at = 0; at < raw.length; at++) if (!isUrlCode(raw.charCodeAt(at))) return null
  return decode(raw.includes('+') ? raw.replaceAll('+', ' ') : raw)
}

const decodeSegment = (raw: string): string | null => {
  const segment = decode(raw)
  return segment === null || segment.includes('/') || segment.includes('\\') ? null : segment
}

const decode = (raw: string): string | null => {
  if (!raw.includes('%')) return raw
  try {
    // Throws on incomplete percent sequences, and on bytes that are not UTF-8.
    const text = decodeURIComponent(raw)
    return hasControls(text) ? null : text
  } catch {
    return null
  }
}

/** What a request target may contain unencoded (RFC 3986): printable ASCII without a fragment. */
const isUrlCode = (code: number): boolean => code > 0x20 && code < 0x7f && code !== hash

/** C0, DEL and C1. */
const hasControls = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true
  }
  return false
}
