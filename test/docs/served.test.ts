import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { docsFolder, openLibrary } from '../../gateway/docs/library.ts'
import { openDocs } from '../../gateway/docs/pages.ts'
import { openSiteFiles } from '../../gateway/docs/site-files.ts'
import type { HttpResponse } from '../../gateway/wire/transport.ts'

const noIndex = () => Promise.reject(new Error('built elsewhere'))
const docs = openDocs(noIndex, () => 'https://pay.example.com')
const get = (path: string, language = 'en'): HttpResponse =>
  docs({ path, headers: { 'accept-language': language } }) as HttpResponse

t.test('an address without a language leads to the one that the browser prefers', async (t) => {
  t.match(get('/'), { status: 302, headers: { Location: '/docs' } })
  t.match(get('/docs', 'pt-BR,pt;q=0.9'), {
    status: 302,
    headers: { Location: '/docs/pt', Vary: 'Accept-Language' },
  })
  t.match(get('/docs', 'fr'), { status: 302, headers: { Location: '/docs/en' } })
  t.match(get('/docs/quickstart', 'pt'), { status: 302, headers: { Location: '/docs/pt/quickstart' } })
  t.match(get('/docs/reference', 'pt'), { status: 302, headers: { Location: '/docs/pt/reference' } })
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
  const assets = [
    ...String(body).matchAll(/(?:src|href|data-search|data-find)="(\/docs\/site\/[^"]+)"/g),
  ].map(([, path]) => path!)
  t.equal(assets.length, 5)
  for (const path of assets)
    t.match(get(path), { status: 200, headers: { 'Cache-Control': /immutable/ } }, path)
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

t.test('every page is there as Markdown, whose links lead to Markdown that is there', async (t) => {
  const origin = 'https://pay.example.com'
  const pages = openLibrary().contents.flatMap(({ pages }) => pages)
  const wrong: string[] = []
  for (const language of ['en', 'pt'])
    for (const slug of pages) {
      const { status, headers, body } = get(`/docs/${language}/${slug}.md`)
      const text = String(body)
      t.match(
        { status, type: headers['Content-Type'] },
        { status: 200, type: 'text/markdown; charset=utf-8' },
        slug,
      )
      t.match(text, /^# /)
      t.notMatch(text.replace(/^```[\s\S]*?^```/gm, ''), /<!--/)
      const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const [address = ''] = target.split('#')
        if (address === '' || !address.startsWith(origin)) continue
        const path = address.slice(origin.length)
        if (!/\/reference$/.test(path) && get(path).status !== 200) wrong.push(`${slug}: ${target}`)
      }
      t.match(String(get(`/docs/${language}/${slug}`).body), `href="/docs/${language}/${slug}.md"`)
    }
  t.strictSame(wrong, [])
  t.match(String(get('/docs/en/quickstart.md').body), /export KEY=svc_test_…/, 'code stays as it is')
  t.match(String(get('/docs/en/concepts.md').body), /The products are PIX, /)
  t.match(String(get('/docs/en/concepts').body), /The products are PIX, [A-Z, ]*CRYPTO/)
  for (const path of ['/docs/en/none.md', '/docs/en/a/b.md', '/docs/en/../index.md'])
    t.equal(get(path).status, 404, path)
})

t.test(
  'llms.txt lists every page with what it is about, and llms-full.txt holds the English ones',
  async (t) => {
    const list = String(get('/llms.txt').body)
    t.match(list, /^# Payments\n\n> A payments service for Brazil[^\n]+\n/)
    const links = [...list.matchAll(/^- \[[^\]]+\]\(https:\/\/pay\.example\.com(\S+)\)(?:: .{20,})?$/gm)].map(
      ([, path]) => path!,
    )
    const pages = openLibrary().contents.flatMap(({ pages }) => pages)
    for (const language of ['en', 'pt'])
      for (const slug of pages) t.ok(links.includes(`/docs/${language}/${slug}.md`), slug)
    t.equal(list.split('\n').filter((line) => line.startsWith('- ')).length, links.length)
    const full = String(get('/llms-full.txt').body)
    for (const slug of pages) t.match(full, `<!-- https://pay.example.com/docs/en/${slug} -->\n\n# `)
  },
)

t.test(
  'robots see the documentation; security.txt is there where a contact is set, and holds for 180 days',
  async (t) => {
    const at = (contacts: readonly string[], origin: string, path: string) =>
      openSiteFiles({
        originOf: () => origin,
        securityContacts: contacts,
        realNow: () => Date.UTC(2026, 10, 25, 13),
      })({ path, headers: {} })
    const path = '/.well-known/security.txt'
    t.match(at([], '', '/robots.txt'), { status: 200, body: /^User-agent: \*\n[\s\S]*Disallow: \/\n$/ })
    t.equal(at([], '', path), null)
    const contacts = ['mailto:security@example.com', 'https://example.com/report']
    t.equal(
      at(contacts, 'https://pay.example.com', path)!.body,
      `Contact: mailto:security@example.com
Contact: https://example.com/report
Expires: 2027-05-24T00:00:00Z
Preferred-Languages: pt, en
Canonical: https://pay.example.com/.well-known/security.txt
`,
    )
    t.notMatch(String(at(contacts, 'http://127.0.0.1:8080', path)!.body), /Canonical/)
    const ico = at([], '', '/favicon.ico')!
    t.match(ico.headers, { 'Content-Type': 'image/x-icon' })
    t.equal((ico.body as Buffer).readUInt32LE(0), 0x00_01_00_00)
    t.match(at([], '', '/favicon.svg'), { headers: { 'Content-Type': 'image/svg+xml' } })
  },
)
