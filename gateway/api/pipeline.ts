import { type Directory, isActive } from '../../engine/directory/directory.ts'

import { type Handler, passOn, promised, type Waiter } from '../../engine/kernel/handler.ts'
import type { Command, Rejection } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { ShardMoved, ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { Permission } from '../../engine/people/permission.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import { fnv1a } from '../../engine/shared/hash.ts'
import { type Entropy, newId } from '../../engine/shared/ids.ts'
import type { Product } from '../../engine/shared/product.ts'
import { traceIdOf } from '../../engine/shared/traceparent.ts'
import { limits } from '../base/limits.ts'
import type { Heard, LiveFeeds } from '../events/live/feeds.ts'
import type { LiveStreams } from '../events/live/streams.ts'
import { isAboutPerson } from '../identity/access.ts'
import { type Asked, type Confirmable, type Operate, operatorAsks } from '../identity/asked.ts'
import { authenticate, type Keyring } from '../identity/authenticate.ts'
import { type Caller, isAllowed, type KnownKey, type SignedIn, stranger } from '../identity/caller.ts'
import type { KeyUsage } from '../identity/key-usage.ts'
import type { PersonalTexts } from '../identity/personal-texts.ts'
import type { RateLimit } from '../identity/rate-limit.ts'
import type { SessionGate } from '../identity/session-gate.ts'
import {
  type Admitted,
  packRequest,
  packResponse,
  type RelayedRequest,
  type RelayedResponse,
  type RelaySource,
  unpackRequest,
  unpackResponse,
} from '../link/relay.ts'
import type { Relay, Router } from '../link/router.ts'
import {
  type FieldError,
  invalid,
  type Problem,
  problem,
  problemResponse,
  productNotActive,
  unavailable,
} from '../problems/problem.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import { sandboxErrors } from '../sandbox/check.ts'
import { digestOf, fingerprintOf } from '../schema/fingerprint.ts'
import { readJson } from '../schema/json.ts'
import { minimalOf, prefersMinimal } from '../schema/minimal.ts'
import { readParameters } from '../schema/parameters.ts'
import { readPathSegments, readQuery } from '../schema/query.ts'
import { type Check, compile, compileQuery, unknownFields } from '../schema/schema.ts'
import { serializer } from '../schema/serialize.ts'
import { traceparentOf } from '../wire/traceparent.ts'
import type { Handle, HttpRequest, HttpResponse } from '../wire/transport.ts'
import { auditAskerOf } from './audit-asker.ts'
import { type Found, routeFinder } from './find-route.ts'
import { newKeptAnswers } from './kept-answers.ts'
import type { OpenPage } from './open-pages.ts'
import { problemOf } from './problem-of.ts'
import {
  type CsvOf,
  isProblem,
  type Outcome,
  type OutstandingRequest,
  type PieceView,
  type RequestContext,
  type Route,
  type ShownView,
  takesKeys,
  type View,
} from './route.ts'

export type PipelineOptions = {
  readonly routes: readonly Route[]
  readonly router: Router
  readonly directory: Directory
  readonly keyring: Keyring
  readonly keyUsage: KeyUsage
  /** How people are let in, and what they ask is done; null admits keys alone. */
  readonly people: PeopleAccess | null
  readonly rateLimit: RateLimit | null
  /** The additional limit for exports. */
  readonly exportRateLimit: RateLimit | null
  readonly realNow: () => number
  readonly entropy: Entropy
  /** Answers pages that need no key: health, the OpenAPI document, the reference. */
  readonly openPage: (request: HttpRequest) => OpenPage
  /** The origin under which callers reach the service; empty if it is not set. */
  readonly publicUrl: string
  readonly csvOf: CsvOf
  /** How what is stored about people is sealed and opened. */
  readonly personal: PersonalTexts
  readonly cardTokens: Pick<CardTokens, 'seal'>
  readonly onAnswered: (line: RequestLine) => void
}

export type PeopleAccess = {
  readonly gate: SessionGate
  /** Has the main thread do an operation. */
  readonly operate: Operate
  /** By session. */
  readonly rateLimit: RateLimit | null
  /** The news of the accounts that this thread owns, and the connections of this thread that listen to any. */
  readonly feeds: LiveFeeds
  readonly streams: LiveStreams
}

/** What the log and the metrics learn about a request: no secrets, no bodies. */
export type RequestLine = {
  readonly requestId: string
  readonly verb: string
  /** The route's pattern; null if no route was found. */
  readonly route: string | null
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly keyId: string | null
  /** Who sent it from the dashboard; absent otherwise. */
  readonly personId?: string
  readonly companyId: string | null
  readonly durationMs: number
  /** The trace that the request belongs to; absent if there is none. */
  readonly traceId?: string
}

export type Pipeline = {
  /** Answers a request that reached this thread, here or through the thread that owns the company's shard. */
  readonly handle: Handle
  /**
   * Answers a request that another thread admitted, or relays it if another node owns the shard. A request from another node is
   * answered here, or rejected with `ShardMoved` before anything is done.
   */
  readonly serve: (relayed: RelayedRequest, from?: RelaySource) => Promise<RelayedResponse>
}

/**
 * Opens the pipeline that every request passes, in the order of decisions, section 2: the first check that fails answers. Sizes
 * (step 1) are checked by the transport, before the request is complete.
 */
export const openPipeline = (options: PipelineOptions): Pipeline => {
  const { router, directory, keyring, keyUsage, people, personal, rateLimit, realNow, entropy } = options
  const findRoute = routeFinder(options.routes)
  const compiled = new Map<Route, Compiled>()
  /** Compiled by the first request that needs it: all routes together take a third of a start, and few callers use all. */
  const compiledOf = (route: Route): Compiled => {
    let found = compiled.get(route)
    if (found === undefined) {
      found = compileRoute(route)
      compiled.set(route, found)
    }
    return found
  }

  /** The fingerprints of the requests that are being confirmed, by account and idempotency key. */
  const claims = new Map<string, string>()

  /** Makes the answer of a request from the outcome of its command or query. */
  class Answering<Value> implements Waiter<Value> {
    readonly #admitted: Admitted
    readonly #route: Route
    readonly #view: (value: Value) => Outcome | Promise<Outcome>
    readonly #by: Handler
    readonly #to: Waiter<HttpResponse>

    constructor(
      admitted: Admitted,
      route: Route,
      view: (value: Value) => Outcome | Promise<Outcome>,
      by: Handler,
      to: Waiter<HttpResponse>,
    ) {
      this.#admitted = admitted
      this.#route = route
      this.#view = view
      this.#by = by
      this.#to = to
    }

    resolve(value: Value): void {
      try {
        const outcome = this.#view(value)
        if (outcome instanceof Promise)
          passOn(
            outcome.then((outcome) => this.#finish(outcome)),
            this.#to,
          )
        else tell(() => this.#finish(outcome), this.#to)
      } catch (error) {
        this.#to.reject(error)
      }
    }

    reject(error: unknown): void {
      // The node that relayed the request tries again, wherever the shard is by then.
      if (this.#by === router.here && error instanceof ShardMoved) this.#to.reject(error)
      else tell(() => this.#finish(unavailableOr(error)), this.#to)
    }

    #finish(outcome: Outcome): HttpResponse {
      return finish(this.#admitted, this.#route, outcome)
    }
  }

  return {
    handle: (request, to) => {
      const open = options.openPage(request)
      if (open instanceof Promise) passOn(open, to)
      else if (open !== null) to.resolve(open)
      else begin(request, to)
    },
    serve: (relayed, from) =>
      promised((to) => {
        const admitted = unpackRequest(relayed, {
          key: keyring.at,
          person: (...at) => people?.gate.callerAt(...at),
        })
        // A new key or session does not reach all nodes at the same moment.
        if (admitted === null) throw new ShardMoved('the caller is not known here yet')
        const relay = from === 'node' ? null : relayOf(admitted)
        if (relay !== null) passOn(relay(relayed), to)
        else
          answer(admitted, find(admitted.request), from === 'node' ? router.here : router, {
            resolve: (response) => to.resolve(packResponse(response)),
            reject: (error) => to.reject(error),
          })
      }),
  }

  /** A session that is not known here is looked for again with the news of the other nodes. `unknown` is the answer if it is not there. */
  function begin(request: HttpRequest, to: Waiter<HttpResponse>, unknown: Problem | null = null): void {
    const found = find(request)
    const admitted = admit(request, found, unknown)
    if (admitted === null)
      people!.operate(newsAsked).then(
        (outcome) => begin(request, to, 'code' in outcome ? (outcome as Problem) : unauthorized),
        (error: unknown) => to.reject(error),
      )
    else if ('status' in admitted) to.resolve(admitted)
    else if (isAnsweredHere(found, admitted.caller)) answer(admitted, found, router, to)
    else if (admitted.caller.kind === 'PERSON' && isLive(found, request.verb))
      listen(admitted, admitted.caller, found!, to)
    else answerOrRelay(admitted, found, to)
  }

  function find({ path }: Pick<HttpRequest, 'path'>): Found | null {
    const segments = readPathSegments(path)
    return segments && findRoute(segments)
  }

  /** What the main thread does needs no shard, and may be about no company. */
  function isAnsweredHere(found: Found | null, { accountId }: Caller): boolean {
    return accountId === null || found === null || found.isOfMainThread
  }

  /** How a request reaches the thread that owns its company's shard; null if this one does. */
  function relayOf({ caller }: Admitted): Relay | null {
    return router.relayTo(caller.accountId!)
  }

  function answerOrRelay(admitted: Admitted, found: Found | null, to: Waiter<HttpResponse>): void {
    const relay = relayOf(admitted)
    const send = (admitted: Admitted, to: Waiter<HttpResponse>): void => {
      if (relay === null) answer(admitted, found, router, to)
      else passOn(relay(packRequest(admitted)).then(unpackResponse), to)
    }
    send(admitted, {
      resolve: (response) => to.resolve(inPieces(response, admitted, send)),
      reject: (error) => tell(() => finish(admitted, null, unavailableOr(error)), to),
    })
  }

  /** Streams the news of an account: the owner of its shard is asked for each piece, and checks the permission each time. */
  function listen(admitted: Admitted, caller: SignedIn, found: Found, to: Waiter<HttpResponse>): void {
    const place = people!.streams.take(caller)
    if (place === null) {
      to.resolve(finish(admitted, routeOf(found, admitted.request.verb), tooManyStreams))
      return
    }
    const ask = async (cursor: string | null): Promise<HttpResponse> => {
      const asked = { ...admitted, headers: cursor === null ? admitted.headers : {}, cursor }
      const relay = relayOf(asked)
      if (relay !== null) return unpackResponse(await relay(packRequest(asked)))
      return promised((to) => answer(asked, found, router, to))
    }
    const heardNext = async (cursor: string): Promise<Heard> => {
      const { status, headers, body } = await ask(cursor)
      if (status !== 200) throw new Error(`a live stream ends with ${status}`)
      return { text: String(body), place: headers[nextPiece]! }
    }
    passOn(ask(null), {
      resolve: ({ status, headers: { [nextPiece]: next, ...headers }, body }) => {
        if (next === undefined) place.release()
        const first = { text: String(body), place: next! }
        if (next === undefined) to.resolve({ status, headers, body })
        // Proxies that gather what they pass on would hold events back.
        else
          to.resolve({
            status,
            headers: { ...headers, 'X-Accel-Buffering': 'no' },
            body: place.begin(first, heardNext),
          })
      },
      reject: (error) => {
        place.release()
        tell(() => finish(admitted, null, unavailableOr(error)), to)
      },
    })
  }

  /**
   * Streams an answer whose first piece names where it continues: each further piece is the same request again, from there. So a
   * long answer needs no state where it is made, and is made only as fast as it is read: one piece is made while the client takes the one
   * before.
   */
  function inPieces(
    response: HttpResponse,
    admitted: Admitted,
    send: (request: Admitted, to: Waiter<HttpResponse>) => void,
  ): HttpResponse {
    if (response.headers[nextPiece] === undefined) return response
    const { [nextPiece]: _, ...headers } = response.headers
    const after = (cursor = ''): Promise<HttpResponse> | null => {
      if (cursor === '') return null
      const more = promised<HttpResponse>((to) => send({ ...admitted, headers: {}, cursor }, to))
      // A client that has left asks for no more pieces: the failure of this one is then of no interest.
      more.catch(() => undefined)
      return more
    }
    let next: Promise<HttpResponse> | null = Promise.resolve(response)
    const piece = async (): Promise<Buffer | null> => {
      if (next === null) return null
      const { status, headers, body } = await next
      assert(status === 200, `the next piece of an answer is there, not a ${status}`)
      next = after(headers[nextPiece])
      return body as Buffer
    }
    return { status: response.status, headers, body: { next: piece } }
  }

  /** Finds out who is asking, and checks the rate limit. A session that is not known is refused as `unknown` says; null leads to null. */
  function admit(
    request: HttpRequest,
    found: Found | null,
    unknown: Problem | null,
  ): Admitted | HttpResponse | null {
    const startedAtMs = realNow()
    const requestId = newId('req', startedAtMs, entropy)
    const headers: Record<string, string> = { 'Request-Id': requestId, 'Cache-Control': 'no-store' }
    const caller =
      authenticate(request, keyring, keyUsage, startedAtMs) ??
      callerWithoutKey(request, found, headers, startedAtMs, unknown)
    if (caller === null) return null
    if ('code' in caller)
      return finish(
        { request, caller: stranger, requestId, startedAtMs, headers, cursor: null },
        null,
        caller,
      )
    const admitted: Admitted = { request, caller, requestId, startedAtMs, headers, cursor: null }
    const limit = caller.kind === 'PERSON' ? people!.rateLimit : rateLimit
    if (limit === null || caller.kind === 'STRANGER') return admitted
    const allowance = limit.take(slotOf(caller), startedAtMs)
    headers['RateLimit-Policy'] = limit.policy
    headers.RateLimit = `"default";r=${allowance.remaining};t=${allowance.resetSeconds}`
    if (allowance.allowed) return admitted
    return finish(admitted, null, rateLimited(limit, allowance.resetSeconds))
  }

  /** A person who is signed in, or a stranger where the route is open. */
  function callerWithoutKey(
    request: HttpRequest,
    found: Found | null,
    headers: Record<string, string>,
    nowMs: number,
    unknown: Problem | null,
  ): Caller | Problem | null {
    if (people === null || request.headers.authorization !== undefined) return unauthorized
    const { gate } = people
    const access = found && routeOf(found, request.verb)?.permission
    if (access === 'OPEN') return gate.crossesSites(request) ? problem('CSRF_REJECTED') : stranger
    const { caller, setCookie, isUnknown } = gate.admit(request, access ?? null, nowMs)
    if (isUnknown) return unknown
    // A page that is left open must not keep the session alive.
    if (setCookie !== null && !isLive(found, request.verb)) headers['Set-Cookie'] = setCookie
    return caller ?? unauthorized
  }

  function answer(admitted: Admitted, found: Found | null, by: Handler, to: Waiter<HttpResponse>): void {
    const route = found && routeOf(found, admitted.request.verb)
    if (!found) to.resolve(finish(admitted, null, problem('ROUTE_NOT_FOUND')))
    else if (route === null || route === undefined)
      to.resolve(finish(admitted, null, methodNotAllowed([...found.byVerb.keys()])))
    else {
      const refusal = execute(admitted, route, found.id, by, to)
      if (refusal !== null) to.resolve(finish(admitted, route, refusal))
    }
  }

  /** Tells the answer of what may throw instead. */
  function tell(make: () => HttpResponse, to: Waiter<HttpResponse>): void {
    let response: HttpResponse
    try {
      response = make()
    } catch (error) {
      to.reject(error)
      return
    }
    to.resolve(response)
  }

  /** Checks permission and its freshness, then environment, then product. */
  function accessRefusal(route: Route, caller: Caller, nowMs: number): Problem | null {
    const refusal = permissionRefusal(route, caller)
    if (refusal !== null) return refusal
    if (route.factor === 'SESSION' && caller.kind === 'PERSON' && !people!.gate.isFresh(caller, nowMs))
      return problem('STEP_UP_REQUIRED', null, { extra: { methods: people!.gate.methodsOf(caller) } })
    if (route.sandboxOnly && caller.kind !== 'STRANGER' && caller.environment !== 'SANDBOX')
      return problem('SANDBOX_ONLY')
    return route.product === null ? null : productRefusal(route.product, caller)
  }

  function productRefusal(product: Product, caller: Caller): Problem | null {
    const { companyId, environment } = caller as SignedIn
    const company = directory.companies.get(companyId!)
    if (company !== undefined && isActive(company, environment!, product)) return null
    return productNotActive(product)
  }

  /** Exports have a rate limit of their own, on top of that of all requests. */
  function exportRateRefusal({ caller, startedAtMs, headers }: Admitted): Problem | null {
    const limit = options.exportRateLimit
    if (limit === null) return null
    const allowance = limit.take(slotOf(caller), startedAtMs)
    headers['RateLimit-Policy'] = [headers['RateLimit-Policy'], limit.policy].filter(Boolean).join(', ')
    return allowance.allowed ? null : rateLimited(limit, allowance.resetSeconds)
  }

  function readInput({ request, caller, headers }: Admitted, route: Route): Input {
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
    const input = readMeaning(route, request.query, body, caller, ignored)
    if (ignored.length > 0) headers['Service-Ignored-Fields'] = headerList(ignored)
    return input
  }

  /** What a request means, or all that is wrong with it; adds the names that mean nothing here to `ignored`. */
  function readMeaning(
    route: Route,
    queryText: string,
    body: unknown,
    caller: Caller,
    ignored: string[],
  ): Input {
    const check = compiledOf(route)
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
      errors.push(...check.body(body))
      if (check.forcesOutcomes && (caller as SignedIn).environment === 'SANDBOX')
        errors.push(...sandboxErrors(body))
      ignored.push(...unknownFields(route.body!, body))
    } else {
      ignored.push(...Object.keys(body as object))
    }
    if (errors.length > 0) return { ok: false, problem: invalid(errors) }
    const read = route.action.read(body, query)
    return read.ok ? read : { ok: false, problem: invalid(read.errors) }
  }

  /** What a passkey signs to confirm a request that is yet to be sent; a problem where that request would be refused. */
  function confirmableOf(
    admitted: Admitted,
    { verb, path: target, body }: OutstandingRequest,
  ): Confirmable | Problem {
    const { path, query } = splitTarget(target)
    const found = find({ path })
    const route = found && routeOf(found, verb)
    if (!route) return problem('ROUTE_NOT_FOUND')
    const { caller, request } = admitted
    const placed = isAboutPerson(route.permission) ? caller : people!.gate.placed(caller as SignedIn, request)
    if ('code' in placed) return placed
    const refusal = permissionRefusal(route, placed)
    if (refusal !== null) return refusal
    const read = readMeaning(route, query, body, placed, [])
    return read.ok ? confirmable(placed, verb, path, query, read.input) : inField('body', read.problem)
  }

  /** Checks a request and does what it asks. A refusal is returned: nothing was done, and nothing is told. */
  function execute(
    admitted: Admitted,
    route: Route,
    id: string,
    by: Handler,
    to: Waiter<HttpResponse>,
  ): Problem | null {
    const { request, caller, startedAtMs, headers, cursor } = admitted
    const refusal = accessRefusal(route, caller, startedAtMs)
    if (refusal !== null) return refusal
    const late = route.isExport && cursor === null ? exportRateRefusal(admitted) : null
    if (late !== null) return late
    const read = readInput(admitted, route)
    if (!read.ok) return read.problem
    const { input } = read
    const needed = route.alsoNeeds?.(input as never) ?? null
    const lack = needed === null ? null : productRefusal(needed, caller)
    if (lack !== null) return lack
    // Routes about a person alone are of no company, and use none of these.
    const { companyId, environment, by: initiator } = caller as KnownKey
    const context: RequestContext = {
      accountId: caller.accountId!,
      company: directory.companies.get(companyId)!,
      environment,
      directory,
      by: route.sandboxOnly ? { kind: 'SANDBOX', id: initiator.id } : initiator,
      caller,
      confirmableOf: (outstanding) => confirmableOf(admitted, outstanding),
      origin: caller.kind === 'PERSON' ? 'DASHBOARD' : 'API',
      id,
      atMs: startedAtMs,
      entropy,
      accept: request.headers.accept,
      address: () =>
        caller.kind === 'PERSON'
          ? personal.seal(caller.person.id, request.remoteAddress)
          : request.remoteAddress,
      cursor,
      prefersMinimal: compiledOf(route).minimal !== null && prefersMinimal(request.headers),
      csvOf: options.csvOf,
      personal,
      cardTokens: options.cardTokens,
    }
    const { action } = route
    if (action.kind === 'query') {
      const view = (answer: unknown) => action.view(answer as never, input as never, context)
      const answering = new Answering(admitted, route, view, by, to)
      const ask = (): void => by.answer(action.query(input as never, context), answering)
      if (route.isAudited && cursor === null)
        recordFirst(admitted, route, by, {
          resolve: ask,
          // Reads go on where nothing can be written.
          reject: (error) => (error instanceof ShardMoved ? answering.reject(error) : ask()),
        })
      else ask()
      return null
    }
    if (action.kind === 'operation') {
      const view = (answer: object | Problem): Outcome =>
        'code' in answer ? (answer as Problem) : action.view(answer as never, input as never, context)
      const refusal = action.refuse?.(input as never, context) ?? null
      if (refusal !== null) return refusal
      const asked = askedOf(admitted, input, action.operation, action.input(input as never, context))
      passOn(people!.operate(asked), new Answering(admitted, route, view, by, to))
      return null
    }
    if (action.kind === 'live') {
      const { accountId } = context
      const answering = new Answering(admitted, route, action.view, by, to)
      if (by === router.here && router.relayTo(accountId) !== null)
        answering.reject(new ShardMoved('its news are heard where the shard is owned'))
      else
        passOn(
          people!.feeds.next(accountId, {
            place: cursor ?? request.headers['last-event-id'] ?? null,
            isFirst: cursor === null,
            permissions: (caller as SignedIn).permissions,
          }),
          answering,
        )
      return null
    }
    const idempotencyKey = route.idempotent ? readIdempotencyKey(request) : null
    if (idempotencyKey === 'INVALID') return problem('IDEMPOTENCY_KEY_INVALID')
    const command = action.command(input as never, context)
    const sent = idempotencyKey === null ? command : withKey(command, idempotencyKey, request, input)
    const traceparent = traceparentOf(request)
    if (traceparent !== null) Object.assign(sent, { traceparent })
    if (route.isAudited) Object.assign(sent, { audit: auditAskerOf(admitted, route, personal) })
    const view = (reply: Reply): Outcome => {
      if (!reply.accepted) return problemOf(reply.rejection)
      if (reply.replayed) headers['Idempotent-Replayed'] = 'true'
      return action.view(reply, input as never, context)
    }
    const answering = new Answering(admitted, route, view, by, to)
    if (route.factor === 'OPERATION' && caller.kind === 'PERSON')
      performConfirmed(admitted, route, input, sent, by, answering, to)
    else by.perform(sent, answering)
    return null
  }

  /**
   * Performs a command once a second factor has confirmed it. It is decided before without effect: a code is used up by what it confirms,
   * and by nothing that is refused or was done already. Its idempotency key is claimed first: of equal requests at once one uses the code up,
   * and the others are not told that it is wrong.
   */
  function performConfirmed(
    admitted: Admitted,
    route: Route,
    input: unknown,
    command: Command,
    by: Handler,
    answering: Waiter<Reply>,
    to: Waiter<HttpResponse>,
  ): void {
    const claim = claimed(command)
    if ('reason' in claim) {
      answering.resolve({ accepted: false, rejection: claim })
      return
    }
    const last: Waiter<Reply> = {
      resolve: (reply) => {
        claim.release()
        answering.resolve(reply)
      },
      reject: (error) => {
        claim.release()
        answering.reject(error)
      },
    }
    const confirm = (): void => {
      const asked = askedOf(admitted, input, 'session confirm', {})
      passOn(people!.operate({ ...asked, by: { ...asked.by, operation: route.operationId } }), {
        resolve: (outcome) => {
          if ('code' in outcome) {
            claim.release()
            tell(() => finish(admitted, route, outcome as Problem), to)
          } else by.perform(command, last)
        },
        reject: last.reject,
      })
    }
    by.perform(
      { ...command, isPreview: true },
      {
        resolve: (reply) => (reply.accepted && !reply.replayed ? confirm() : last.resolve(reply)),
        reject: last.reject,
      },
    )
  }

  /** Claims the idempotency key of a command for as long as it is being confirmed; or says why it cannot be had. */
  function claimed({ accountId, idempotency }: Command): Claim | Rejection {
    if (idempotency === undefined) return unclaimed
    const { key, fingerprint } = idempotency
    const name = `${accountId} ${key}`
    const holder = claims.get(name)
    if (holder !== undefined)
      return { reason: holder === fingerprint ? 'IDEMPOTENCY_KEY_IN_PROGRESS' : 'IDEMPOTENCY_KEY_REUSED' }
    claims.set(name, fingerprint)
    return { release: () => claims.delete(name) }
  }

  /** Records an export before any of it leaves. */
  function recordFirst(admitted: Admitted, route: Route, by: Handler, to: Waiter<unknown>): void {
    const { accountId, companyId, by: initiator } = admitted.caller as KnownKey
    const draft: AuditDraft = {
      ...auditAskerOf(admitted, route, personal)!,
      atMs: admitted.startedAtMs,
      object: { type: 'company', id: companyId },
      changes: [],
      result: 'DONE',
      code: null,
    }
    by.perform({ type: 'RecordAudit', accountId, by: initiator, source: null, draft }, to)
  }

  function finish(
    { request, caller, requestId, startedAtMs, headers, cursor }: Admitted,
    route: Route | null,
    outcome: Outcome,
  ): HttpResponse {
    const refusal = isProblem(outcome) ? outcome : null
    if (cursor !== null && refusal === null) return pieceOf(outcome as PieceView)
    const status = ('status' in outcome ? outcome.status : undefined) ?? route!.status
    const traceparent = traceparentOf(request)
    options.onAnswered({
      requestId,
      verb: request.verb,
      route: route?.path ?? null,
      path: request.path,
      status,
      code: refusal?.code ?? null,
      keyId: caller.kind === 'KEY' ? caller.key.id : null,
      ...(caller.kind === 'PERSON' && { personId: caller.person.id }),
      companyId: caller.kind === 'STRANGER' ? null : caller.companyId,
      durationMs: realNow() - startedAtMs,
      ...(traceparent !== null && { traceId: traceIdOf(traceparent) }),
    })
    if (refusal !== null)
      return problemResponse(refusal, { request, requestId, publicUrl: options.publicUrl, headers })
    const view = outcome as View
    if ('bytes' in view) {
      headers['Content-Type'] = view.contentType
      headers['Content-Disposition'] = `inline; filename="${view.fileName}"`
      return { status, headers: Object.assign(headers, view.headers), body: view.bytes }
    }
    if ('piece' in view) {
      headers['Content-Type'] = view.contentType
      if (view.fileName !== null) headers['Content-Disposition'] = `attachment; filename="${view.fileName}"`
      const { headers: place, body } = pieceOf(view)
      return { status, headers: Object.assign(headers, place), body }
    }
    headers['Content-Type'] = 'application/json'
    if ('shows' in view) return { status, headers, body: compiledOf(route!).kept(view) }
    if (view.location !== undefined && status === 201) headers.Location = view.location
    if (view.headers !== undefined) Object.assign(headers, view.headers)
    const { write, minimal } = compiledOf(route!)
    if (minimal === null || !prefersMinimal(request.headers))
      return { status, headers, body: write(view.body) }
    headers['Preference-Applied'] = 'return=minimal'
    return { status, headers, body: JSON.stringify(minimal(view.body)) }
  }
}

const routeOf = ({ byVerb }: Found, verb: string): Route | null =>
  byVerb.get(verb === 'HEAD' ? 'GET' : verb) ?? null

const isLive = (found: Found | null, verb: string): boolean =>
  found !== null && routeOf(found, verb)?.action.kind === 'live'

/** Where an EventSource or a download, which cannot set headers, names company and environment. */
const placeParameters = ['serviceCompany', 'serviceEnvironment']

/** Whether the caller has what a route needs. Keys have no more than scopes (payments-api, Authentication). */
const permissionRefusal = (route: Route, caller: Caller): Problem | null => {
  const { permission } = route
  switch (caller.kind) {
    case 'KEY':
      if (!takesKeys(route)) return problem('DASHBOARD_ONLY')
      if (isAllowed(caller, permission as Permission)) return null
      return problem('NO_PERMISSION', (say) => say.details.scopeMissing(permission), {
        extra: { requiredScope: permission },
      })
    case 'PERSON':
      if (isAboutPerson(permission)) return null
      return memberRefusal(permission === 'MEMBER' ? everyRoleHas : permission, caller)
    case 'STRANGER':
      return null
  }
}

const memberRefusal = (permission: Permission, { permissions }: SignedIn): Problem | null =>
  permissions.has(permission)
    ? null
    : problem('NO_PERMISSION', (say) => say.details.permissionMissing(permission), {
        extra: { requiredPermission: permission },
      })

/** What every role has where it holds. */
const everyRoleHas = 'transactions.read'

/** The number under which a rate limit counts the caller. */
const slotOf = (caller: Caller): number =>
  caller.kind === 'KEY' ? caller.ordinal : fnv1a(caller.kind === 'PERSON' ? caller.session.id : '') & 0xfffff

/** What the main thread needs to know of a request. */
const askedOf = (
  { request, caller, requestId }: Admitted,
  meaning: unknown,
  operation: string,
  input: object,
): Asked => ({
  operation,
  input:
    caller.kind === 'PERSON' && caller.companyId !== null
      ? { ...input, company: caller.companyId, environment: caller.environment }
      : input,
  by: {
    kind: caller.kind,
    personId: caller.kind === 'PERSON' ? caller.person.id : null,
    sessionId: caller.kind === 'PERSON' ? caller.session.id : null,
    ip: request.remoteAddress,
    userAgent: request.headers['user-agent'] ?? '',
    requestId,
    operation,
    secondFactor: request.headers['service-second-factor'] ?? null,
    ...confirmable(caller, request.verb, request.path, request.query, meaning),
  },
})

/** A request as a passkey signs it, by where it is sent to and what its body means. */
const confirmable = (
  caller: Caller,
  verb: string,
  path: string,
  query: string,
  meaning: unknown,
): Confirmable => ({
  companyId: caller.kind === 'PERSON' ? caller.companyId : null,
  environment: caller.kind === 'PERSON' ? caller.environment : null,
  digest: digestOf(verb, query === '' ? path : `${path}?${query}`, meaning),
})

/** The path and the query of a target, which is as a request line has it. */
const splitTarget = (target: string): Pick<HttpRequest, 'path' | 'query'> => {
  const mark = target.indexOf('?')
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** A problem of a field's value, with the names of what is wrong in it below that of the field. */
const inField = (field: string, { errors, ...problem }: Problem): Problem =>
  errors === undefined
    ? problem
    : { ...problem, errors: errors.map((error) => ({ ...error, field: `${field}.${error.field}` })) }

/** The right to use up a factor for an idempotency key. */
type Claim = { readonly release: () => void }

const unclaimed: Claim = { release: () => undefined }

/** All threads hear what other nodes have recorded about sessions. */
const newsAsked: Asked = { operation: 'session catch-up', input: {}, by: operatorAsks }

/** Maps an outage to its problem, and rethrows anything else. */
const unavailableOr = (error: unknown): Problem => {
  if (error instanceof ShardUnavailable) return unavailable
  throw error
}

/** A header between threads that says where a streamed answer continues. It never leaves the service. */
const nextPiece = ':next-piece'

const pieceOf = ({ piece, next }: PieceView): HttpResponse => ({
  status: 200,
  headers: { [nextPiece]: next ?? '' },
  body: Buffer.from(piece.buffer, piece.byteOffset, piece.length),
})

type Input =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly problem: Problem }

type Compiled = {
  /** Whether the body can request an outcome of the Sandbox. */
  readonly forcesOutcomes: boolean
  readonly body: Check | null
  readonly query: Check | null
  readonly write: (answer: object) => Buffer
  /** Writes answers that may be asked for again. */
  readonly kept: (view: ShownView) => Buffer
  /** What a minimal answer holds of the whole one; null where nothing is created. */
  readonly minimal: ((answer: object) => object) | null
}

const compileRoute = (route: Route): Compiled => ({
  forcesOutcomes: ['metadata', 'card'].some((name) => Object.hasOwn(route.body?.properties ?? {}, name)),
  body: route.body && compile(route.body),
  query: route.query && compileQuery(route.query),
  write: serializer(route.answer),
  kept: newKeptAnswers(serializer(route.answer)),
  minimal: route.status === 201 ? minimalOf(route.answer) : null,
})

/** `"k"` and `k` are the same key: the header's draft standard quotes it, most clients do not. */
const readIdempotencyKey = (request: Admitted['request']): string | null | 'INVALID' => {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  if (request.repeatedHeaders.includes('idempotency-key')) return 'INVALID'
  const key = /^".*"$/.test(header) ? header.slice(1, -1) : header
  if (key.length === 0 || key.length > limits.idempotencyKeyCharsMax) return 'INVALID'
  return /^[\x20-\x7e]+$/.test(key) ? key : 'INVALID'
}

const withKey = (command: Command, key: string, request: Admitted['request'], input: unknown): Command => {
  assert(request.path.startsWith('/'), 'a fingerprint names a path')
  const fingerprint = fingerprintOf(request.verb, request.path, input)
  return Object.assign(command, { idempotency: { key, fingerprint } })
}

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

const unauthorized = problem('UNAUTHORIZED', (say) => say.details.sendAKey, {
  headers: { 'WWW-Authenticate': 'Bearer, Basic' },
})

const rateLimited = ({ name, policy }: RateLimit, seconds: number): Problem =>
  problem('RATE_LIMITED', (say) => say.details.rateLimited(policy, seconds), {
    extra: { policy: name },
    headers: { 'Retry-After': String(seconds) },
  })

const tooManyStreams = problem(
  'RATE_LIMITED',
  (say) => say.details.liveStreams(limits.liveStreamsOfSessionMax),
  { extra: { policy: 'live' }, headers: { 'Retry-After': '15' } },
)

const methodNotAllowed = (verbs: readonly string[]): Problem => {
  const allow = (verbs.includes('GET') ? [...verbs, 'HEAD'] : verbs).join(', ')
  return problem('METHOD_NOT_ALLOWED', (say) => say.details.allowedMethods(allow), {
    headers: { Allow: allow },
  })
}
