/**
 * The part of the dashboard that draws nothing: requests to `/v1`, their cache, session and second factors, and
 * the browser's address, language, clock and formats.
 */

import type { Client, MethodResponse } from 'openapi-fetch'
import type { components, paths } from '#generated/api'
import { askFactor, type Factor, type Operation } from './factor.ts'
import { language } from './language.ts'
import { ApiProblem, problemFrom, unreachable } from './problem.ts'
import { currentPlace } from './router.ts'
import {
  csrfToken,
  holdSession,
  membershipsChanged,
  onSessionUsed,
  onSignedOut,
  sessionStore,
} from './session.ts'

export type Schemas = components['schemas']

/** The service's API, typed by its own document, as the person who is signed in. A refusal is thrown as `ApiProblem`. */
export const api = Object.fromEntries(
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((verb) => [
    verb,
    (path: string, parts?: Parts) => send(verb, path, parts),
  ]),
) as unknown as ApiClient

/** The client's types alone: the library's implementation does more than a page needs. */
type ApiClient = Client<paths>

type Parts = {
  readonly params?: { readonly path?: Record<string, string>; readonly query?: Record<string, unknown> }
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type GetPath = {
  [Path in keyof paths]: paths[Path] extends { get: unknown } ? Path : never
}[keyof paths]
/** The data of a successful GET. */
export type Got<Path extends GetPath> = MethodResponse<ApiClient, 'get', Path>

/** The data of a response. */
export const dataOf = async <Data>(
  answer: Promise<{ data?: Data; response: Response }>,
): Promise<NonNullable<Data>> => (await answer).data as NonNullable<Data>

/** Lets a verb return its data alone. */
const answering =
  <Input extends unknown[], Data>(
    call: (...input: Input) => Promise<{ data?: Data; response: Response }>,
  ): ((...input: Input) => Promise<NonNullable<Data>>) =>
  (...input) =>
    dataOf(call(...input))

/** Requests by their verb; each resolves to the data and throws `ApiProblem`. */
export const get = answering(api.GET)
export const post = answering(api.POST)
export const put = answering(api.PUT)
export const patch = answering(api.PATCH)
export const del = answering(api.DELETE)

/** The parameters of a path with an id, such as `/v1/plans/{id}`. */
export const withId = (id: string) => ({ params: { path: { id } } })

const send = async (verb: string, template: string, { params, headers, body: given }: Parts = {}) => {
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params?.path?.[name] ?? ''))
  const url = path + queryOf(params?.query)
  const body = given === undefined ? '' : JSON.stringify(given)
  const place = currentPlace()
  const { response, sentAtMs } = await trySending(
    { verb, path: url, body },
    url,
    new Headers({
      ...headers,
      ...(body !== '' && { 'Content-Type': 'application/json' }),
      ...(place !== null && { 'Service-Company': place.companyId, 'Service-Environment': place.environment }),
      'Accept-Language': language() === 'en' ? 'en' : 'pt-BR',
      ...(verb === 'POST' && { 'Idempotency-Key': keyOf(url, body) }),
    }),
  )
  if (response.ok) {
    unanswered.delete(url + body)
    if (!headers?.['Service-Background']) onSessionUsed(sentAtMs)
    const text = await response.text()
    return { data: text === '' ? undefined : JSON.parse(text), response }
  }
  const problem = await problemFrom(response)
  if (response.status < 500 && problem.code !== stillRunning) unanswered.delete(url + body)
  if (problem.code === 'NOT_FOUND' && problem.extra.resource === 'company')
    membershipsChanged.set(membershipsChanged.get() + 1)
  if (problem.status === 401 && !/^\/v1\/(session|invitations|password)\b/.test(path)) onSignedOut()
  throw problem
}

const queryOf = (query: Readonly<Record<string, unknown>> = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** A response and when its request was sent: the session is renewed then, not when the response arrives. */
type Sent = { readonly response: Response; readonly sentAtMs: number }

/** The first request with this key is still running; a repeat receives its response once there is one. */
const stillRunning = 'IDEMPOTENCY_KEY_IN_PROGRESS'
const runningMs = 1000
const runningAsksMax = 30

/**
 * Sends a request, and repeats it each time the person gives the factor that it needs. A duplicate, as from a
 * double click, waits for the response of the first.
 */
const trySending = async (operation: Operation, url: string, headers: Headers): Promise<Sent> => {
  const { verb, body } = operation
  let factor: Factor | null = null
  let runningAsks = 0
  for (;;) {
    const token = csrfToken()
    if (verb !== 'GET') headers.set('Service-CSRF', token)
    if (factor?.header) headers.set('Service-Second-Factor', factor.header)
    const sentAtMs = Date.now()
    const response = await fetch(url, { method: verb, headers, body: body || null }).catch(() => {
      throw unreachable()
    })
    if (response.status !== 403 && response.status !== 409) return { response, sentAtMs }
    const problem = await problemFrom(response.clone())
    if (problem.code === stillRunning && runningAsks++ < runningAsksMax) {
      await new Promise((resolve) => setTimeout(resolve, runningMs))
      continue
    }
    if (problem.code === 'CSRF_REJECTED' && (await hasNewToken(token))) continue
    factor = await askFactor(problem, operation, factor)
    if (factor === null) return { response, sentAtMs }
  }
}

/** Whether another tab has signed in since, so that the browser's session has another token than this page. */
const hasNewToken = async (token: string): Promise<boolean> => {
  const before = sessionStore.get()
  const session = before && (await get('/v1/session').catch(() => null))
  if (!session) return false
  holdSession(session)
  // A request that one person began must not be sent as another.
  return session.person.id === before.person.id && session.csrfToken !== token
}

/** Keys of requests whose answer is unknown: the same request again must have its effect once. */
const unanswered = new Map<string, string>()

const keyOf = (url: string, body: string): string => {
  const known = unanswered.get(url + body) ?? crypto.randomUUID()
  unanswered.set(url + body, known)
  return known
}

/** Turns a thrown value into a problem; what is not an `ApiProblem` is our fault, and is logged. */
export const problemOfError = (error: unknown): ApiProblem => {
  if (error instanceof ApiProblem) return error
  console.error(error)
  return new ApiProblem(0, {
    code: 'DASHBOARD_ERROR',
    detail: error instanceof Error ? error.message : String(error),
  })
}

/** The address of a download, which a link opens: it cannot set headers. */
export const downloadPath = (path: string, query: URLSearchParams | Record<string, string> = {}): string => {
  const all = new URLSearchParams(query)
  const place = currentPlace()
  if (place !== null) {
    all.set('serviceCompany', place.companyId)
    all.set('serviceEnvironment', place.environment)
  }
  return `${path}?${all}`
}
