import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { openDashboard } from '../../gateway/api/dashboard-pages.ts'
import { oneWorker, startService } from '../e2e/service.ts'

const built = resolve(import.meta.dirname, '../../gateway/dashboard')
const packedBytes = (name: string): number => gzipSync(readFileSync(join(built, name)), { level: 9 }).length
const sum = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

t.test(
  'what a browser loads before the first page is 90 kB in either language, and all of it 180',
  async (t) => {
    const files = readdirSync(built).filter((name) => /\.(js|css)$/.test(name))
    const { first } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as { first: string[] }
    t.ok(first.every((name) => files.includes(name)))
    for (const language of ['en', 'pt']) {
      const isText = (name: string): boolean => /^(en|pt)\./.test(name)
      // Of texts, also those of single pages, a browser loads those of one language.
      const others = new RegExp(`(^|-)${language === 'en' ? 'pt' : 'en'}\\.`)
      const all = files.filter((name) => !others.test(name))
      t.equal(all.length, files.length - 8)
      const early = all.filter(
        (name) => first.includes(name) || isText(name) || /^(theme|styles)\./.test(name),
      )
      t.equal(early.length, first.length + 3)
      const [before, whole] = [sum(early.map(packedBytes)), sum(all.map(packedBytes))]
      t.ok(before <= 90_000, `${before} bytes before the first page in ${language}`)
      t.ok(whole <= 180_000, `${whole} bytes in ${language}`)
    }
  },
)

t.test('both languages have the same texts', async (t) => {
  const load = async (language: 'pt' | 'en') => {
    const name = readdirSync(built).find((name) => name.startsWith(`${language}.`))!
    return (await import(join(built, name)))[language] as { readonly nouns: object }
  }
  const [{ nouns: ptNouns, ...pt }, { nouns: enNouns, ...en }] = [await load('pt'), await load('en')]
  t.strictSame(leavesOf(en), leavesOf(pt))
  t.strictSame(
    Object.keys(enNouns),
    Object.keys(ptNouns),
    'whose statuses have words by each language’s grammar',
  )
  t.ok(leavesOf(pt).length > 500)
})

/** The path of each text, and how many arguments it takes; an empty text would be none. */
const leavesOf = (texts: object, path = ''): string[] =>
  Object.entries(texts).flatMap(([name, value]) => {
    const here = `${path}.${name}`
    if (typeof value === 'function') return [`${here}(${value.length})`]
    if (typeof value === 'object') return leavesOf(value, here)
    return [value === '' ? `${here} is empty` : here]
  })

t.test('the dashboard is served under its policy', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const page = await fetch(`${service.origin}/painel/cmp_1/sandbox/transacoes?status=APPROVED`)
  t.equal(page.status, 200)
  t.match(Object.fromEntries(page.headers), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  })
  t.equal(page.headers.get('strict-transport-security'), null, 'which says nothing on plain HTTP')
  t.equal(
    page.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /csp-report",
  )
  const html = await page.text()
  t.notMatch(html, /<script(?![^>]* src=)/, 'no inline script')
  const paths = [...html.matchAll(/(?:src|href)="(\/painel\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  t.ok(paths.length > 3)
  for (const path of paths) {
    const packed = await fetch(service.origin + path, { headers: { 'Accept-Encoding': 'gzip' } })
    t.match(Object.fromEntries(packed.headers), {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    const text = await packed.text()
    const smallest = await fetch(service.origin + path, { headers: { 'Accept-Encoding': 'gzip, br' } })
    t.equal(smallest.headers.get('content-encoding'), 'br')
    t.equal(await smallest.text(), text)
    const plain = await fetch(service.origin + path, { headers: { 'Accept-Encoding': 'identity' } })
    t.equal(plain.headers.get('content-encoding'), null)
    t.equal(await plain.text(), text)
  }
  const icons = [...html.matchAll(/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/g)].map(
    ([, path]) => path!,
  )
  t.strictSame(icons, ['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png'])
  for (const path of icons) {
    const { status, headers } = await fetch(service.origin + path)
    t.equal(status, 200, path)
    t.match(headers.get('content-type'), /^image\/(x-icon|svg\+xml|png)$/)
    t.equal(headers.get('cache-control'), 'public, max-age=86400')
  }
  t.match(html, /<meta name="theme-color" media="\(prefers-color-scheme: dark\)"/)
  for (const path of ['manifest.json', 'main.AAAAAAAA.js', '..%2f..%2fpackage.json', '../manifest.json'])
    t.equal(
      (await fetch(`${service.origin}/painel/assets/${path}`)).status,
      path.startsWith('../') ? 200 : 404,
    )
  const report = await fetch(`${service.origin}/csp-report`, { method: 'POST', body: '{"csp-report":{}}' })
  t.equal(report.status, 204)
  await service.logged('broke its content security policy')
})

t.test('a setting switches the dashboard off', async (t) => {
  const service = await startService(t, { env: { ...oneWorker, DASHBOARD: 'false' } })
  t.not((await fetch(`${service.origin}/painel`)).status, 200)
  t.not((await fetch(`${service.origin}/csp-report`, { method: 'POST', body: '{}' })).status, 204)
})

t.test('a dashboard that was not built is not served', async (t) => {
  t.equal(openDashboard(t.testdir()), null)
})
