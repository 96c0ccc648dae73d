// How a thread answers a request of the API, the same for every route: admit, read, perform, respond. A route
// (`route.ts`) is data that these steps read; `pipeline.ts` puts them in order and finds the thread or node that
// owns the company's shard.
import type { Directory } from '../../engine/companies/directory.ts'
import type { Handler, Waiter } from '../../engine/kernel/handler.ts'
import type { AccountId, Entropy } from '../../engine/shared/ids.ts'
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
import { type FindNearPath, nearPathFinder } from './near-path.ts'
import type { OpenPage } from './open-pages.ts'
import type { CompanyPages, CsvOf, RequestContext, Route, ShownView } from './route.ts'

/** The API as one thread serves it; every step of the pipeline receives it. */
export type Api = PipelineOptions & {
  readonly findRoute: FindRoute
  readonly findNearPath: FindNearPath
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
  /** Sessions, operations and live streams of people; null admits only keys. */
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
  /** Seals and opens stored personal texts. */
  readonly personal: PersonalTexts
  readonly cardTokens: Pick<CardTokens, 'seal'>
  /** The addresses of an account's pages. */
  /** The hosts of the pages where payers pay, which have no route of the API. */
  readonly pageHosts: ReadonlySet<string>
  readonly pagesOf: (accountId: AccountId) => CompanyPages
  readonly onAnswered: (line: RequestLine) => void
}

export type PeopleAccess = {
  readonly gate: SessionGate
  /** Has the main thread do an operation. */
  readonly operate: Operate
  /** Counted per session. */
  readonly rateLimit: RateLimit | null
  /** The live feeds of accounts that this thread owns; `streams` are its open connections, to any account. */
  readonly feeds: LiveFeeds
  readonly streams: LiveStreams
}

/** What the log and the metrics record about a request: no secrets, no bodies. */
export type RequestLine = {
  readonly requestId: string
  readonly verb: string
  /** The route's pattern; null if no route was found. */
  readonly route: string | null
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly keyId: string | null
  /** The person who sent it from the dashboard; absent for other callers. */
  readonly personId?: string
  readonly companyId: string | null
  readonly durationMs: number
  /** The trace that the request belongs to; absent if there is none. */
  readonly traceId?: string
}

/** A request ready to be performed: its input is read and its caller's access checked. */
export type Execution = {
  readonly admitted: Admitted
  readonly route: Route
  readonly input: unknown
  readonly context: RequestContext
  /** The handler of its command or query. */
  readonly by: Handler
  readonly to: Waiter<HttpResponse>
}

/** Opens what the steps of a pipeline share. */
export const openApi = (options: PipelineOptions): Api => ({
  ...options,
  findRoute: routeFinder(options.routes),
  findNearPath: nearPathFinder(options.routes),
  compiled: new Map(),
  claims: new Map(),
})

export type CompiledRoute = {
  /** Whether the body can request an outcome of the Sandbox. */
  readonly forcesOutcomes: boolean
  readonly body: Check | null
  readonly query: Check | null
  readonly write: (answer: object) => Buffer
  /** Writes answers and caches their bytes. */
  readonly kept: (view: ShownView) => Buffer
  /** Reduces an answer to its minimal form; null for routes that create nothing. */
  readonly minimal: ((answer: object) => object) | null
}

/**
 * A route's checks and serializers, compiled on the first request that needs them: all routes together take a
 * third of a start, and few callers use all.
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
