import type { Directory } from '../../engine/directory/directory.ts'
import type { Handler, Waiter } from '../../engine/kernel/handler.ts'
import type { Entropy } from '../../engine/shared/ids.ts'
import type { LiveFeeds } from '../events/live/feeds.ts'
import type { LiveStreams } from '../events/live/streams.ts'
import type { Operate } from '../identity/asked.ts'
import type { Keyring } from '../identity/authenticate.ts'
import type { KeyUsage } from '../identity/key-usage.ts'
import type { PersonalTexts } from '../identity/personal-texts.ts'
import type { RateLimit } from '../identity/rate-limit.ts'
import type { SessionGate } from '../identity/session-gate.ts'
import type { Admitted } from '../link/relay.ts'
import type { Router } from '../link/router.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import { minimalOf } from '../schema/minimal.ts'
import { type Check, compile, compileQuery } from '../schema/schema.ts'
import { serializer } from '../schema/serialize.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { type FindRoute, routeFinder } from './find-route.ts'
import { newKeptAnswers } from './kept-answers.ts'
import type { OpenPage } from './open-pages.ts'
import type { CsvOf, RequestContext, Route, ShownView } from './route.ts'

/** The API as one thread serves it: what every step of the pipeline is given. */
export type Api = PipelineOptions & {
  readonly findRoute: FindRoute
  readonly compiled: Map<Route, CompiledRoute>
  /** The fingerprints of the requests that are being confirmed, by account and idempotency key. */
  readonly claims: Map<string, string>
}

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

/** A request that may be performed: its input is read, and its caller may ask for it. */
export type Execution = {
  readonly admitted: Admitted
  readonly route: Route
  readonly input: unknown
  readonly context: RequestContext
  /** Takes its command or query. */
  readonly by: Handler
  readonly to: Waiter<HttpResponse>
}

/** Opens what the steps of a pipeline share. */
export const openApi = (options: PipelineOptions): Api => ({
  ...options,
  findRoute: routeFinder(options.routes),
  compiled: new Map(),
  claims: new Map(),
})

export type CompiledRoute = {
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

/**
 * A route's checks and writers. The first request that needs them has them compiled: all routes together take a third of a start, and
 * few callers use all.
 */
export const compiledOf = ({ compiled }: Api, route: Route): CompiledRoute => {
  let found = compiled.get(route)
  if (found === undefined) {
    found = compileRoute(route)
    compiled.set(route, found)
  }
  return found
}

const compileRoute = (route: Route): CompiledRoute => {
  const write = serializer(route.answer)
  return {
    forcesOutcomes: ['metadata', 'card'].some((name) => Object.hasOwn(route.body?.properties ?? {}, name)),
    body: route.body && compile(route.body),
    query: route.query && compileQuery(route.query),
    write,
    kept: newKeptAnswers(write),
    minimal: route.status === 201 ? minimalOf(route.answer) : null,
  }
}
