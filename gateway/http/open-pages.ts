import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { HttpRequest, HttpResponse } from './transport.ts'

/** The pages that need no key: health, the OpenAPI document and the reference page that shows it. */
export const openPages = (options: {
  readonly openApi: string
  readonly isReady: () => boolean
  /** Whether events are published now; null where they do not leave the process. Requests go on without. */
  readonly isPublishing: () => boolean | null
  /** The documentation; null for what it has not. */
  readonly docs: (request: HttpRequest) => HttpResponse | null
}): ((request: HttpRequest) => HttpResponse | null) => {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const file = (name: string, type: string) => page(type, readFileSync(join(swagger, name)))
  const pages = new Map<string, HttpResponse>([
    ['/openapi.json', page('application/json', options.openApi)],
    ['/docs/reference', page('text/html; charset=utf-8', docsPage)],
    ['/docs/start.js', page('text/javascript; charset=utf-8', startScript)],
    ['/docs/swagger-ui.css', file('swagger-ui.css', 'text/css; charset=utf-8')],
    ['/docs/swagger-ui-bundle.js', file('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
  ])
  return (request) => {
    const { verb, path } = request
    // Every path of the API begins so: none of them is looked up here.
    if (path.startsWith('/v1/') || (verb !== 'GET' && verb !== 'HEAD')) return null
    if (path === '/healthz') return healthy
    if (path === '/readyz') return options.isReady() ? readyPages[String(options.isPublishing())]! : notReady
    return pages.get(path) ?? options.docs(request)
  }
}

const page = (type: string, body: string | Buffer): HttpResponse => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'",
  },
  body,
})

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

const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payments API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, supportedSubmitMethods: [] })
`
