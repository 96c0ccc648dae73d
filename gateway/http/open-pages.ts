import type { HttpRequest, HttpResponse } from './transport.ts'

/** A page, or null for a path that is none. */
export type OpenPage = HttpResponse | Promise<HttpResponse> | null

/** Serves the pages that need no key: health, documentation, OpenAPI document and reference. */
export const openPages = (options: {
  readonly isReady: () => boolean
  /** Whether events are being published; null if they stay within the process. Requests work either way. */
  readonly isPublishing: () => boolean | null
  /** The OpenAPI document and its reference. */
  readonly reference: (request: HttpRequest) => OpenPage
  /** The documentation. */
  readonly docs: (request: HttpRequest) => OpenPage
}): ((request: HttpRequest) => OpenPage) => {
  return (request) => {
    const { verb, path } = request
    // Every path of the API starts like this, and none of them is looked up here.
    if (path.startsWith('/v1/') || (verb !== 'GET' && verb !== 'HEAD')) return null
    if (path === '/healthz') return healthy
    if (path === '/readyz') return options.isReady() ? readyPages[String(options.isPublishing())]! : notReady
    return options.reference(request) ?? options.docs(request)
  }
}

const state = (status: number, text: string, more: object = {}): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ status: text, ...more }),
})

const healthy = state(200, 'ok')
const readyPages: Readonly<Record<string, HttpResponse>> = {
  null: state(200, 'ready'),
  true: state(200, 'ready', { eventStream: 'connected' }),
  false: state(200, 'ready', { eventStream: 'away' }),
}
const notReady = state(503, 'recovering')
