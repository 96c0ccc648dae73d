import { isGone, passOn, type Waiter } from '../../engine/kernel/handler.ts'
import type { Command } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { ShardMoved } from '../../engine/kernel/unavailable.ts'
import { unreachable } from '../../engine/shared/assert.ts'
import type { KnownKey, SignedIn } from '../identity/caller.ts'
import type { Admitted } from '../link/relay.ts'
import { type Problem, problem } from '../problems/problem.ts'
import { prefersMinimal } from '../schema/minimal.ts'
import { traceparentOf } from '../wire/traceparent.ts'
import type { Api, Execution } from './api.ts'
import { auditAskerOf, downloadRecordOf } from './audit-asker.ts'
import { confirmableOf, performConfirmed } from './confirm.ts'
import { respond, respondUnavailable } from './finish.ts'
import { askedOf } from './operate.ts'
import { problemOf } from './problem-of.ts'
import { readIdempotency } from './read.ts'
import type { Action, Outcome, RequestContext, Route } from './route.ts'

type ActionOf<Kind extends Action['kind']> = Extract<Action, { readonly kind: Kind }>

/** Performs a request and responds to it, or returns a refusal before anything is done or sent. */
export const perform = (api: Api, execution: Execution): Problem | null => {
  const { action } = execution.route
  switch (action.kind) {
    case 'command':
      return performCommand(api, execution, action)
    case 'query':
      return answerQuery(api, execution, action)
    case 'operation':
      return askMainThread(api, execution, action)
    case 'live':
      return hearNews(api, execution, action)
    default:
      return unreachable(action)
  }
}

/** The context that a route's functions receive. */
export const contextOf = (api: Api, admitted: Admitted, route: Route, id: string): RequestContext => {
  const { request, caller, startedAtMs, cursor } = admitted
  const { directory, entropy, personal, cardTokens, csvOf, pagesOf } = api
  // Routes about a person alone have no company, and do not use these.
  const { companyId, environment, by } = caller as KnownKey
  return {
    accountId: caller.accountId!,
    company: directory.companies.get(companyId)!,
    environment,
    directory,
    by: route.sandboxOnly ? { kind: 'SANDBOX', id: by.id } : by,
    caller,
    confirmableOf: (outstanding) => confirmableOf(api, admitted, outstanding),
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
    prefersMinimal: route.status === 201 && prefersMinimal(request.headers),
    csvOf,
    personal,
    cardTokens,
    pages: pagesOf(caller.accountId!),
  }
}

const performCommand = (api: Api, execution: Execution, action: ActionOf<'command'>): Problem | null => {
  const { admitted, route, input, context, by } = execution
  const { request, caller, headers } = admitted
  const idempotency = route.idempotent ? readIdempotency(request, input) : null
  if (idempotency === 'INVALID') return problem('IDEMPOTENCY_KEY_INVALID')
  const command: Command = action.command(input as never, context)
  if (idempotency !== null) Object.assign(command, { idempotency })
  const traceparent = traceparentOf(request)
  if (traceparent !== null) Object.assign(command, { traceparent })
  if (route.isAudited) Object.assign(command, { audit: auditAskerOf(admitted, route, api.personal) })
  const responding = respondWith(api, execution, (reply: Reply): Outcome => {
    if (!reply.accepted) return problemOf(reply.rejection)
    if (reply.replayed) headers['Idempotent-Replayed'] = 'true'
    return action.view(reply, input as never, context)
  })
  if (route.factor === 'OPERATION' && caller.kind === 'PERSON')
    performConfirmed(api, execution, command, responding)
  else by.perform(command, responding)
  return null
}

const answerQuery = (api: Api, execution: Execution, action: ActionOf<'query'>): null => {
  const { admitted, route, input, context, by } = execution
  const responding = respondWith(api, execution, (answer: unknown) =>
    action.view(answer as never, input as never, context),
  )
  if (route.isAudited && admitted.cursor === null) {
    const ask = (): void => by.answer(action.query(input as never, context), responding)
    // The download is recorded before any of it is sent. Where the shard cannot write, reads go on unrecorded.
    by.perform(downloadRecordOf(admitted, route, input, context), {
      resolve: ask,
      reject: (error) => (error instanceof ShardMoved ? responding.reject(error) : ask()),
    })
  } else by.answer(action.query(input as never, context), responding)
  return null
}

const askMainThread = (api: Api, execution: Execution, action: ActionOf<'operation'>): Problem | null => {
  const { admitted, input, context } = execution
  const refusal = action.refuse?.(input as never, context) ?? null
  if (refusal !== null) return refusal
  const asked = askedOf(admitted, input, action.operation, action.input(input as never, context))
  const responding = respondWith(api, execution, (answer: object | Problem) =>
    'code' in answer ? (answer as Problem) : action.view(answer as never, input as never, context),
  )
  passOn(api.people!.operate(asked), responding)
  return null
}

const hearNews = (api: Api, execution: Execution, action: ActionOf<'live'>): null => {
  const { admitted, context, by } = execution
  const { request, caller, cursor } = admitted
  const { router } = api
  const responding = respondWith(api, execution, action.view)
  if (by === router.here && router.relayTo(context.accountId) !== null)
    responding.reject(new ShardMoved('its news are heard where the shard is owned'))
  else
    passOn(
      api.people!.feeds.next(context.accountId, {
        place: cursor ?? request.headers['last-event-id'] ?? null,
        isFirst: cursor === null,
        permissions: (caller as SignedIn).permissions,
      }),
      responding,
    )
  return null
}

/** A waiter that responds with the view of the value it receives. */
const respondWith = <Value>(
  api: Api,
  { admitted, route, by, to }: Execution,
  view: (value: Value) => Outcome | Promise<Outcome>,
): Waiter<Value> => ({
  resolve: (value) => {
    let outcome: Outcome | Promise<Outcome>
    try {
      outcome = view(value)
    } catch (error) {
      to.reject(error)
      return
    }
    if (outcome instanceof Promise)
      outcome.then(
        (outcome) => respond(api, admitted, route, outcome, to),
        (error) => to.reject(error),
      )
    else respond(api, admitted, route, outcome, to)
  },
  reject: (error) => {
    // The node that relayed the request tries again, wherever the shard is by then.
    if (by === api.router.here && error instanceof ShardMoved) to.reject(error)
    else respondUnavailable(api, admitted, route, error, to)
  },
  hasLeft: () => isGone(to),
})
