import { hash } from 'node:crypto'
import { assert } from '../../engine/assert.ts'
import type { Command } from '../../engine/commands.ts'
import type { Directory } from '../../engine/directory/directory.ts'
import { accountIdOf, type Entropy, newId } from '../../engine/ids.ts'
import { limits } from '../limits.ts'
import type { Router } from '../router.ts'
import { ShardUnavailable } from '../router.ts'
import { authenticate, type Keyring, type KnownKey } from './authenticate.ts'
import { routeFinder } from './find-route.ts'
import { readJson } from './json.ts'
import { readParameters } from './parameters.ts'
import {
  type FieldError,
  invalid,
  type Problem,
  problemBody,
  problemOf,
  sandboxOnly,
  unavailable,
} from './problem.ts'
import { readPathSegments, readQuery } from './query.ts'
import type { RateLimit } from './rate-limit.ts'
import { isProblem, type RequestContext, type Route, type View } from './route.ts'
import { type Check, compile, unknownFields } from './schema.ts'
import { serializer } from './serialize.ts'
import type { HttpRequest, HttpResponse } from './transport.ts'

export type PipelineOptions = {
  readonly routes: readonly Route[]
  readonly router: Router
  readonly directory: Directory
  readonly keyring: Keyring
  readonly rateLimit: RateLimit | null
  readonly realNow: () => number
  readonly entropy: Entropy
  /** Pages that need no key: health, the OpenAPI document, the reference. */
  readonly openPage: (request: HttpRequest) => HttpResponse | null
  readonly onAnswered: (line: RequestLine) => void
}

/** What the log and the metrics hear of a request: no secrets, no bodies. */
export type RequestLine = {
  readonly requestId: string
  readonly verb: string
  /** The route's pattern; null where no route was found. */
  readonly route: string | null
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly keyId: string | null
  readonly companyId: string | null
  readonly durationMs: number
}

/** What the checks up to now found out; headers gather on the way. */
type Answering = {
  readonly requestId: string
  readonly headers: Record<string, string>
  route: Route | null
  known: KnownKey | null
}

/**
 * Every request goes through here, in the order of decisions, section 2: the first check that fails answers. The sizes
 * (step 1) are checked by the transport, before the request is whole.
 */
export const openPipeline = (
  options: PipelineOptions,
): ((request: HttpRequest) => HttpResponse | Promise<HttpResponse>) => {
  const { router, directory, keyring, rateLimit, realNow, entropy } = options
  const findRoute = routeFinder(options.routes)
  const compiled = new Map(options.routes.map((route) => [route, compileRoute(route)]))

  return (request) => {
    const open = options.openPage(request)
    if (open !== null) return open
    const startedAtMs = realNow()
    const requestId = newId('req', startedAtMs, entropy)
    const headers = { 'Request-Id': requestId, 'Cache-Control': 'no-store' }
    const answering: Answering = { requestId, headers, route: null, known: null }
    const outcome = settle(request, answering, startedAtMs)
    if (!(outcome instanceof Promise)) return finish(request, answering, startedAtMs, outcome)
    return outcome.then(
      (outcome) => finish(request, answering, startedAtMs, outcome),
      (error) => {
        if (error instanceof ShardUnavailable) return finish(request, answering, startedAtMs, unavailable)
        throw error
      },
    )
  }

  function settle(request: HttpRequest, answering: Answering, atMs: number): Outcome | Promise<Outcome> {
    const known = authenticate(request, keyring)
    if (known === null) return unauthorized
    answering.known = known
    if (rateLimit !== null) {
      const allowance = rateLimit.take(known.ordinal, atMs)
      answering.headers['RateLimit-Policy'] = rateLimit.policy
      answering.headers.RateLimit = `"default";r=${allowance.remaining};t=${allowance.resetSeconds}`
      if (!allowance.allowed) return rateLimited(rateLimit.policy, allowance.resetSeconds)
    }
    const segments = readPathSegments(request.path)
    const found = segments && findRoute(segments)
    if (!found) return routeNotFound
    const verb = request.verb === 'HEAD' ? 'GET' : request.verb
    const route = found.byVerb.get(verb)
    if (route === undefined) return methodNotAllowed([...found.byVerb.keys()])
    answering.route = route
    const refusal = mayNot(route, known)
    if (refusal !== null) return refusal
    const input = readInput(request, route, answering)
    if (!input.ok) return input.problem
    return execute(request, route, input.input, found.id, known, atMs, answering)
  }

  /** Scope, then environment, then product. */
  function mayNot(route: Route, { key }: KnownKey): Problem | null {
    if (!key.scopes.includes(route.scope)) {
      const detail = `this operation needs the scope ${route.scope}`
      return { status: 403, code: 'NO_PERMISSION', detail, extra: { requiredScope: route.scope } }
    }
    if (route.sandboxOnly && key.environment !== 'SANDBOX') return sandboxOnly
    if (route.product === null) return null
    const state =
      directory.companies.get(key.companyId)?.products[key.environment][route.product] ?? 'DISABLED'
    const active = key.environment === 'PRODUCTION' ? state === 'ACTIVE' : state !== 'DISABLED'
    if (active) return null
    const detail = `the product ${route.product} is not active for this company`
    return { status: 403, code: 'PRODUCT_NOT_ACTIVE', detail, extra: { product: route.product } }
  }

  function readInput(request: HttpRequest, route: Route, answering: Answering): Input {
    const check = compiled.get(route)!
    const ignored: string[] = []
    const errors: FieldError[] = []
    let query: unknown
    if (request.query !== '' || route.query !== null) {
      const raw = readQuery(request.query)
      if (!raw.ok) return { ok: false, problem: invalid(raw.problems) }
      const parameters = readParameters(route.query, raw.values)
      ignored.push(...parameters.unknown.map((name) => `query.${name}`))
      errors.push(...parameters.errors)
      if (errors.length === 0 && check.query !== null) errors.push(...check.query(parameters.values))
      query = parameters.values
    }
    let body: unknown = {}
    if (request.body.length > 0) {
      if (!isJson(request.headers['content-type'])) return { ok: false, problem: unsupportedMediaType }
      const json = readJson(request.body)
      if (!json.ok) return { ok: false, problem: { status: 400, code: 'INVALID_JSON', detail: json.reason } }
      body = json.value
    }
    if (check.body !== null) {
      errors.push(...check.body(body))
      ignored.push(...unknownFields(route.body!, body))
    } else if (request.body.length > 0) {
      ignored.push(...Object.keys(body as object))
    }
    if (ignored.length > 0) answering.headers['Service-Ignored-Fields'] = headerList(ignored)
    if (errors.length > 0) return { ok: false, problem: invalid(errors) }
    const read = route.action.read(body, query)
    return read.ok ? read : { ok: false, problem: invalid(read.errors) }
  }

  function execute(
    request: HttpRequest,
    route: Route,
    input: unknown,
    id: string,
    { key }: KnownKey,
    atMs: number,
    answering: Answering,
  ): Outcome | Promise<Outcome> {
    const accountId = accountIdOf(key.companyId, key.environment)
    const { companyId, environment } = key
    const context: RequestContext = {
      accountId,
      companyId,
      environment,
      by: { kind: route.sandboxOnly ? 'SANDBOX' : 'KEY', id: key.id },
      id,
      atMs,
      entropy,
    }
    const { action } = route
    if (action.kind === 'query') {
      return router
        .ask(action.query(input as never, context))
        .then((answer) => shown(route, action.view(answer as never, input as never)))
    }
    const idempotencyKey = route.idempotent ? readIdempotencyKey(request) : null
    if (idempotencyKey === 'INVALID') return idempotencyKeyInvalid
    const command = action.command(input as never, context)
    const told = idempotencyKey === null ? command : withKey(command, idempotencyKey, request, input)
    return router.tell(told).then((reply) => {
      if (!reply.accepted) return problemOf(reply.rejection)
      if (reply.replayed) answering.headers['Idempotent-Replayed'] = 'true'
      return shown(route, action.view(reply, input as never))
    })
  }

  function finish(
    request: HttpRequest,
    answering: Answering,
    startedAtMs: number,
    outcome: Outcome,
  ): HttpResponse {
    const { requestId, headers, known, route } = answering
    const problem = 'code' in outcome ? outcome : null
    options.onAnswered({
      requestId,
      verb: request.verb,
      route: route?.path ?? null,
      path: request.path,
      status: problem?.status ?? (outcome as Shown).route.status,
      code: problem?.code ?? null,
      keyId: known?.key.id ?? null,
      companyId: known?.key.companyId ?? null,
      durationMs: realNow() - startedAtMs,
    })
    if (problem !== null) {
      headers['Content-Type'] = 'application/problem+json'
      return {
        status: problem.status,
        headers: problem.headers ? { ...headers, ...problem.headers } : headers,
        body: problemBody(problem, request.path, requestId),
      }
    }
    const { route: shownBy, view } = outcome as Shown
    headers['Content-Type'] = 'application/json'
    if (view.location !== undefined && shownBy.status === 201) headers.Location = view.location
    return { status: shownBy.status, headers, body: compiled.get(shownBy)!.write(view.body) }
  }
}

type Shown = { readonly route: Route; readonly view: View }
type Outcome = Problem | Shown
type Input =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly problem: Problem }

const shown = (route: Route, view: View | Problem): Outcome => (isProblem(view) ? view : { route, view })

type Compiled = {
  readonly body: Check | null
  readonly query: Check | null
  readonly write: (answer: object) => string
}

const compileRoute = (route: Route): Compiled => ({
  body: route.body && compile(route.body),
  query: route.query && compile(route.query, 'query.'),
  write: serializer(route.answer),
})

/** `"k"` and `k` are the same key: the header's standard quotes it, most clients do not. */
const readIdempotencyKey = (request: HttpRequest): string | null | 'INVALID' => {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  if (request.repeatedHeaders.includes('idempotency-key')) return 'INVALID'
  const key = /^".*"$/.test(header) ? header.slice(1, -1) : header
  if (key.length === 0 || key.length > limits.idempotencyKeyCharsMax) return 'INVALID'
  return /^[\x20-\x7e]+$/.test(key) ? key : 'INVALID'
}

/** The fingerprint is over what the request means: `"1000"` and `1000`, or a default given and left out, are one request. */
const withKey = (command: Command, key: string, request: HttpRequest, input: unknown): Command => {
  assert(request.path.startsWith('/'), 'a fingerprint names a path')
  const fingerprint = hash('sha256', `${request.verb} ${request.path}\n${JSON.stringify(input)}`, 'base64url')
  return { ...command, idempotency: { key, fingerprint } }
}

const isJson = (contentType: string | undefined): boolean => {
  if (contentType === 'application/json') return true
  return contentType !== undefined && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType)
}

/** Names from outside, made safe for a header, at most 1 KB. */
const headerList = (names: readonly string[]): string =>
  names
    .map((name) => encodeURIComponent(name))
    .join(', ')
    .slice(0, 1024)

const unauthorized: Problem = {
  status: 401,
  code: 'UNAUTHORIZED',
  detail: 'send a valid API key as "Authorization: Bearer <key>", or as HTTP Basic with its clientId',
  headers: { 'WWW-Authenticate': 'Bearer, Basic' },
}

const rateLimited = (policy: string, seconds: number): Problem => ({
  status: 429,
  code: 'RATE_LIMITED',
  detail: `more requests than the policy ${policy} allows; try again in ${seconds} s`,
  extra: { policy: 'default' },
  headers: { 'Retry-After': String(seconds) },
})

const routeNotFound: Problem = { status: 404, code: 'ROUTE_NOT_FOUND', detail: 'no operation has this path' }

const methodNotAllowed = (verbs: readonly string[]): Problem => {
  const allow = (verbs.includes('GET') ? [...verbs, 'HEAD'] : verbs).join(', ')
  const detail = `this path has only ${allow}`
  return { status: 405, code: 'METHOD_NOT_ALLOWED', detail, headers: { Allow: allow } }
}

const unsupportedMediaType: Problem = {
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  detail: 'send the body as application/json in UTF-8',
}

const idempotencyKeyInvalid: Problem = {
  status: 400,
  code: 'IDEMPOTENCY_KEY_INVALID',
  detail: 'Idempotency-Key is sent once, with 1 to 255 printable ASCII characters',
}
