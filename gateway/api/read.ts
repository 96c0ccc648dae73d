import { assert } from '../../engine/shared/assert.ts'
import { bounds } from '../base/bounds.ts'
import type { Caller, SignedIn } from '../identity/caller.ts'
import type { Admitted } from '../link/relay.ts'
import { type FieldError, invalid, type Problem, problem } from '../problems/problem.ts'
import { sandboxErrors } from '../sandbox/check.ts'
import { dropNothings, unknownFields } from '../schema/body-fields.ts'
import { fingerprintOf } from '../schema/fingerprint.ts'
import { readJson } from '../schema/json.ts'
import { readParameters } from '../schema/parameters.ts'
import { readQuery } from '../schema/query.ts'
import { type Api, compiledOf } from './api.ts'
import type { Read, Route } from './route.ts'

type Input =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly problem: Problem }

/** Reads the input of a request for its route; a response header lists the fields that were ignored. */
export const readInput = (api: Api, { request, caller, headers }: Admitted, route: Route): Input => {
  let body: unknown = {}
  if (request.body.length > 0) {
    if (isEncoded(request.headers['content-encoding']))
      return { ok: false, problem: problem('UNSUPPORTED_ENCODING') }
    if (!isJson(request.headers['content-type']))
      return { ok: false, problem: problem('UNSUPPORTED_MEDIA_TYPE') }
    const json = readJson(request.body)
    if (!json.ok) return { ok: false, problem: problem('INVALID_JSON', json.reason) }
    body = json.value
  }
  const ignored: string[] = []
  const input = readMeaning(api, route, request.query, body, caller, ignored)
  if (ignored.length > 0) headers['Service-Ignored-Fields'] = headerList(ignored)
  return input
}

/** The input of a request, or every error in it; appends the names of unknown fields to `ignored`. */
export const readMeaning = (
  api: Api,
  route: Route,
  queryText: string,
  body: unknown,
  caller: Caller,
  ignored: string[],
): Input => {
  const check = compiledOf(api, route)
  const errors: FieldError[] = []
  let query: unknown
  if (queryText !== '' || route.query !== null) {
    const raw = readQuery(queryText)
    if (!raw.ok) return { ok: false, problem: invalid(raw.problems) }
    const parameters = readParameters(route.query, raw.values)
    const unknown = parameters.unknown.filter((name) => !placeParameters.includes(name))
    ignored.push(...unknown.map((name) => `query.${name}`))
    errors.push(...parameters.errors)
    if (check.query !== null) errors.push(...check.query(parameters.values))
    query = parameters.values
  }
  const refusal = route.guard?.(body) ?? null
  if (refusal !== null) return { ok: false, problem: refusal }
  if (check.body !== null) {
    dropNothings(route.body!, body as object)
    errors.push(...check.body(body))
    if (check.forcesOutcomes && (caller as SignedIn).environment === 'SANDBOX')
      errors.push(...sandboxErrors(body))
    ignored.push(...unknownFields(route.body!, body))
  } else {
    ignored.push(...Object.keys(body as object))
  }
  if (errors.length > 0) return { ok: false, problem: invalid(errors) }
  const read = inputOf(route, body, query)
  return read.ok ? read : { ok: false, problem: invalid(read.errors) }
}

/** What a route reads from a body and a query that its schemas accept; null for a route that takes nothing. */
export const inputOf = ({ action }: Route, body: unknown, query: unknown): Read<unknown> => {
  const read = action.read?.(body as never, query as never) ?? null
  return typeof read === 'object' && read !== null && 'ok' in read
    ? (read as Read<unknown>)
    : { ok: true, input: read }
}

/** The parameters that name company and environment for EventSource and downloads, which set no headers. */
const placeParameters = ['serviceCompany', 'serviceEnvironment']

const isJson = (contentType: string | undefined): boolean => {
  if (contentType === 'application/json') return true
  return contentType !== undefined && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType)
}

const isEncoded = (contentEncoding: string | undefined): boolean =>
  contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity'

/** Names from outside, escaped for a header, at most 1 KB. */
const headerList = (names: readonly string[]): string =>
  names
    .map((name) => encodeURIComponent(name))
    .join(', ')
    .slice(0, 1024)

/**
 * The idempotency key of a request and the fingerprint of what it asks; null without a key. `"k"` and `k` are the same key: the header's
 * draft standard quotes it, most clients do not.
 */
export const readIdempotency = (
  request: Admitted['request'],
  input: unknown,
): { readonly key: string; readonly fingerprint: string } | null | 'INVALID' => {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  if (request.repeatedHeaders.includes('idempotency-key')) return 'INVALID'
  const key = /^".*"$/.test(header) ? header.slice(1, -1) : header
  if (key.length === 0 || key.length > bounds.idempotencyKeyCharsMax) return 'INVALID'
  if (!/^[\x20-\x7e]+$/.test(key)) return 'INVALID'
  assert(request.path.startsWith('/'), 'a fingerprint names a path')
  return { key, fingerprint: fingerprintOf(request.verb, request.path, input) }
}
