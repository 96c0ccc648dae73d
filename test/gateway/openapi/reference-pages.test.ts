import t from 'tap'
import { originOfRequests } from '../../../gateway/api/public-origin.ts'
import { openReference } from '../../../gateway/openapi/reference-pages.ts'

const noOrigin = (): string => ''

t.test('the OpenAPI document is built once, and again only after a failure', async (t) => {
  const builds = [Promise.reject(new Error('no thread')), Promise.resolve('{}')]
  let built = 0
  const page = openReference(() => builds[built++]!, noOrigin)
  const document = () => page({ path: '/openapi.json', query: '', headers: {} })

  t.equal(built, 0, 'a start does not wait for it')
  await t.rejects(Promise.resolve(document()), { message: 'no thread' })
  t.match(await document(), { status: 200, body: '{}' })
  t.match(await document(), { status: 200, body: '{}' })
  t.equal(built, 2)
})

t.test(
  'each audience and language has a document of its own, and an unknown one is told which there are',
  async (t) => {
    const built: string[] = []
    const page = openReference(async ({ audience, language }) => {
      built.push(`${audience} ${language}`)
      return `${audience} ${language}`
    }, noOrigin)
    const document = (query: string, headers = {}) => page({ path: '/openapi.json', query, headers })
    t.match(await document(''), { body: 'all en', headers: { 'Content-Language': 'en' } })
    t.match(await document('', { 'accept-language': 'pt-BR' }), { body: 'all en' }, 'the same whoever asks')
    t.match(await document('audience=keys'), { body: 'keys en' })
    t.match(await document('audience=keys&x=1'), { body: 'keys en' })
    t.match(await document('lang=pt'), { body: 'all pt', headers: { 'Content-Language': 'pt-BR' } })
    t.match(await document('lang=pt&audience=keys'), { body: 'keys pt' })
    t.match(await document('lang=pt'), { body: 'all pt' })
    t.strictSame(built, ['all en', 'keys en', 'all pt', 'keys pt'])
    t.match(await document('audience=key'), { status: 400, body: /all, keys/ })
    t.match(await document('lang=fr'), { status: 400, body: /en, pt/ })
  },
)

t.test('the page links what programs read, in its language', async (t) => {
  const page = openReference(async () => '{}', noOrigin)
  const linksOf = async (path: string) => {
    const response = await page({ path, query: '', headers: {} })
    return [...String(response!.body).matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href)
  }
  t.strictSame((await linksOf('/docs/en/reference')).slice(1, 6), [
    '/openapi.json',
    '/openapi.json?audience=keys',
    '/postman.json',
    '/docs/en',
    '/docs/pt/reference',
  ])
  t.strictSame((await linksOf('/docs/pt/reference')).slice(1, 6), [
    '/openapi.json?lang=pt',
    '/openapi.json?audience=keys&amp;lang=pt',
    '/postman.json',
    '/docs/pt',
    '/docs/en/reference',
  ])
})

t.test('the server is PUBLIC_URL, or the host that was asked, and never what a host cannot be', async (t) => {
  const document = '{"servers":[{"url":"/","description":"here"}]}'
  const serverFor = async (publicUrl: string, isTls: boolean, host?: string) => {
    const page = openReference(async () => document, originOfRequests({ publicUrl, isTls }))
    const headers = host === undefined ? {} : { host }
    const response = await page({ path: '/openapi.json', query: '', headers })
    return JSON.parse(String(response!.body)).servers[0].url
  }
  t.equal(await serverFor('https://pay.example.com', false, '10.0.0.1:8080'), 'https://pay.example.com')
  t.equal(await serverFor('', false, '127.0.0.1:8080'), 'http://127.0.0.1:8080')
  t.equal(await serverFor('', true, '[::1]:8443'), 'https://[::1]:8443')
  t.equal(await serverFor('', false, 'Pay.Example.com'), 'http://pay.example.com')
  for (const host of ['a"b', 'a/b', 'user@a', 'a b', "a$'b", '', undefined])
    t.equal(await serverFor('', false, host), '/', String(host))
})

t.test('the Postman collection calls the service from which it came', async (t) => {
  const baseUrlFrom = async (host: string) => {
    const page = openReference(async () => '{}', originOfRequests({ publicUrl: '', isTls: false }))
    const response = await page({ path: '/postman.json', query: '', headers: { host } })
    const { variable } = JSON.parse(String(response!.body)) as { variable: { key: string; value: string }[] }
    return variable.find(({ key }) => key === 'baseUrl')!.value
  }
  t.equal(await baseUrlFrom('10.0.0.7:9090'), 'http://10.0.0.7:9090')
  t.equal(await baseUrlFrom('no host'), 'http://127.0.0.1:8080')
})
