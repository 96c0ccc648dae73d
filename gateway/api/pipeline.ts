import { type Handler, passOn, type Waiter } from '../../engine/kernel/handler.ts'
import { ShardMoved } from '../../engine/kernel/unavailable.ts'
import { type Asked, operatorAsks } from '../identity/asked.ts'
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
import type { Relay } from '../link/router.ts'
import { type Problem, problem } from '../problems/problem.ts'
import {
  type BodyStream,
  type Handle,
  type HttpRequest,
  type HttpResponse,
  isStream,
} from '../wire/transport.ts'
import { accessRefusal, admit, productRefusal, unauthorized } from './admit.ts'
import { type Api, openApi, type PipelineOptions } from './api.ts'
import { packing } from './encoding.ts'
import type { PathMatch } from './find-route.ts'
import { respond, respondUnavailable } from './finish.ts'
import { contextOf, perform } from './perform.ts'
import { readInput } from './read.ts'
import { listen, type Send, streamPieces } from './stream.ts'

/**
 * The steps of every request, in the order of decisions, section 2: the first check that fails answers. A request is admitted
 * (`admit.ts`) by the thread where it arrives. The thread that owns its company's shard checks access (`admit.ts`) and input (`read.ts`),
 * does what the request asks (`perform.ts`) and responds (`finish.ts`). Sizes, step 1, are checked by the transport, before the request
 * is complete.
 */
export type Pipeline = {
  /** Answers a request that reached this thread, here or through the thread that owns the company's shard. */
  readonly handle: Handle
  /**
   * Answers a request that another thread admitted, or relays it if another node owns the shard. A request from another node is
   * answered here, or rejected with `ShardMoved` before anything is done.
   */
  readonly serve: (relayed: RelayedRequest, from: RelaySource, to: Waiter<RelayedResponse>) => void
}

/** Opens the pipeline of one thread. */
export const openPipeline = (options: PipelineOptions): Pipeline => {
  const api = openApi(options)
  return {
    handle: (request, waiter) => {
      const to = packing(request, waiter)
      // API paths start with `/v1/`; pages never do. The hosts where payers pay have pages alone.
      const isPage = !request.path.startsWith('/v1/') || api.pageHosts.has(request.headers.host ?? '')
      const page = isPage ? api.openPage(request) : null
      if (page === null) begin(api, request, null, to)
      else if (page instanceof Promise) passOn(page, to)
      else to.resolve(page)
    },
    serve: (relayed, from, to) => serve(api, relayed, from, to),
  }
}

/** `unknown` refuses a session unknown here; null first fetches the other nodes' news and begins again. */
const begin = (api: Api, request: HttpRequest, unknown: Problem | null, to: Waiter<HttpResponse>): void => {
  const found = api.findRoute(request.path, request.verb)
  const admitted = admit(api, request, found, unknown)
  if (admitted === null) beginInformed(api, request, to)
  else if ('status' in admitted) to.resolve(admitted)
  // Operations of the main thread need no shard, and may concern no company.
  else if (found === null || found.isOfMainThread || admitted.caller.accountId === null)
    answer(api, admitted, found, api.router, to)
  else answerAtOwner(api, admitted, found, to)
}

/** Begins again once the main thread has read what other nodes recorded about sessions. */
const beginInformed = (api: Api, request: HttpRequest, to: Waiter<HttpResponse>): void => {
  api.people!.operate(newsAsked).then(
    (outcome) => begin(api, request, 'code' in outcome ? (outcome as Problem) : unauthorized, to),
    (error: unknown) => to.reject(error),
  )
}

const newsAsked: Asked = { operation: 'session catch-up', input: {}, by: operatorAsks }

/** Has a request answered by the thread that owns its company's shard, which may be this one. */
const answerAtOwner = (api: Api, admitted: Admitted, found: PathMatch, to: Waiter<HttpResponse>): void => {
  const { route } = found
  const { caller } = admitted
  const isLive = route?.action.kind === 'live' && caller.kind === 'PERSON'
  if (isLive) listen(api, admitted, caller, route, senderOf(api, found), to)
  else if (route?.isExport) streamPieces(api, admitted, senderOf(api, found), to)
  else {
    const relay = relayOf(api, admitted)
    if (relay === null) answer(api, admitted, found, api.router, to)
    else
      relay(packRequest(admitted), {
        resolve: (response) => to.resolve(unpackResponse(response)),
        reject: (error) => respondUnavailable(api, admitted, null, error, to),
      })
  }
}

/** Sends the request for a piece to wherever the shard is by then. */
const senderOf =
  (api: Api, found: PathMatch): Send =>
  (asked, to) => {
    const relay = relayOf(api, asked)
    if (relay === null) answer(api, asked, found, api.router, to)
    else
      relay(packRequest(asked), {
        resolve: (response) => to.resolve(unpackResponse(response)),
        reject: (error) => to.reject(error),
      })
  }

/** How a request reaches the thread that owns its company's shard; null if this one does. */
const relayOf = ({ router }: Api, { caller }: Admitted): Relay | null => router.relayTo(caller.accountId!)

const serve = (api: Api, relayed: RelayedRequest, from: RelaySource, to: Waiter<RelayedResponse>): void => {
  const { keyring, people, router } = api
  const admitted = unpackRequest(relayed, {
    key: keyring.at,
    person: (...at) => people?.gate.callerAt(...at),
  })
  // A new key or session does not reach all nodes at the same moment.
  if (admitted === null) throw new ShardMoved('the caller is not known here yet')
  const relay = from === 'node' ? null : relayOf(api, admitted)
  if (relay !== null) relay(relayed, to)
  else {
    const { path, verb } = admitted.request
    answer(api, admitted, api.findRoute(path, verb), from === 'node' ? router.here : router, {
      resolve: (response) => {
        const { body } = response
        if (isStream(body)) passOn(wholePiece(response, body), to)
        else to.resolve(packResponse(response))
      },
      reject: (error) => to.reject(error),
    })
  }
}

/** A piece is relayed once it is whole. */
const wholePiece = async (response: HttpResponse, body: BodyStream): Promise<RelayedResponse> =>
  packResponse({ ...response, body: await body.next() })

/** Answers a request where its company's shard is owned. */
const answer = (
  api: Api,
  admitted: Admitted,
  found: PathMatch | null,
  by: Handler,
  to: Waiter<HttpResponse>,
): void => {
  const refusal = found === null ? noRoute(api, admitted) : execute(api, admitted, found, by, to)
  if (refusal !== null) respond(api, admitted, found?.route ?? null, refusal, to)
}

const noRoute = ({ findNearPath }: Api, { request }: Admitted): Problem => {
  const near = findNearPath(request.path)
  return problem('ROUTE_NOT_FOUND', near === null ? null : (say) => say.details.nearPath(near))
}

/** Checks a request and performs it. A refusal is returned instead, before anything is done or sent. */
const execute = (
  api: Api,
  admitted: Admitted,
  { route, byVerb, id }: PathMatch,
  by: Handler,
  to: Waiter<HttpResponse>,
): Problem | null => {
  if (route === null) return methodNotAllowed([...byVerb.keys()])
  const refusal = accessRefusal(api, admitted, route)
  if (refusal !== null) return refusal
  const read = readInput(api, admitted, route)
  if (!read.ok) return read.problem
  const { input } = read
  for (const product of route.alsoNeeds?.(input as never) ?? []) {
    const lack = productRefusal(api, product, admitted.caller)
    if (lack !== null) return lack
  }
  return perform(api, { admitted, route, input, context: contextOf(api, admitted, route, id), by, to })
}

const methodNotAllowed = (verbs: readonly string[]): Problem => {
  const allow = (verbs.includes('GET') ? [...verbs, 'HEAD'] : verbs).join(', ')
  return problem('METHOD_NOT_ALLOWED', (say) => say.details.allowedMethods(allow), {
    headers: { Allow: allow },
  })
}
