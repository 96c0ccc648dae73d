import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { docsFolder } from '../../gateway/docs/library.ts'
import { openDocs } from '../../gateway/docs/pages.ts'
import type { HttpResponse } from '../../gateway/wire/transport.ts'

const docs = openDocs(() => 'https://pay.example.com')
const get = (path: string, language = 'en'): HttpResponse =>
  docs({ path, headers: { 'accept-language': language } })!

t.test('an address without a language leads to the one that the browser prefers', async (t) => {
  t.match(get('/'), { status: 302, headers: { Location: '/docs' } })
  t.match(get('/docs', 'pt-BR,pt;q=0.9'), {
    status: 302,
    headers: { Location: '/docs/pt', Vary: 'Accept-Language' },
  })
  t.match(get('/docs', 'fr'), { status: 302, headers: { Location: '/docs/en' } })
  t.match(get('/docs/quickstart', 'pt'), { status: 302, headers: { Location: '/docs/pt/quickstart' } })
  t.match(get('/docs/en/'), { status: 302, headers: { Location: '/docs/en' } })
})

t.test('a page runs nothing that is not a file of the service, and is framed by nobody', async (t) => {
  const { status, headers, body } = get('/docs/en/quickstart')
  t.equal(status, 200)
  const policy = headers['Content-Security-Policy']!
  t.match(policy, /default-src 'none'/)
  t.match(policy, /frame-ancestors 'none'/)
  t.notMatch(policy, /unsafe/)
  t.notMatch(String(body), /<script>|style="|\son[a-z]+="|https?:\/\/(?!127\.0\.0\.1|jqlang)/)
  const assets = [...String(body).matchAll(/(?:src|href|data-search)="(\/docs\/site\/[^"]+)"/g)].map(
    ([, path]) => path!,
  )
  t.equal(assets.length, 4)
  for (const path of assets)
    t.match(get(path), { status: 200, headers: { 'Cache-Control': /immutable/ } }, path)
})

t.test('the search has every section of the pages of its language', async (t) => {
  const sections = JSON.parse(String(get('/docs/pt/search.json').body)) as {
    heading: string
    path: string
    text: string
  }[]
  t.match(
    sections.find(({ path }) => path === '/docs/pt/quickstart#crie-uma-cobrança'),
    { heading: 'Crie uma cobrança', text: /centavos inteiros/ },
  )
})

t.test('pictures that pages show are served, and small', async (t) => {
  const pictures = [...String(get('/docs/en/dashboard').body).matchAll(/<img src="([^"]+)"/g)].map(
    ([, path]) => path!,
  )
  t.ok(pictures.length >= 3)
  for (const path of pictures) {
    const { status, headers, body } = get(path)
    t.match({ status, headers }, { status: 200, headers: { 'Content-Type': 'image/webp' } }, path)
    t.equal((body as Buffer).subarray(8, 12).toString('latin1'), 'WEBP')
  }
  const folder = join(docsFolder, 'images/dashboard')
  for (const name of readdirSync(folder)) t.ok(statSync(join(folder, name)).size <= 60_000, name)
})

t.test('what is not there is a page that says so', async (t) => {
  for (const path of [
    '/docs/none',
    '/docs/en/none',
    '/docs/en/a/b',
    '/docs/files/../package.json',
    '/docs/files/en/x',
  ])
    t.match(get(path), { status: 404, headers: { 'Content-Type': /html/ } }, path)
  t.equal(docs({ path: '/documents', headers: {} }), null)
})

t.test('files that pages link to are shown, Markdown as a page and others as text', async (t) => {
  t.match(get('/docs/files/cluster/README.md'), { status: 200, headers: { 'Content-Type': /html/ } })
  t.match(get('/docs/files/cluster/nats-server.conf'), {
    status: 200,
    headers: { 'Content-Type': /^text\/plain/ },
  })
})
