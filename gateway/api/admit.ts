import { isActive } from '../../engine/companies/company.ts'
import type { Permission } from '../../engine/people/permission.ts'
import { fnv1a } from '../../engine/shared/hash.ts'
import { newId } from '../../engine/shared/ids.ts'
import type { Product } from '../../engine/shared/product.ts'
import { isAboutPerson } from '../identity/access.ts'
import { authenticate } from '../identity/authenticate.ts'
import { type Caller, isAllowed, type SignedIn, stranger } from '../identity/caller.ts'
import type { RateLimit } from '../identity/rate-limit.ts'
import type { Admitted } from '../link/relay.ts'
import { type Problem, problem, productNotActive } from '../problems/problem.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import type { Api } from './api.ts'
import type { PathMatch } from './find-route.ts'
import { makeResponse } from './finish.ts'
import { type Route, takesKeys } from './route.ts'

/**
 * Identifies the caller of a request and applies their rate limit. Returns the admitted request, or the response
 * that refuses it; null for a session unknown to this node, unless `unknown` says how to refuse it.
 */
export const admit = (
  api: Api,
  request: HttpRequest,
  found: PathMatch | null,
  unknown: Problem | null,
): Admitted | HttpResponse | null => {
  const startedAtMs = api.realNow()
  const requestId = newId('req', startedAtMs, api.entropy)
  const headers: Record<string, string> = { 'Request-Id': requestId, 'Cache-Control': 'no-store' }
  const caller =
    authenticate(request, api.keyring, api.keyUsage, startedAtMs) ??
    callerWithoutKey(api, request, found, headers, startedAtMs, unknown)
  if (caller === null) return null
  if ('code' in caller) {
    const refused = { request, caller: stranger, requestId, startedAtMs, headers, cursor: null }
    return makeResponse(api, refused, null, caller)
  }
  const admitted: Admitted = { request, caller, requestId, startedAtMs, headers, cursor: null }
  const limit = caller.kind === 'PERSON' ? api.people!.rateLimit : api.rateLimit
  if (limit === null || caller.kind === 'STRANGER') return admitted
  const allowance = limit.take(slotOf(caller), startedAtMs)
  headers['RateLimit-Policy'] = limit.policy
  headers.RateLimit = `"default";r=${allowance.remaining};t=${allowance.resetSeconds}`
  if (allowance.allowed) return admitted
  return makeResponse(api, admitted, null, rateLimited(limit, allowance.resetSeconds))
}

/** A person who is signed in, or a stranger where the route is open. */
const callerWithoutKey = (
  { people }: Api,
  request: HttpRequest,
  found: PathMatch | null,
  headers: Record<string, string>,
  nowMs: number,
  unknown: Problem | null,
): Caller | Problem | null => {
  if (people === null || request.headers.authorization !== undefined) return unauthorized
  const { gate } = people
  const route = found?.route ?? null
  if (route?.permission === 'OPEN') return gate.crossesSites(request) ? problem('CSRF_REJECTED') : stranger
  const { caller, setCookie, isUnknown } = gate.admit(request, route?.permission ?? null, nowMs)
  if (isUnknown) return unknown
  // A page that is left open must not keep the session alive.
  if (setCookie !== null && route?.action.kind !== 'live') headers['Set-Cookie'] = setCookie
  return caller ?? unauthorized
}

/** Checks permission and its freshness, then environment, then product; a first piece of an export also counts against its rate limit. */
export const accessRefusal = (api: Api, admitted: Admitted, route: Route): Problem | null => {
  const { caller, startedAtMs, cursor } = admitted
  const refusal = permissionRefusal(route, caller)
  if (refusal !== null) return refusal
  if (route.factor === 'SESSION' && caller.kind === 'PERSON') {
    const { gate } = api.people!
    if (!gate.isFresh(caller, startedAtMs))
      return problem('STEP_UP_REQUIRED', null, { extra: { methods: gate.methodsOf(caller) } })
  }
  if (route.sandboxOnly && caller.kind !== 'STRANGER' && caller.environment !== 'SANDBOX')
    return problem('SANDBOX_ONLY')
  const lack = productRefusal(api, route.product, caller)
  if (lack !== null) return lack
  return route.isExport && cursor === null ? exportRateRefusal(api, admitted) : null
}

/** Whether the caller has what a route needs. Keys have no more than scopes (payments-api, Authentication). */
export const permissionRefusal = (route: Route, caller: Caller): Problem | null => {
  const { permission } = route
  switch (caller.kind) {
    case 'KEY':
      if (!route.isForPeople && isAllowed(caller, permission as Permission)) return null
      if (!takesKeys(route)) return problem('DASHBOARD_ONLY')
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

/** A permission of every role: holding it means being a member. */
const everyRoleHas = 'transactions.read'

/** Whether the caller's company has a product in the environment; null needs none. */
export const productRefusal = (
  { directory }: Api,
  product: Product | null,
  caller: Caller,
): Problem | null => {
  if (product === null) return null
  const { companyId, environment } = caller as SignedIn
  const company = directory.companies.get(companyId!)
  if (company !== undefined && isActive(company, environment!, product)) return null
  return productNotActive(product)
}

/** Exports have a rate limit of their own, on top of that of all requests. */
const exportRateRefusal = (
  { exportRateLimit: limit }: Api,
  { caller, startedAtMs, headers }: Admitted,
): Problem | null => {
  if (limit === null) return null
  const allowance = limit.take(slotOf(caller), startedAtMs)
  headers['RateLimit-Policy'] = [headers['RateLimit-Policy'], limit.policy].filter(Boolean).join(', ')
  return allowance.allowed ? null : rateLimited(limit, allowance.resetSeconds)
}

/** The number under which a rate limit counts the caller. */
const slotOf = (caller: Caller): number =>
  caller.kind === 'KEY' ? caller.ordinal : fnv1a(caller.kind === 'PERSON' ? caller.session.id : '') & 0xfffff

const rateLimited = ({ name, policy }: RateLimit, seconds: number): Problem =>
  problem('RATE_LIMITED', (say) => say.details.rateLimited(policy, seconds), {
    extra: { policy: name },
    headers: { 'Retry-After': String(seconds) },
  })

/** The refusal of a request without a valid key or session. */
export const unauthorized = problem('UNAUTHORIZED', (say) => say.details.sendAKey, {
  headers: { 'WWW-Authenticate': 'Bearer, Basic' },
})
