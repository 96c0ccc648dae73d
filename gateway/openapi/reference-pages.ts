import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { OpenPage } from '../api/open-pages.ts'
import { answerWith } from '../api/own-page.ts'
import type { OriginOf } from '../api/public-origin.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { type Audience, audiences } from './audience.ts'

/**
 * Serves the OpenAPI document, built for each audience when it is first asked for, the Postman collection, and the page that shows
 * the document, sends requests and writes code samples: Scalar, from files of our own (`docs/reference/README.md`). The page fetches
 * nothing from elsewhere, and its content security policy would not let it.
 */
export const openReference = (
  build: (audience: Audience) => Promise<string>,
  originOf: OriginOf,
): ((request: Pick<HttpRequest, 'path' | 'query' | 'headers'>) => OpenPage) => {
  const documentFor = openDocuments(build)
  const scalar = read('scalar.js.gz')
  const assets = new Map<string, Asset>()
  const asset = (name: string, type: string, body: Buffer, isCompressed = false): string => {
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12)
    const path = `/docs/reference/${name.replace('.', `.${hash}.`)}`
    assets.set(path, { type, body, isCompressed })
    return path
  }
  const script = 'text/javascript; charset=utf-8'
  const page = pageWith({
    theme: asset('theme.css', 'text/css; charset=utf-8', read('theme.css')),
    scalar: asset('scalar.js', script, scalar, true),
    start: asset('start.js', script, read('start.js')),
  })
  return ({ path, query, headers }) => {
    if (path === '/docs/reference') return answer('text/html; charset=utf-8', page, 'no-cache')
    if (path === '/openapi.json') {
      const audience = audienceIn(query)
      if (audience === null) return wrongAudience
      return documentFor(audience).then((text) =>
        answer(
          'application/json',
          text.replace('"url":"/"', () => urlOf(originOf(headers))),
          'no-cache',
        ),
      )
    }
    if (path === '/postman.json') {
      const text = read('postman.json').toString('utf8')
      const origin = originOf(headers) || originInCollection
      return answer(
        'application/json',
        text.replaceAll(originInCollection, () => origin),
        'no-cache',
      )
    }
    const found = assets.get(path)
    return found === undefined ? null : assetAnswer(found, headers['accept-encoding'])
  }
}

/** Each document is built once, and again only after a failure. */
const openDocuments = (build: (audience: Audience) => Promise<string>) => {
  const built = new Map<Audience, Promise<string>>()
  return (audience: Audience): Promise<string> => {
    const document =
      built.get(audience) ??
      build(audience).catch((error: unknown) => {
        built.delete(audience)
        throw error
      })
    built.set(audience, document)
    return document
  }
}

/** The audience that a query names; null if there is no such one. */
const audienceIn = (query: string): Audience | null => {
  const named = new URLSearchParams(query).get('audience') ?? 'all'
  return audiences.find((audience) => audience === named) ?? null
}

const urlOf = (origin: string): string => `"url":${JSON.stringify(origin === '' ? '/' : origin)}`

/** What stands for the service in the Postman collection as it is kept. */
const originInCollection = 'http://127.0.0.1:8080'

type Asset = { readonly type: string; readonly body: Buffer; readonly isCompressed: boolean }

const folder = join(import.meta.dirname, '../../../docs/reference')
const read = (name: string): Buffer => readFileSync(join(folder, name))

const assetAnswer = ({ type, body, isCompressed }: Asset, accepted: string | undefined): HttpResponse => {
  const plain = answer(type, body, 'public, max-age=31536000, immutable')
  if (!isCompressed) return plain
  const headers = { ...plain.headers, Vary: 'Accept-Encoding' }
  // Every browser accepts gzip; only other clients get it unpacked here.
  return /\bgzip\b/.test(accepted ?? '')
    ? { ...plain, headers: { ...headers, 'Content-Encoding': 'gzip' } }
    : { ...plain, headers, body: gunzipSync(body) }
}

/** The policy allows inline styles, which Scalar sets on its elements, and frames, which show a boleto's PDF. */
const answer = answerWith({
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'frame-src': 'blob:',
})

const wrongAudience: HttpResponse = {
  ...answer('text/plain; charset=utf-8', `audience is one of: ${audiences.join(', ')}\n`, 'no-cache'),
  status: 400,
}

const pageWith = (paths: Readonly<Record<'theme' | 'scalar' | 'start', string>>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Payments</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${paths.theme}">
</head>
<body>
<header class="site">
<a class="brand" href="/docs">Payments</a>
<a href="/docs">Documentation</a>
<a href="/openapi.json">OpenAPI</a>
</header>
<noscript>This page needs JavaScript. The document that it shows is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="${paths.scalar}"></script>
<script src="${paths.start}"></script>
</body>
</html>
`
