import createClient, { type MethodResponse } from 'openapi-fetch'
import type { components, paths } from '#generated/api'
import { askFactor, type Factor } from './factor.ts'
import { language } from './language.ts'
import { ApiProblem, problemFrom, unreachable } from './problem.ts'
import { currentPlace } from './router.ts'
import { csrfToken, membershipsChanged, onSessionUsed, onSignedOut } from './session.ts'

export type Schemas = components['schemas']

/** The service's API, typed by its own document, as the person who is signed in. A refusal is thrown as `ApiProblem`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: (request) => send(request) })

type Client = typeof api
export type GetPath = {
  [Path in keyof paths]: paths[Path] extends { get: unknown } ? Path : never
}[keyof paths]
/** What a GET answers. */
export type Got<Path extends GetPath> = MethodResponse<Client, 'get', Path>

/** The data of an answer. */
export const dataOf = async <Data>(
  answer: Promise<{ data?: Data; response: Response }>,
): Promise<NonNullable<Data>> => (await answer).data as NonNullable<Data>

const send = async (request: Request): Promise<Response> => {
  const headers = request.headers
  const place = currentPlace()
  if (place !== null) {
    headers.set('Service-Company', place.companyId)
    headers.set('Service-Environment', place.environment)
  }
  headers.set('Accept-Language', language() === 'en' ? 'en' : 'pt-BR')
  const body = request.method === 'GET' ? '' : await request.clone().text()
  if (request.method === 'POST') headers.set('Idempotency-Key', keyOf(request.url, body))
  const response = await trySending(request, body)
  if (response.status < 500) unanswered.delete(request.url + body)
  if (response.ok) {
    if (!headers.has('Service-Background')) onSessionUsed()
    return response
  }
  const problem = await problemFrom(response)
  if (problem.code === 'NOT_FOUND' && problem.extra.resource === 'company')
    membershipsChanged.set(membershipsChanged.get() + 1)
  if (problem.status === 401 && !/\/v1\/(session|invitations|password)\b/.test(request.url)) onSignedOut()
  throw problem
}

/** Sends a request, and once more each time that the person has given the factor that it needs. */
const trySending = async (request: Request, body: string): Promise<Response> => {
  let factor: Factor | null = null
  for (;;) {
    const attempt = new Request(request, request.method === 'GET' ? {} : { body })
    if (request.method !== 'GET') attempt.headers.set('Service-CSRF', csrfToken())
    if (factor?.header) attempt.headers.set('Service-Second-Factor', factor.header)
    const response = await fetch(attempt).catch(() => {
      throw unreachable()
    })
    if (response.status !== 403) return response
    const problem = await problemFrom(response.clone())
    const { pathname } = new URL(request.url)
    factor = await askFactor(problem, { verb: request.method, path: pathname, body })
    if (factor === null) return response
  }
}

/** Keys of requests whose answer is unknown: the same request again must have its effect once. */
const unanswered = new Map<string, string>()

const keyOf = (url: string, body: string): string => {
  const known = unanswered.get(url + body) ?? crypto.randomUUID()
  unanswered.set(url + body, known)
  return known
}

/** Reads as a problem whatever was thrown. */
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
