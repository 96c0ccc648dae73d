import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { OpenPage } from '../api/open-pages.ts'
import { answerWith } from '../api/own-page.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'

/**
 * Serves the OpenAPI document, built when it is first asked for, and the page that shows it, sends requests and writes code
 * samples: Scalar, from files of our own (`docs/reference/README.md`). The page fetches nothing from elsewhere, and its content
 * security policy would not let it.
 */
export const openReference = (
  build: () => Promise<string>,
): ((request: Pick<HttpRequest, 'path' | 'headers'>) => OpenPage) => {
  let document: Promise<string> | null = null
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
  return ({ path, headers }) => {
    if (path === '/docs/reference') return answer('text/html; charset=utf-8', page, 'no-cache')
    if (path === '/openapi.json') {
      document ??= build().catch((error: unknown) => {
        document = null
        throw error
      })
      return document.then((text) => answer('application/json', text, 'no-cache'))
    }
    const found = assets.get(path)
    return found === undefined ? null : assetAnswer(found, headers['accept-encoding'])
  }
}

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

const pageWith = (paths: Readonly<Record<'theme' | 'scalar' | 'start', string>>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Payments</title>
<link rel="icon" href="data:,">
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
