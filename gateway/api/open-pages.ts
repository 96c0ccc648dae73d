import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { takeReport } from './violation-report.ts'

/** How many connections a provider has in a status. Whose they are is not for everyone to know. */
export type ConnectionsOfProvider = {
  readonly provider: string
  readonly status: string
  readonly count: number
}

/** The response for a page; null if the path is not a page. */
export type OpenPage = HttpResponse | Promise<HttpResponse> | null

/** Serves the pages that need no key: health, documentation, OpenAPI document and reference. */
export const openPages = (options: {
  /** Why requests cannot be served at present, those that write or reads alone; empty if they can. */
  readonly unready: (forWrites: boolean) => readonly string[]
  /** The event stream's state for `/readyz`; null if events stay in the process. Requests work either way. */
  readonly eventStream: () => string | null
  /** Connections to banks and acquirers for `/readyz`, by provider and status; none of them makes the service unready. */
  readonly connections: () => readonly ConnectionsOfProvider[]
  /** The OpenAPI document and its reference. */
  readonly reference: (request: HttpRequest) => OpenPage
  /** The documentation. */
  readonly docs: (request: HttpRequest) => OpenPage
  /** What programs ask of any site: icon, robots.txt, security.txt. */
  readonly files: (request: HttpRequest) => OpenPage
  /** The pages where payers pay, by their hosts. */
  readonly checkout: (request: HttpRequest) => OpenPage
  /** The dashboard; null if it is switched off or was not built. */
  readonly dashboard: ((request: HttpRequest) => OpenPage) | null
  /** Takes payers out of the reminders that they get. */
  readonly unsubscribe: (request: HttpRequest) => OpenPage
  /** Receives a browser's report of a violated content security policy. */
  readonly onViolation: (report: string) => void
}): ((request: HttpRequest) => OpenPage) => {
  return (request) => {
    const paying = options.checkout(request)
    if (paying !== null) return paying
    const reported = options.dashboard && takeReport(request, options.onViolation)
    if (reported !== null) return reported
    const { verb, path } = request
    const unsubscribed = options.unsubscribe(request)
    if (unsubscribed !== null) return unsubscribed
    if (verb !== 'GET' && verb !== 'HEAD') return null
    if (path === '/healthz') return healthy
    if (path === '/readyz') {
      const forWrites = new URLSearchParams(request.query).get('for') === 'writes'
      return readiness(options.unready(forWrites), options.eventStream(), options.connections())
    }
    return (
      options.dashboard?.(request) ??
      options.reference(request) ??
      options.docs(request) ??
      options.files(request)
    )
  }
}

const state = (status: number, text: string, more: object = {}): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ status: text, ...more }),
})

const healthy = state(200, 'ok')

const readiness = (
  reasons: readonly string[],
  eventStream: string | null,
  connections: readonly ConnectionsOfProvider[],
): HttpResponse => {
  if (reasons.length > 0) return state(503, 'unready', { reasons })
  return state(200, 'ready', {
    ...(eventStream !== null && { eventStream }),
    ...(connections.length > 0 && { connections }),
  })
}
